"""Turn the published all-MiniLM-L6-v2 weights into the int8 ONNX file and the tokenizer that the package ships.

    python training/make_minilm.py --weights PATH/TO/model --out src/answerable/models/minilm

The graph is written out by hand, so neither PyTorch nor transformers is needed. Every weight matrix is stored as int8
with one scale a column, the token table as int8 with one scale a row; activations are quantised as they come.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import load_file
from tokenizers import Tokenizer

LAYERS, HEADS, WIDTH, EPSILON = 6, 12, 384, 1e-12
MAX_TOKENS = 256  # what the model was published with


class Graph:
    """Collects nodes and constants; each call returns the name of its output."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, name: str, value: np.ndarray) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def call(self, op: str, name: str, *inputs: str, outputs: int = 1, domain: str = "", **attributes: object) -> str:
        names = [name] if outputs == 1 else [f"{name}.{k}" for k in range(outputs)]
        self.nodes.append(helper.make_node(op, list(inputs), names, name=name, domain=domain, **attributes))
        return name


def build(weights: dict[str, np.ndarray], *, small_table: bool) -> onnx.ModelProto:
    graph = Graph()
    hidden = embeddings(graph, weights, small_table=small_table)
    for layer in range(LAYERS):
        hidden = encoder_layer(graph, weights, hidden, layer)
    pool(graph, hidden)
    return helper.make_model(
        helper.make_graph(
            graph.nodes,
            "all-MiniLM-L6-v2",
            [
                helper.make_tensor_value_info("ids", TensorProto.INT64, ["batch", "tokens"]),
                helper.make_tensor_value_info("mask", TensorProto.INT64, ["batch", "tokens"]),
            ],
            [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["batch", WIDTH])],
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)],
        ir_version=9,
    )


def embeddings(graph: Graph, weights: dict[str, np.ndarray], *, small_table: bool) -> str:
    table = weights["embeddings.word_embeddings.weight"]
    if small_table:
        scales = np.abs(table).max(axis=1, keepdims=True) / 127
        graph.constant("words.q", np.round(table / scales).astype(np.int8))
        graph.constant("words.scales", scales.astype(np.float32))
        rows = graph.call("Cast", "words.f", graph.call("Gather", "words.rows", "words.q", "ids"), to=TensorProto.FLOAT)
        words = graph.call("Mul", "words", rows, graph.call("Gather", "words.row_scales", "words.scales", "ids"))
    else:
        words = graph.call("Gather", "words", graph.constant("words.table", table), "ids")

    # One segment only, so its embedding is folded into the position table.
    places = weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
    graph.constant("places.table", places[:MAX_TOKENS].astype(np.float32))
    tokens = graph.call("Shape", "token_count", "ids", start=1, end=2)
    graph.constant("zero", np.array([0], np.int64))
    places_used = graph.call("Slice", "places", "places.table", "zero", tokens)
    return norm(graph, weights, "embeddings.LayerNorm", graph.call("Add", "embedded", words, places_used))


def encoder_layer(graph: Graph, weights: dict[str, np.ndarray], hidden: str, layer: int) -> str:
    prefix = f"encoder.layer.{layer}"
    attention = [f"{prefix}.attention.self.{part}" for part in ("query", "key", "value")]
    joined = graph.constant(f"{prefix}.qkv.w", np.concatenate([weights[f"{p}.weight"].T for p in attention], axis=1))
    bias = graph.constant(f"{prefix}.qkv.b", np.concatenate([weights[f"{p}.bias"] for p in attention]))
    qkv = graph.call("MatMul", f"{prefix}.qkv", hidden, joined)
    split = graph.call("Split", f"{prefix}.split", qkv, outputs=3, axis=2, num_outputs=3)
    mixed = graph.call(
        "MultiHeadAttention",
        f"{prefix}.attention",
        *(f"{split}.{k}" for k in range(3)),
        bias,
        padding_mask(graph),
        domain="com.microsoft",
        num_heads=HEADS,
    )
    out = dense(graph, weights, f"{prefix}.attention.output.dense", mixed)
    added = graph.call("Add", f"{prefix}.attention.added", out, hidden)
    hidden = norm(graph, weights, f"{prefix}.attention.output.LayerNorm", added)

    wide = graph.call("Gelu", f"{prefix}.gelu", dense(graph, weights, f"{prefix}.intermediate.dense", hidden))
    added = graph.call("Add", f"{prefix}.added", dense(graph, weights, f"{prefix}.output.dense", wide), hidden)
    return norm(graph, weights, f"{prefix}.output.LayerNorm", added)


