"""The HTTP API of the engine's parts: what there is and what it takes, and each tried out alone."""

from __future__ import annotations

from fastapi import APIRouter, Request

from answerable.answering.examining import MODEL, SEARCH, Finding
from answerable.errors import AnswerableError, PartFailed, TooOften
from answerable.schemas import PartReply, PartRequest, PartsReply
from answerable.web.api import PROBLEMS, EngineDep
from answerable.web.limits import RateLimiter
from answerable.web.ports import AnswerEngine

TESTS_A_MINUTE = 6  # of one part, whoever asks: each may cost its owner something
ALL = "all parts"
router = APIRouter(prefix="/v1", responses=PROBLEMS)


@router.get("/parts")
async def parts(engine: EngineDep) -> PartsReply:
    """Search providers, models and the parts on this machine: whether each is in use, and the names (never the values)
    of the settings that it takes. With tokens this is the admin's."""
    setup = engine.setup()
    searches = [
        PartReply(part=SEARCH + one.name, used=one.ready, ready=one.possible, needs=one.needs, helps=one.helps)
        for one in setup.searches
    ]
    models: dict[str, list[str]] = {}
    for use, name in setup.models:
        models.setdefault("reranker by choice" if use == "reranker" else MODEL + name, []).append(use)
    used = [PartReply(part=name, uses=tuple(uses)) for name, uses in models.items()]
    return PartsReply(parts=(*searches, *used, *(PartReply(part=one) for one in setup.local)))


@router.post("/parts/test")
async def test(body: PartRequest, request: Request, engine: EngineDep) -> Finding:
    """Try out one part, as `GET /v1/parts` names it. Nothing but that part is asked: of a search provider one query, of
    a model a few tokens. A part that does not work is a problem with its cure. With tokens this is the admin's."""
    finding = await try_out(request, engine, body.part)
    if not finding.ok:
        raise PartFailed(f"{finding.part}: {finding.detail}", hint=finding.cure)
    return finding


async def try_out(request: Request, engine: AnswerEngine, part: str) -> Finding:
    """Raises TooOften, NotFound, Unusable, Forbidden."""
    engine.setup()  # refuses whoever may not, before anything is counted
    _count(request, part)
    (finding,) = await engine.examine(part)
    return finding


async def try_all(request: Request, engine: AnswerEngine) -> list[Finding]:
    """Raises TooOften, Forbidden."""
    engine.setup()
    _count(request, ALL)
    return await engine.examine()


def told(part: str, fault: AnswerableError) -> Finding:
    """A part that could not even be tried, as a finding."""
    return Finding(part, False, fault.message, fault.hint, needed=False)


def _count(request: Request, what: str) -> None:
    limiter: RateLimiter = request.app.state.tests
    if wait := limiter.take(what, TESTS_A_MINUTE):
        raise TooOften(
            f"{what} was tested {TESTS_A_MINUTE} times within a minute",
            hint=f"Wait {wait} s and try again.",
            retry_after=wait,
        )
