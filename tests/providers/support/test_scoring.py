from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from answerable.providers.local_models import MODELS
from answerable.providers.support.scoring import weights_of

LEAF = {"figure": [[0]], "bound": [[0.0]], "less": [[0]], "more": [[0]], "value": [[0.0]]}
STEP = {  # above 2 the first figure counts 3, else -1
    "figure": [[0, 0, 0]],
    "bound": [[2.0, 0.0, 0.0]],
    "less": [[1, 1, 2]],
    "more": [[2, 1, 2]],
    "value": [[0.0, -1.0, 3.0]],
}
HELD: dict[str, Any] = {
    "names": ["good", "claim_sentences"],
    "mean": [1.0, 1.0],
    "spread": [1.0, 1.0],
    "short_line": [0.0, 1.0, 0.0],
    "long_line": [-1.0, 0.0, 0.0],
    "short_trees": STEP,
    "long_trees": LEAF,
}


def saved(folder: Path, held: dict[str, Any]) -> str:
    path = folder / "weights.json"
    path.write_text(json.dumps(held), "utf-8")
    return str(path)


def odds(chance: float) -> float:
    return math.log(chance / (1 - chance))


def test_the_chance_is_the_mean_of_the_line_and_the_trees_in_log_odds(tmp_path: Path) -> None:
    held = weights_of(saved(tmp_path, HELD))

    assert odds(held.chance({"good": 3.0, "claim_sentences": 1.0})) == pytest.approx((2.0 + 3.0) / 2)
    assert odds(held.chance({"good": 2.0, "claim_sentences": 1.0})) == pytest.approx((1.0 - 1.0) / 2)


def test_a_longer_claim_has_a_line_and_trees_of_its_own(tmp_path: Path) -> None:
    held = weights_of(saved(tmp_path, HELD))

    assert odds(held.chance({"good": 3.0, "claim_sentences": 2.0})) == pytest.approx(-0.5)


def test_a_figure_far_from_all_that_was_learned_from_does_not_decide_alone(tmp_path: Path) -> None:
    held = weights_of(saved(tmp_path, HELD))

    assert odds(held.chance({"good": 1e9, "claim_sentences": 1.0})) == pytest.approx((4.0 + 3.0) / 2)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"names": ["good"]}, "figures"),
        ({"short_trees": STEP | {"bound": [[2.0, 0.0]]}}, "sizes"),
        ({"short_trees": STEP | {"figure": [[7, 0, 0]]}}, "do not fit"),
        ({"short_trees": STEP | {"less": [[9, 1, 2]]}}, "do not fit"),
        ({"short_trees": STEP | {"less": [[1, 0, 2]]}}, "do not fit"),  # it would go round for ever
        ({"long_trees": {name: [] for name in STEP}}, "sizes"),
    ],
)
def test_weights_that_do_not_fit_together_are_refused(tmp_path: Path, change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        weights_of(saved(tmp_path, HELD | change))


def test_the_weights_of_the_package_ask_for_figures_that_are_counted() -> None:
    held = weights_of(str(MODELS / "support" / "weights.json"))

    assert len(set(held.names)) == len(held.names)
    assert 0 < held.chance(dict.fromkeys(held.names, 0.0)) < 1
