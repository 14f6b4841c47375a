"""Distil all-MiniLM-L6-v2 into a table with one vector a vocabulary token, for embedding without running a network.

    python training/make_static.py --weights PATH/TO/model --out src/answerable/models/static

Each token goes through the model by itself; the vectors are centred, projected to their principal components but the
first ten (they say what all tokens share, and blur the rest) and weighted down by how common the token is (the
vocabulary stands in order of frequency, so its rank gives the share by Zipf's law; the weight is that of smooth inverse
frequency). Rows are stored as int8 with one scale each.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from make_minilm import build

CLS, SEP, UNKNOWN = 101, 102, 100
SPECIAL = [0, UNKNOWN, CLS, SEP, 103]
FIRST_WORD = 1996  # "the": from here the vocabulary stands in order of frequency; before it, single characters
CHARACTER_RANK = 50


def token_vectors(weights: dict[str, np.ndarray], count: int, batch: int = 512) -> np.ndarray:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "full.onnx"
        onnx.save(build(weights, small_table=False), path)
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        rows = []
        for start in range(0, count, batch):
            tokens = np.arange(start, min(start + batch, count), dtype=np.int64)
            ids = np.stack([np.full_like(tokens, CLS), tokens, np.full_like(tokens, SEP)], axis=1)
            rows.append(session.run(["vectors"], {"ids": ids, "mask": np.ones_like(ids)})[0])
    return np.concatenate(rows)


def principal_components(vectors: np.ndarray, width: int, dropped: int) -> np.ndarray:
    centred = vectors - vectors.mean(axis=0)
    values, axes = np.linalg.eigh(centred.T @ centred)
    kept = axes[:, np.argsort(values)[::-1][dropped : dropped + width]]
    kept *= np.sign(kept[np.abs(kept).argmax(axis=0), np.arange(width)])  # the sign of an axis is free: fix it
    kept_variance = np.sort(values)[::-1][dropped : dropped + width].sum() / values.sum()
    print(f"{width} components keep {kept_variance:.3f} of the variance")
    return centred @ kept


def frequency_weights(count: int, strength: float) -> np.ndarray:
    """`strength` is the a of a / (a + p)."""
    ranks = np.arange(count) - FIRST_WORD + 1.0
    ranks[:FIRST_WORD] = CHARACTER_RANK
    share = 1 / ranks / (1 / ranks[FIRST_WORD:]).sum()
    return strength / (strength + share)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--weights", type=Path, required=True, help="folder with model.safetensors and tokenizer.json")
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--width", type=int, default=256)
    options.add_argument("--dropped", type=int, default=10, help="leading components left out")
    options.add_argument("--strength", type=float, default=2e-4)
    given = options.parse_args()

    began = time.perf_counter()
    weights = load_file(str(given.weights / "model.safetensors"))
    count = Tokenizer.from_file(str(given.weights / "tokenizer.json")).get_vocab_size()
    table = principal_components(token_vectors(weights, count), given.width, given.dropped)
    table *= frequency_weights(count, given.strength)[:, None]
    table[SPECIAL] = 0

    scales = np.abs(table).max(axis=1, keepdims=True) / 127
    rows = np.round(table / np.where(scales == 0, 1, scales)).astype(np.int8)
    given.out.mkdir(parents=True, exist_ok=True)
    np.save(given.out / "rows.int8.npy", rows)
    np.save(given.out / "scales.npy", scales[:, 0].astype(np.float32))
    size = sum(path.stat().st_size for path in given.out.glob("*.npy"))
    print(f"{given.out}: {size / 1e6:.1f} MB, {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