def padding_mask(graph: Graph) -> str:
    if not any(node.name == "mask.int32" for node in graph.nodes):
        graph.call("Cast", "mask.int32", "mask", to=TensorProto.INT32)
    return "mask.int32"


def dense(graph: Graph, weights: dict[str, np.ndarray], prefix: str, value: str) -> str:
    matrix = graph.constant(f"{prefix}.w", weights[f"{prefix}.weight"].T)
    product = graph.call("MatMul", f"{prefix}.product", value, matrix)
    return graph.call("Add", prefix, product, graph.constant(f"{prefix}.b", weights[f"{prefix}.bias"]))


def norm(graph: Graph, weights: dict[str, np.ndarray], prefix: str, value: str) -> str:
    scale = graph.constant(f"{prefix}.scale", weights[f"{prefix}.weight"])
    bias = graph.constant(f"{prefix}.bias", weights[f"{prefix}.bias"])
    return graph.call("LayerNormalization", prefix, value, scale, bias, axis=-1, epsilon=EPSILON)


def pool(graph: Graph, hidden: str) -> None:
    """Mean over the tokens that are text, brought to unit length."""
    graph.constant("last", np.array([2], np.int64))
    graph.constant("middle", np.array([1], np.int64))
    mask = graph.call("Unsqueeze", "mask.column", graph.call("Cast", "mask.f", "mask", to=TensorProto.FLOAT), "last")
    total = graph.call("ReduceSum", "pool.sum", graph.call("Mul", "pool.kept", hidden, mask), "middle", keepdims=0)
    count = graph.call("ReduceSum", "pool.count", mask, "middle", keepdims=0)
    graph.call("LpNormalization", "vectors", graph.call("Div", "pool.mean", total, count), axis=1, p=2)


def save_tokenizer(source: Path, target: Path) -> Tokenizer:
    """The published tokenizer without its fixed padding: the embedder pads each batch itself."""
    tokenizer = Tokenizer.from_file(str(source))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    target.write_text(json.dumps(json.loads(tokenizer.to_str()), ensure_ascii=False, separators=(",", ":")), "utf-8")
    return tokenizer


def vectors(model: Path, tokenizer: Tokenizer, texts: list[str]) -> np.ndarray:
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    rows = []
    for text in texts:
        ids = np.array([tokenizer.encode(text).ids[:MAX_TOKENS]], np.int64)
        rows.append(session.run(["vectors"], {"ids": ids, "mask": np.ones_like(ids)})[0][0])
    return np.array(rows)


def report(full: Path, small: Path, tokenizer: Tokenizer, texts: list[str]) -> None:
    exact, quantised = vectors(full, tokenizer, texts), vectors(small, tokenizer, texts)
    cosines = (exact * quantised).sum(axis=1)
    above = np.triu_indices(len(texts), 1)
    drift = np.abs((exact @ exact.T)[above] - (quantised @ quantised.T)[above])
    print(f"cosine int8 to fp32 on {len(texts)} texts: mean {cosines.mean():.4f}, min {cosines.min():.4f}")
    print(f"similarity of two texts moves by {drift.mean():.4f} on average, {drift.max():.4f} at most")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--weights", type=Path, required=True, help="folder with model.safetensors and tokenizer.json")
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--texts", type=Path, help="a text file, one text a line, to compare int8 with fp32 on")
    given = options.parse_args()

    began = time.perf_counter()
    weights = load_file(str(given.weights / "model.safetensors"))
    given.out.mkdir(parents=True, exist_ok=True)
    tokenizer = save_tokenizer(given.weights / "tokenizer.json", given.out / "tokenizer.json")
    small = given.out / "model.int8.onnx"
    with tempfile.TemporaryDirectory() as folder:
        full, half = Path(folder) / "full.onnx", Path(folder) / "half.onnx"
        onnx.save(build(weights, small_table=False), full)
        onnx.save(build(weights, small_table=True), half)
        # 7 bits a weight: processors without VNNI add int8 products in 16 bits and would overflow with 8.
        quantize_dynamic(
            half,
            small,
            op_types_to_quantize=["MatMul"],
            per_channel=True,
            reduce_range=True,
            weight_type=QuantType.QInt8,
            extra_options={"DefaultTensorType": TensorProto.FLOAT},
        )
        print(f"{small}: {small.stat().st_size / 1e6:.1f} MB, {time.perf_counter() - began:.0f} s")
        if given.texts:
            report(full, small, tokenizer, given.texts.read_text("utf-8").splitlines())


if __name__ == "__main__":
    main()
