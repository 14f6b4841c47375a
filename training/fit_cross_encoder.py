"""Train the small cross-encoder that tells whether a sentence answers a question, and write it as int8 ONNX.

    python training/fit_cross_encoder.py --weights PATH/TO/model --out src/answerable/models/cross_encoder

PATH/TO/model holds the published weights and tokenizer of all-MiniLM-L6-v2 (see make_minilm.py). It starts from them:
the token table and the lowest layers stay as they are; the upper ones, and a head on the mean of each side's tokens,
are trained on the questions in training/asked. They were written for this: pages in sentences and rows, with questions
as people put them and the places of what answers. One half of the loss sets the sentences of a page in order, the other
makes each score a chance. Needs an environment of its own: torch, onnx, onnxruntime, safetensors, tokenizers.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.numpy import load_file
from tokenizers import Tokenizer
from torch import Tensor, nn

from cross_encoder_graph import export

ASKED = Path(__file__).parent / "asked"
SEED, THREADS = 0, 2
LAYERS, FROZEN, HEADS, WIDTH, INNER, HIDDEN = 6, 3, 12, 384, 1536, 192
MAX_TOKENS, QUESTION_TOKENS = 96, 40  # as providers/reranking/cross_encoder.py reads
EPOCHS, BATCH, RATE, HEAD_RATE, WARM_UP = 2, 12, 1e-4, 5e-4, 0.06
HARD, OTHERS, RIGHT = 4, 1, 2  # sentences of a page beside the question: the likest, some other ones, those that answer
POSITIVE = 2.5  # what a sentence that answers weighs against one that does not
ORDER = 0.5  # weight of the order within a page
START, SEPARATOR = 101, 102
PARTS = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "o": "attention.output.dense",
    "n1": "attention.output.LayerNorm",
    "i": "intermediate.dense",
    "f": "output.dense",
    "n2": "output.LayerNorm",
}
POINTING = re.compile(
    r"(?:it|its|he|she|his|her|they|their|this|that|these|those|such|but|however|also|there|here|then|and)\b", re.I
)


@dataclass(frozen=True)
class Asked:
    """A question with sentences of its page; `right` tells which answer."""

    question: str
    texts: tuple[str, ...]
    right: tuple[bool, ...]


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.i, self.f = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.n1, self.n2 = nn.LayerNorm(WIDTH, 1e-12), nn.LayerNorm(WIDTH, 1e-12)
        self.drop = nn.Dropout(0.1)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        size, tokens, _ = x.shape
        q, k, v = (part(x).view(size, tokens, HEADS, -1).transpose(1, 2) for part in (self.q, self.k, self.v))
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = self.n1(x + self.drop(self.o(mixed.transpose(1, 2).reshape(size, tokens, WIDTH))))
        return self.n2(x + self.drop(self.f(F.gelu(self.i(x)))))


class Network(nn.Module):
    def __init__(self, weights: dict[str, np.ndarray]) -> None:
        super().__init__()
        held = {name: torch.from_numpy(value.copy()) for name, value in weights.items()}
        self.words = held["embeddings.word_embeddings.weight"]
        self.places = held["embeddings.position_embeddings.weight"]
        self.segments = held["embeddings.token_type_embeddings.weight"]
        self.scale, self.shift = held["embeddings.LayerNorm.weight"], held["embeddings.LayerNorm.bias"]
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        for number, layer in enumerate(self.layers):
            for own, published in PARTS.items():
                part = getattr(layer, own)
                part.weight.data = held[f"encoder.layer.{number}.{published}.weight"]
                part.bias.data = held[f"encoder.layer.{number}.{published}.bias"]
            layer.requires_grad_(number >= FROZEN)
        self.inner, self.outer, self.drop = nn.Linear(4 * WIDTH, HIDDEN), nn.Linear(HIDDEN, 1), nn.Dropout(0.1)

    @torch.no_grad()
    def lower(self, ids: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
        x = self.words[ids] + self.places[: ids.shape[1]] + self.segments[segments]
        x = F.layer_norm(x, (WIDTH,), self.scale, self.shift, 1e-12)
        for layer in self.layers[:FROZEN]:
            x = layer(x, mask[:, None, None, :])
        return x

    def upper(self, x: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
        for layer in self.layers[FROZEN:]:
            x = layer(x, mask[:, None, None, :])
        asked, told = ((mask & (segments == side)).unsqueeze(-1).float() for side in (0, 1))
        one, other = ((x * side).sum(1) / side.sum(1) for side in (asked, told))
        both = torch.cat([one, other, (one - other).abs(), one * other], -1)
        return self.outer(self.drop(torch.tanh(self.inner(self.drop(both))))).squeeze(-1)


def of_asked(folder: Path, likest: Likest) -> Iterator[Asked]:
    for path in sorted(folder.glob("*.jsonl")):
        for page in map(json.loads, path.read_text("utf-8").splitlines()):
            texts = on_page(page["title"], page["sentences"])
            for asked in page["questions"]:
                yield likest.chosen(asked["q"], texts, set(asked["a"]))


def on_page(title: str, sentences: Sequence[str]) -> list[str]:
    """Each as the engine gives it to the model: behind the title, a pointing one after the sentence before it."""
    texts = []
    for k, sentence in enumerate(sentences):
        before = f"{sentences[k - 1][-200:]} " if k and POINTING.match(sentence) else ""
        texts.append(f"{title[:120]}: {before}{sentence[:500]}")
    return texts


class Likest:
    """Picks the sentences that look most like an answer to the published model, which are the hard ones."""

    def __init__(self, network: Network, tokenizer: Tokenizer) -> None:
        self.network, self.tokenizer, self.chance = network, tokenizer, random.Random(SEED)
        self.known: dict[str, Tensor] = {}

    def chosen(self, question: str, texts: Sequence[str], right: set[int]) -> Asked:
        wrong = [k for k in range(len(texts)) if k not in right]
        asked = self.vector(question)
        wrong.sort(key=lambda k: -float(asked @ self.vector(texts[k])))
        others = wrong[HARD:]
        self.chance.shuffle(others)
        kept = [*sorted(right)[:RIGHT], *wrong[:HARD], *others[:OTHERS]]
        return Asked(question, tuple(texts[k] for k in kept), tuple(k in right for k in kept))

    @torch.no_grad()
    def vector(self, text: str) -> Tensor:
        if text not in self.known:
            ids = torch.tensor([self.tokenizer.encode(text).ids[:MAX_TOKENS]])
            mask = torch.ones_like(ids, dtype=torch.bool)
            x = self.network.lower(ids, torch.zeros_like(ids), mask)
            for layer in self.network.layers[FROZEN:]:
                x = layer(x, mask[:, None, None, :])
            self.known[text] = F.normalize(x.mean(1), dim=-1)[0]
        return self.known[text]


Pair = tuple[list[int], list[int]]  # ids, segments


def pair_of(tokenizer: Tokenizer, question: str, text: str) -> Pair:
    asked = tokenizer.encode(question, add_special_tokens=False).ids[:QUESTION_TOKENS]
    told = tokenizer.encode(text, add_special_tokens=False).ids[: MAX_TOKENS - 3 - len(asked)]
    ids = [START, *asked, SEPARATOR, *told, SEPARATOR]
    return ids, [0] * (len(asked) + 2) + [1] * (len(told) + 1)


def padded(pairs: Sequence[Pair]) -> tuple[Tensor, Tensor, Tensor]:
    longest = max(len(ids) for ids, _ in pairs)
    ids = torch.tensor([ids + [0] * (longest - len(ids)) for ids, _ in pairs])
    segments = torch.tensor([segments + [0] * (longest - len(segments)) for _, segments in pairs])
    return ids, segments, torch.tensor([[True] * len(ids) + [False] * (longest - len(ids)) for ids, _ in pairs])


def frozen_part(network: Network, pairs: Sequence[Pair]) -> list[Tensor]:
    """What the layers that are not trained make of each pair, once for all."""
    network.eval()
    found: list[Tensor] = [torch.empty(0)] * len(pairs)
    order = sorted(range(len(pairs)), key=lambda k: len(pairs[k][0]))
    for start in range(0, len(order), 64):
        places = order[start : start + 64]
        states = network.lower(*padded([pairs[k] for k in places]))
        for row, k in enumerate(places):
            found[k] = states[row, : len(pairs[k][0])].half()
    return found


def train(network: Network, data: Sequence[Asked], tokenizer: Tokenizer) -> None:
    pairs = [pair_of(tokenizer, one.question, text) for one in data for text in one.texts]
    ends = np.cumsum([len(one.texts) for one in data])
    states = frozen_part(network, pairs)
    steps = EPOCHS * len(data) // BATCH
    body = [p for layer in network.layers[FROZEN:] for p in layer.parameters()]
    head = [*network.inner.parameters(), *network.outer.parameters()]
    optimiser = torch.optim.AdamW([{"params": body}, {"params": head}], weight_decay=0.01)
    network.train()
    began, waiting, lately = time.perf_counter(), list[int](), 0.0
    for step in range(1, steps + 1):
        if len(waiting) < BATCH:
            waiting = random.sample(range(len(data)), len(data))
        rate = min(1.0, step / (WARM_UP * steps)) * max(0.02, 1 - step / steps)
        for group, full in zip(optimiser.param_groups, (RATE, HEAD_RATE), strict=True):
            group["lr"] = full * rate
        picked = [waiting.pop() for _ in range(BATCH)]
        rows = [range(ends[k] - len(data[k].texts), ends[k]) for k in picked]
        loss = loss_of(network, [data[k] for k in picked], rows, pairs, states)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_([*body, *head], 1.0)
        optimiser.step()
        lately += loss.item()
        if step % 50 == 0:
            print(f"{step}/{steps} loss {lately / 50:.3f} {time.perf_counter() - began:.0f} s", flush=True)
            lately = 0.0


def loss_of(
    network: Network, asked: Sequence[Asked], rows: Sequence[range], pairs: Sequence[Pair], states: Sequence[Tensor]
) -> Tensor:
    flat = [k for row in rows for k in row]
    _, segments, mask = padded([pairs[k] for k in flat])
    x = nn.utils.rnn.pad_sequence([states[k].float() for k in flat], batch_first=True)
    scores, total, at = network.upper(x, segments, mask), torch.zeros(()), 0
    for one in asked:
        own, right = scores[at : at + len(one.texts)], torch.tensor(one.right).float()
        at += len(one.texts)
        loss = F.binary_cross_entropy_with_logits(own, right, weight=torch.where(right > 0, POSITIVE, 1.0))
        if any(one.right) and not all(one.right):
            loss = loss - ORDER * (torch.log_softmax(own, 0) * right / right.sum()).sum()
        total = total + loss
    return total / len(asked)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--weights", type=Path, required=True, help="folder with model.safetensors and tokenizer.json")
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    torch.manual_seed(SEED)
    random.seed(SEED)
    torch.set_num_threads(THREADS)
    began = time.perf_counter()
    tokenizer = Tokenizer.from_file(str(given.weights / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    published = load_file(str(given.weights / "model.safetensors"))
    network = Network(published).eval()
    likest = Likest(network, tokenizer)
    data = list(of_asked(ASKED, likest))
    print(f"{len(data)} questions, {sum(len(one.texts) for one in data)} pairs, {time.perf_counter() - began:.0f} s")
    train(network, data, tokenizer)
    network.eval()
    given.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        size = export(trained(network, published), Path(folder), given.out / "model.int8.onnx", MAX_TOKENS)
    print(f"{size / 1e6:.1f} MB, {time.perf_counter() - began:.0f} s")


def trained(network: Network, published: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The weights by their published names, and the head's."""
    weights = dict(published)
    for number, layer in enumerate(network.layers):
        for own, name in PARTS.items():
            part = getattr(layer, own)
            weights[f"encoder.layer.{number}.{name}.weight"] = part.weight.detach().numpy()
            weights[f"encoder.layer.{number}.{name}.bias"] = part.bias.detach().numpy()
    for name in ("inner", "outer"):
        weights[f"head.{name}.weight"] = getattr(network, name).weight.detach().numpy()
        weights[f"head.{name}.bias"] = getattr(network, name).bias.detach().numpy()
    return weights


if __name__ == "__main__":
    main()
