"""The agreement of a judge model with labels, over the real wire and counted by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from answerable.errors import BadRequest
from answerable.evals.judge import measure_judge
from answerable.evals.scripted import Reply, ScriptedLLM, fails, says
from answerable.evals.support import Row
from answerable.providers.llm.names import make_llm

ROWS = [Row(f"Claim number {k}.", (f"Text {k}.",), k % 2 == 0, "even" if k % 2 == 0 else "odd") for k in range(12)]


def of_every_claim(verdict: str) -> Any:
    def answer(body: Mapping[str, Any]) -> Reply:
        numbers = re.findall(r"<<<CLAIM (\d+) ", body["messages"][-1]["content"])
        return says(json.dumps({"verdicts": [{"claim": int(n), "verdict": verdict} for n in numbers]}))

    return answer


async def figures(answer: Any, rows: list[Row] = ROWS, **options: int) -> tuple[dict[str, Any], int]:
    async with ScriptedLLM(answer=answer) as server:
        llm = make_llm("openai-compatible:owl", base_url=server.url)
        try:
            return await measure_judge(rows, llm, **options), len(server.requests)
        finally:
            await llm.aclose()


async def test_ten_rows_are_one_call_and_partly_counts_as_not_supported() -> None:
    found, calls = await figures(of_every_claim("partly"))

    assert (found["judge"], found["n"], found["no_opinion"], calls) == ("openai-compatible:owl", 12, 0, 2)
    assert (found["false_alarm"], found["false_accept"], found["balanced_accuracy"]) == (1.0, 0.0, 0.5)
    assert found["balanced_accuracy_95"] == [0.5, 0.5]
    assert set(found["by_set"]) == {"even", "odd"}


async def test_rows_without_an_opinion_are_counted_apart() -> None:
    found, _ = await figures(lambda body: says('{"verdicts": [{"claim": 1, "verdict": "supported"}]}'), batch=6)

    assert (found["n"], found["no_opinion"]) == (2, 10)


async def test_a_judge_without_any_opinion_is_no_measurement() -> None:
    with pytest.raises(BadRequest, match="no opinion"):
        await figures(lambda body: fails(401, "no such key"), ROWS[:2])
