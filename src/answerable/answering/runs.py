"""The run registry: start, watch, stop, retry, recover. A run goes on whether or not anyone watches."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import uuid
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from answerable.answering.fold import fold
from answerable.answering.groupcommit import GroupCommit
from answerable.errors import AnswerableError, BadRequest, Conflict, NotFound, StorageError, Unavailable
from answerable.events import Delta, Done, Emit, Event, Failed, Final
from answerable.protocols import Clock, ConversationStore, RunLog
from answerable.schemas import QUESTION_CHARS
from answerable.text.cleaning import storable
from answerable.types import Ask, Question, State, Turn

JOIN_SECONDS = 0.05  # deltas that arrive within this are one event
STOP_SECONDS = 5.0  # a cancelled run saves what it released, which takes milliseconds
KEY_KEPT = timedelta(hours=24)  # how long the same idempotency key means the same run
KEPT_RUNS = 200  # ended runs whose events stay in memory for those who still read

INTERNAL = "internal_error"
_SEE_LOG = "The server's log has the details. What was shown could not be kept; ask anew when this is set right."
_log = logging.getLogger(__name__)

Answer = Callable[[Turn, Question, Emit, Callable[[], State]], Awaitable[Turn]]


@dataclass
class Run:
    """One attempt being worked on. Its numbers are those of the turn."""

    turn: Turn
    events: list[tuple[int, Event]] = field(default_factory=list)  # logged, so may be shown
    pending: list[Event] = field(default_factory=list)  # emitted, not yet logged
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    news: asyncio.Condition = field(default_factory=asyncio.Condition)
    task: asyncio.Task[Turn] | None = None
    writer: asyncio.Task[None] | None = None
    end: State = "stopped"  # what a cancelled run is called

    @property
    def id(self) -> str:
        return self.turn.id

    @property
    def conversation_id(self) -> str:
        return self.turn.conversation_id

    @property
    def turn_id(self) -> str:
        return self.turn.turn_id

    @property
    def attempt(self) -> int:
        return self.turn.attempt

    @property
    def ended(self) -> bool:
        return bool(self.events) and isinstance(self.events[-1][1], Done)

    def emit(self, event: Event) -> None:
        self.pending.append(event)
        self.woken.set()

    def end_unless_ended(self, task: asyncio.Task[Turn]) -> None:
        """Whoever waits for a run must not wait for ever, whatever broke it."""
        fault = None if task.cancelled() else task.exception()
        if fault is not None or task.cancelled():
            _log.error("a run ended without its end", exc_info=fault)
            self.emit(Failed(INTERNAL, "something went wrong while saving", "saving", retryable=False, hint=_SEE_LOG))
            self.emit(Done())


class RunRegistry:
    """`answer(turn, question, emit, on_cancel)` works on one attempt and saves it; see `answer_and_save`.

    `check(ask)` raises BadRequest for what cannot be served, before anything is kept.
    """

    def __init__(
        self,
        answer: Answer,
        store: ConversationStore,
        log: RunLog,
        clock: Clock,
        *,
        check: Callable[[Ask], None] = lambda ask: None,
        most_at_once: int = 64,
        holder: str = "",
        grace: float = 5.0,
    ) -> None:
        self._answer, self._store, self._log, self._clock = answer, store, log, clock
        self._check, self._most, self._holder, self._grace = check, most_at_once, holder, grace
        self._appending = GroupCommit(log)
        self._runs: dict[str, Run] = {}
        self._keyed = asyncio.Lock()
        self._closing = False

    @property
    def under_way(self) -> int:
        return sum(1 for run in self._runs.values() if not run.ended)

    async def start(self, ask: Ask) -> Run:
        """Raises BadRequest for a question that cannot be asked, NotFound, Unavailable when too much is under way,
        Conflict when its key was used for another question."""
        if not ask.idempotency_key:
            return await self._start(ask, _new_id("run"))
        async with self._keyed:  # two that come at once are told apart by nothing but their order
            key = f"{ask.owner}\n{ask.idempotency_key}" if ask.owner else ask.idempotency_key  # owners may use one key
            run_id, known = await self._named_by(key)
            if known is None:
                return await self._start(ask, run_id)
        if known.question != _checked(ask.question) or ask.conversation_id not in {None, known.conversation_id}:
            raise Conflict(
                "this Idempotency-Key was used for another question", hint="Send each question with a key of its own."
            )
        return self._runs.get(run_id) or Run(known)

    async def _named_by(self, key: str) -> tuple[str, Turn | None]:
        """The run that a key names. Its id is made of the key, so that it is found again after a restart."""
        run_id = _id_of(key)
        while (known := await self._known(run_id)) and self._clock() - known.created > KEY_KEPT:
            run_id = _id_of(run_id)
        return run_id, known

    async def _known(self, run_id: str) -> Turn | None:
        try:
            return await self.turn(run_id)
        except NotFound:
            return None

    async def _start(self, ask: Ask, run_id: str) -> Run:
        text = _checked(ask.question)
        if ask.conversation_id:
            await self._store.conversation(ask.conversation_id, owner=ask.owner or None)
        turn = Turn(
            id=run_id,
            conversation_id=ask.conversation_id or _new_id("con"),
            turn_id=_new_id("turn"),
            attempt=1,
            question=text,
            created=self._clock(),
        )
        return await self._begin(turn, ask)

    async def retry(self, run_id: str, ask: Ask | None = None) -> Run:
        """A new attempt of the same turn; the old one stays. `ask` may change focus, model, writer. Raises Conflict
        while the run is under way."""
        old = await self.turn(run_id)
        if old.state == "running":
            raise Conflict("this answer is still being written", hint="Stop it first, or wait until it ends.")
        if old.error is not None and old.error.stage == "saving":
            raise Conflict("this answer failed while it was saved", hint="See to the database, then ask anew.")
        latest = await self._store.conversation(old.conversation_id)
        ask = ask or await self._store.choices(run_id)
        attempts = [turn.attempt for turn in latest.turns if turn.turn_id == old.turn_id]
        # From here to `_begin` nothing is awaited, so that of two that come at once the second sees the first.
        others = [run for run in self._runs.values() if run.turn_id == old.turn_id]
        if any(not run.ended for run in others):
            raise Conflict("this answer is being written again", hint="Watch that attempt, or stop it first.")
        attempts += [run.attempt for run in others]
        turn = Turn(
            id=_new_id("run"),
            conversation_id=old.conversation_id,
            turn_id=old.turn_id,
            attempt=max([old.attempt, *attempts]) + 1,
            question=old.question,
            created=self._clock(),
        )
        return await self._begin(turn, ask)

    async def _begin(self, turn: Turn, ask: Ask) -> Run:
        self._check(ask)
        if self._closing or self.under_way >= self._most:
            raise Unavailable("too many answers are being written", hint="Try again in a few seconds.")
        run = self._runs[turn.id] = Run(turn)
        try:
            before = turn.turn_id if turn.attempt > 1 else None
            history = ask.history or await self._store.history(turn.conversation_id, before=before)
            await self._store.begin(turn, ask, holder=self._holder)
        except BaseException:
            del self._runs[turn.id]
            raise
        question = Question(
            text=turn.question,
            now=self._clock(),
            history=history,
            focus=ask.focus,
            freshness=ask.freshness,
            model=ask.model,
            writer=ask.writer,
            domains=ask.domains,
            owner=ask.owner,
        )

        run.writer = asyncio.create_task(self._write_log(run))
        run.task = asyncio.create_task(self._answer(turn, question, run.emit, lambda: run.end))  # type: ignore[arg-type]
        run.task.add_done_callback(run.end_unless_ended)
        self._forget_old()
        return run

    async def _write_log(self, run: Run) -> None:
        """Log first, show second."""
        loop = asyncio.get_running_loop()
        logged_at = 0.0
        while not run.ended:
            await run.woken.wait()
            wait = logged_at + JOIN_SECONDS - loop.time()
            if wait > 0 and all(isinstance(event, Delta) for event in run.pending):
                await asyncio.sleep(wait)
            batch, run.pending = join_deltas(run.pending), []
            run.woken.clear()
            try:
                last = await self._appending.append(run.id, batch)
            except Exception as fault:  # noqa: BLE001  # the top of the log: whatever it is, the watchers hear of it
                await self._fail(run, fault)
                return
            logged_at = loop.time()
            async with run.news:
                run.events += enumerate(batch, start=last - len(batch) + 1)
                run.news.notify_all()

    async def _fail(self, run: Run, fault: Exception) -> None:
        """The log cannot be written: nothing more may be shown but this."""
        if run.task:
            run.end = "failed"
            run.task.cancel()
        if isinstance(fault, AnswerableError):
            failed = Failed(fault.code, fault.message, "saving", retryable=False, hint=fault.hint)
        else:
            _log.error("the events of a run could not be logged", exc_info=fault)
            failed = Failed(INTERNAL, "something went wrong while saving", "saving", retryable=False, hint=_SEE_LOG)
        async with run.news:
            last = run.events[-1][0] if run.events else 0
            run.events += [(last + 1, failed), (last + 2, Done())]
            run.news.notify_all()

    async def events(self, run_id: str, *, after: int = 0, timeout: float = 15.0) -> list[tuple[int, Event]]:
        """Later events, waiting up to `timeout` seconds for some; none on time-out.

        The last of a run is Done, which is repeated to whoever asks for what comes after it.
        """
        run = self._runs.get(run_id)
        if run is None:
            return await self._old_events(run_id, after)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout), run.news:
                await run.news.wait_for(lambda: run.ended or bool(run.events and run.events[-1][0] > after))
        return _later(run.events, after)

    async def _old_events(self, run_id: str, after: int) -> list[tuple[int, Event]]:
        turn = await self._store.turn(run_id)
        kept = await self._log.read(run_id, after=0)
        if not kept:
            kept = [(1, Final(turn)), (2, Done())]
        elif not isinstance(kept[-1][1], Done):  # the process died under it
            last = kept[-1][0]
            kept += [(last + 1, Final(turn)), (last + 2, Done())]
        return _later(kept, after)

    async def turn(self, run_id: str) -> Turn:
        """The finished turn, or what its events so far amount to. Raises NotFound."""
        run = self._runs.get(run_id)
        if run is None:
            return await self._store.turn(run_id)
        if run.ended:
            with contextlib.suppress(StorageError):
                stored = await self._store.turn(run_id)
                if stored.state != "running":
                    return stored
        return fold(run.turn, [event for _, event in run.events])  # under way, or its end could not be saved

    async def stop(self, run_id: str) -> Turn:
        """Cancels the run, keeps the part that was released. A run that has ended is left as it is."""
        run = self._runs.get(run_id)
        if run is not None and run.task and not run.task.done():
            run.task.cancel()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(STOP_SECONDS), run.news:
                    await run.news.wait_for(lambda: run.ended)
        return await self.turn(run_id)

    async def drop(self, conversation_ids: Collection[str]) -> None:
        """Ends the runs of conversations that were deleted; nothing of them is written back."""
        dropped = [run for run in self._runs.values() if run.conversation_id in conversation_ids]
        for run in dropped:
            if run.task and not run.task.done():
                run.task.cancel()
        for run in dropped:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(STOP_SECONDS), run.news:
                    await run.news.wait_for(lambda run=run: run.ended)  # type: ignore[misc]
            self._runs.pop(run.id, None)

    async def recover(self, lives: Callable[[str], bool] = lambda holder: False) -> int:
        """Attempts that a process left running when it died become interrupted, with the text that was released; one of
        ours whose end could not be saved is saved now. `lives(holder)` tells whether a process still works on its runs.
        Returns how many attempts were set right."""
        changed = 0
        for run_id, holder in (await self._store.running()).items():
            run = self._runs.get(run_id)
            ours = holder == self._holder
            with contextlib.suppress(NotFound):  # deleted at this moment
                if run is None and (ours or not lives(holder)):
                    turn = await self._store.turn(run_id)
                    events = [event for _, event in await self._log.read(run_id)]
                    changed += await self._store.save(fold(turn, events, state="interrupted"), if_running=True)
                elif run is not None and run.ended:
                    turn = fold(run.turn, [event for _, event in run.events])
                    changed += await self._store.save(turn, if_running=True)
        return changed

    async def close(self, *, grace: float | None = None) -> None:
        """Lets runs finish for `grace` seconds, then marks them interrupted."""
        self._closing = True
        tasks = [run.task for run in self._runs.values() if run.task and not run.task.done()]
        if tasks:
            await asyncio.wait(tasks, timeout=self._grace if grace is None else grace)
        for run in self._runs.values():
            if run.task and not run.task.done():
                run.end = "interrupted"
                run.task.cancel()
        everything = [task for run in self._runs.values() for task in (run.task, run.writer) if task]
        if everything:
            _, late = await asyncio.wait(everything, timeout=5.0)
            for task in late:
                task.cancel()

    def _forget_old(self) -> None:
        ended = [run_id for run_id, run in self._runs.items() if run.ended]
        for run_id in ended[: max(0, len(ended) - KEPT_RUNS)]:
            del self._runs[run_id]


def _later(events: Sequence[tuple[int, Event]], after: int) -> list[tuple[int, Event]]:
    return [(n, event) for n, event in events if n > after or (isinstance(event, Done) and n == events[-1][0])]


def join_deltas(events: Sequence[Event]) -> list[Event]:
    """Neighbouring deltas as one; nothing else changes."""
    joined: list[Event] = []
    for event in events:
        if isinstance(event, Delta) and joined and isinstance(last := joined[-1], Delta):
            joined[-1] = Delta(last.text + event.text)
        else:
            joined.append(event)
    return joined


def _checked(question: str) -> str:
    text = storable(question).strip()
    if not text:
        raise BadRequest("the question is empty", hint="Write a question.")
    if len(text) > QUESTION_CHARS:
        raise BadRequest(
            f"the question has {len(text):,} characters; {QUESTION_CHARS:,} can be read",
            hint="Shorten it, or ask about a part of it.",
        )
    return text


def _new_id(kind: str) -> str:
    return f"{kind}_{uuid.uuid4().hex[:20]}"


def _id_of(key: str) -> str:
    return f"run_{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:20]}"
