"""The models that come with the package: found, loaded once a process, run on one thread beside the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from answerable.errors import AnswerableError
from answerable.protocols import Vectors

if TYPE_CHECKING:  # both take a noticeable part of a second to import, and many commands need neither
    from onnxruntime import InferenceSession  # type: ignore[import-untyped]
    from tokenizers import Tokenizer

P = ParamSpec("P")
T = TypeVar("T")

MODELS = Path(str(files("answerable"))) / "models"
THREADS = 2  # of one network run; more gain nothing on texts this short
PAD = 0
BATCH_TOKENS = 4_096  # a batch of this size stays in the processor's cache and lets others in between

# One run at a time: two side by side only take each other's cores. Batches of different callers take turns.
_WORKER = ThreadPoolExecutor(max_workers=1, thread_name_prefix="local-models")


class BrokenModel(AnswerableError):
    """A model file of the package is missing or damaged."""

    code = "broken_model"

    def __init__(self, path: Path, cause: str) -> None:
        super().__init__(
            f"the model file {str(path)!r} cannot be used: {cause}",
            hint="Install the package again; until then the lexical reranker works without model files.",
        )
        self.path = path


def model_file(folder: str, name: str, *, root: Path = MODELS) -> Path:
    """Raises BrokenModel."""
    path = root / folder / name
    if not path.is_file():
        raise BrokenModel(path, "it is missing")
    return path


def load(path: Path, loader: Callable[[str], T]) -> T:
    """What `loader` makes of the file; its failure, whatever its class, as BrokenModel."""
    try:
        return loader(str(path))
    except Exception as failure:  # noqa: BLE001 - each library has its own error classes, some plain Exception
        raise BrokenModel(path, str(failure).splitlines()[0][:200] if str(failure) else repr(failure)) from failure


async def beside_the_loop(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `work` on the thread of the local models."""
    return await asyncio.get_running_loop().run_in_executor(_WORKER, lambda: work(*args, **kwargs))


@cache
def tokenizer(root: Path = MODELS) -> Tokenizer:
    """The WordPiece tokenizer that all local models share. Shared, so nobody may set truncation or padding on it."""
    from tokenizers import Tokenizer

    return load(model_file("minilm", "tokenizer.json", root=root), Tokenizer.from_file)


@cache
def minilm_session(root: Path = MODELS) -> InferenceSession:
    from onnxruntime import InferenceSession, SessionOptions

    options = SessionOptions()
    options.intra_op_num_threads = THREADS
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # idle threads would burn a core

    def open_session(path: str) -> InferenceSession:
        return InferenceSession(path, options, providers=["CPUExecutionProvider"])

    return load(model_file("minilm", "model.int8.onnx", root=root), open_session)


async def minilm_vectors(texts: Sequence[str], *, max_tokens: int, root: Path = MODELS) -> Vectors:
    """A unit row a text; what stands after `max_tokens` is not looked at. A text without words is a zero row."""
    ids = await beside_the_loop(token_ids, texts, max_tokens, root)
    session = await beside_the_loop(minilm_session, root)
    vectors = np.zeros((len(texts), 384), np.float32)
    for batch in batches([len(row) for row in ids]):
        rows = await beside_the_loop(run_minilm, session, [ids[i] for i in batch])
        vectors[batch] = rows
    vectors[[len(row) <= 2 for row in ids]] = 0  # nothing but the two marks that frame each text
    return vectors


def token_ids(texts: Sequence[str], max_tokens: int, root: Path = MODELS) -> list[list[int]]:
    """Ids with the marks at both ends, cut to `max_tokens` with the last mark kept."""
    # About five characters a token: cutting first spares the tokenizer long pages. A CJK character is one token.
    found = tokenizer(root).encode_batch_fast([text[: max_tokens * 12] for text in texts])
    return [
        ids if len(ids) <= max_tokens else [*ids[: max_tokens - 1], ids[-1]]
        for ids in (encoding.ids for encoding in found)
    ]


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Positions grouped by length, so that little is padding, at most BATCH_TOKENS with it."""
    batch: list[int] = []
    for i in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if batch and lengths[batch[0]] * (len(batch) + 1) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch


def run_minilm(session: Any, rows: Sequence[Sequence[int]]) -> NDArray[np.float32]:
    ids = np.full((len(rows), max(map(len, rows))), PAD, np.int64)
    mask = np.zeros_like(ids)
    for k, row in enumerate(rows):
        ids[k, : len(row)] = row
        mask[k, : len(row)] = 1
    vectors: NDArray[np.float32] = session.run(["vectors"], {"ids": ids, "mask": mask})[0]
    return vectors
