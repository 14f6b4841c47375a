"""The public surface, chosen on purpose."""

from __future__ import annotations

import subprocess
import sys

import answerable


def test_every_exported_name_is_there() -> None:
    assert [name for name in answerable.__all__ if not callable(getattr(answerable, name))] == []


def test_an_unknown_name_is_refused_as_by_any_module() -> None:
    assert not hasattr(answerable, "no_such_name")


def test_importing_the_package_loads_none_of_its_parts() -> None:
    code = "import sys, answerable; print([m for m in sys.modules if m.startswith('answerable.')])"

    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert shown.stdout.strip() == "[]"
