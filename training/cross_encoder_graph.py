"""The graph of the cross-encoder, written out by hand like that of make_minilm.py, whose layers it shares."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper
from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer

from make_minilm import LAYERS, Graph, dense, encoder_layer, norm

BLOCK = 128


def export(weights: dict[str, np.ndarray], out: Path, max_tokens: int) -> int:
    """Writes it with int8 matrices, each `BLOCK` numbers of a column with a scale of their own; what they are
    multiplied with is brought to int8 in such blocks, too. With one scale for all tokens of a text, as in
    make_minilm.py, a few large numbers cost four in a hundred first places. Returns its bytes."""
    made = MatMulNBitsQuantizer(
        build(weights, max_tokens), bits=8, block_size=BLOCK, is_symmetric=True, accuracy_level=4
    )
    made.process()
    onnx.save(made.model.model, out)
    return out.stat().st_size


def build(weights: dict[str, np.ndarray], max_tokens: int) -> onnx.ModelProto:
    """One pair a row, without padding: `ids` and `segments` (0 of the question, 1 of the text) to `logits`."""
    graph = Graph()
    hidden = embeddings(graph, weights, max_tokens)
    graph.call("Sign", "mask", graph.call("Add", "ids.one", "ids", graph.constant("one", np.array([1], np.int64))))
    for layer in range(LAYERS):
        hidden = encoder_layer(graph, weights, hidden, layer)
    head(graph, weights, hidden)
    shape = ["batch", "tokens"]
    return helper.make_model(
        helper.make_graph(
            graph.nodes,
            "answerable-cross-encoder",
            [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in ("ids", "segments")],
            [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch"])],
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)],
        ir_version=9,
    )


def embeddings(graph: Graph, weights: dict[str, np.ndarray], max_tokens: int) -> str:
    table = weights["embeddings.word_embeddings.weight"]
    scales = np.abs(table).max(axis=1, keepdims=True) / 127
    graph.constant("words.q", np.round(table / scales).astype(np.int8))
    graph.constant("words.scales", scales.astype(np.float32))
    rows = graph.call("Cast", "words.f", graph.call("Gather", "words.rows", "words.q", "ids"), to=TensorProto.FLOAT)
    words = graph.call("Mul", "words", rows, graph.call("Gather", "words.row_scales", "words.scales", "ids"))
    graph.constant("places.table", weights["embeddings.position_embeddings.weight"][:max_tokens].astype(np.float32))
    graph.constant("zero", np.array([0], np.int64))
    tokens = graph.call("Shape", "token_count", "ids", start=1, end=2)
    placed = graph.call("Add", "placed", words, graph.call("Slice", "places", "places.table", "zero", tokens))
    graph.constant("segments.table", weights["embeddings.token_type_embeddings.weight"].astype(np.float32))
    sided = graph.call("Gather", "sides", "segments.table", "segments")
    return norm(graph, weights, "embeddings.LayerNorm", graph.call("Add", "embedded", placed, sided))


def head(graph: Graph, weights: dict[str, np.ndarray], hidden: str) -> None:
    """The mean of each side's tokens, how they differ and agree, and one hidden layer over it."""
    graph.constant("last", np.array([2], np.int64))
    graph.constant("middle", np.array([1], np.int64))
    graph.constant("one.f", np.array(1, np.float32))
    told = graph.call("Unsqueeze", "told", graph.call("Cast", "told.f", "segments", to=TensorProto.FLOAT), "last")
    asked = graph.call("Sub", "asked", "one.f", told)
    one, other = (mean(graph, hidden, side) for side in (asked, told))
    apart = graph.call("Abs", "apart", graph.call("Sub", "difference", one, other))
    both = graph.call("Concat", "both", one, other, apart, graph.call("Mul", "product", one, other), axis=1)
    inner = graph.call("Tanh", "inner", dense(graph, weights, "head.inner", both))
    graph.call("Squeeze", "logits", dense(graph, weights, "head.outer", inner), "middle")


def mean(graph: Graph, hidden: str, side: str) -> str:
    kept = graph.call("Mul", f"{side}.kept", hidden, side)
    total = graph.call("ReduceSum", f"{side}.sum", kept, "middle", keepdims=0)
    count = graph.call("ReduceSum", f"{side}.count", side, "middle", keepdims=0)
    return graph.call("Div", f"{side}.mean", total, count)
