"""The models that come with the package: found, loaded once a process, run on threads beside the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from answerable.errors import AnswerableError
from answerable.protocols import Vectors

if TYPE_CHECKING:  # both take a noticeable part of a second to import, and many commands need neither
    from onnxruntime import InferenceSession  # type: ignore[import-untyped]
    from tokenizers import Tokenizer

P = ParamSpec("P")
T = TypeVar("T")

WIDTH = 384
MODELS = Path(str(files("answerable"))) / "models"
THREADS = 2  # texts run through the network side by side; each run takes one core
REMEMBERED = 4_096  # vectors, some 12 MB: rounds of a turn and follow-ups meet the same passages again

_WORKERS = ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="local-models")


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
    """Run `work` on a thread of the local models."""
    return await asyncio.get_running_loop().run_in_executor(_WORKERS, lambda: work(*args, **kwargs))


@cache
def tokenizer(root: Path = MODELS) -> Tokenizer:
    """The WordPiece tokenizer that all local models share. Shared, so nobody may set truncation or padding on it."""
    from tokenizers import Tokenizer

    return load(model_file("minilm", "tokenizer.json", root=root), Tokenizer.from_file)


@cache
def minilm_session(root: Path = MODELS) -> InferenceSession:
    return _session(model_file("minilm", "model.int8.onnx", root=root))


@cache
def cross_encoder_session(root: Path = MODELS) -> InferenceSession:
    return _session(model_file("cross_encoder", "model.int8.onnx", root=root))


def _session(path: Path) -> InferenceSession:
    from onnxruntime import InferenceSession, SessionOptions

    options = SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3

    def open_session(path: str) -> InferenceSession:
        return InferenceSession(path, options, providers=["CPUExecutionProvider"])

    return load(path, open_session)


async def minilm_vectors(texts: Sequence[str], *, max_tokens: int, root: Path = MODELS) -> Vectors:
    """A unit row a text; what stands after `max_tokens` is not looked at. A text without words is a zero row.

    Texts run one by one: in batches the padding costs more than it saves (30 passages of 165 tokens: .68 s of one core
    against .80 to 1.04), and the scale of the int8 activations would make a vector depend on its company.
    """
    await beside_the_loop(minilm_session, root)
    ids = await beside_the_loop(token_ids, texts, max_tokens, root)
    vectors = np.zeros((len(texts), WIDTH), np.float32)
    waiting = iter(range(len(texts)))

    async def work() -> None:  # one text at a time, so that another caller's texts get their turn
        for i in waiting:
            vectors[i] = await beside_the_loop(minilm_vector, tuple(ids[i]), root)

    async with asyncio.TaskGroup() as group:
        for _ in range(THREADS):
            group.create_task(work())
    return vectors


@lru_cache(maxsize=REMEMBERED)
def minilm_vector(ids: tuple[int, ...], root: Path = MODELS) -> NDArray[np.float32]:
    if len(ids) <= 2:  # nothing but the two marks that frame each text
        return np.zeros(WIDTH, np.float32)
    row = np.array([ids], np.int64)
    vectors: NDArray[np.float32] = minilm_session(root).run(["vectors"], {"ids": row, "mask": np.ones_like(row)})[0]
    vector: NDArray[np.float32] = vectors[0]
    vector.setflags(write=False)
    return vector


def token_ids(texts: Sequence[str], max_tokens: int, root: Path = MODELS) -> list[list[int]]:
    """Ids with the marks at both ends, cut to `max_tokens` with the last mark kept."""
    # About five characters a token: cutting first spares the tokenizer long pages. A CJK character is one token.
    found = tokenizer(root).encode_batch_fast([text[: max_tokens * 12] for text in texts])
    return [
        ids if len(ids) <= max_tokens else [*ids[: max_tokens - 1], ids[-1]]
        for ids in (encoding.ids for encoding in found)
    ]
