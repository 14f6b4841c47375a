"""The house rules of the package: layers, one home for each concern, sizes."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "answerable"
LAYERS = [  # lowest first: import from below, never from above; from layer 2 up, never from beside
    {"types", "events", "errors", "protocols"},
    {"text", "schemas", "telemetry"},
    {"answering", "providers", "index", "storage", "collection", "models"},
    {"config"},
    {"wiring"},
    {"web", "mcp", "client", "worker", "evals"},
    {"cli"},
    {"__main__"},
]
ONLY_IN = {
    "print": {"cli"},
    "environ": {"config"},
    "getenv": {"config"},
    "httpx2": {"providers", "client"},
    "httpcore2": {"providers"},
    "protego": {"providers"},
    "sqlalchemy": {"storage", "index"},
    "alembic": {"storage"},
    "asyncpg": {"storage"},
    "fastapi": {"web"},
    "starlette": {"web"},
    "pydantic_ai": {"providers"},
    "lxml": {"providers", "evals"},
    "feedparser": {"providers"},
    "tantivy": {"index"},
}
RANK = {part: rank for rank, parts in enumerate(LAYERS) for part in parts}
FILES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_file_keeps_its_place(path: Path) -> None:
    faults = faults_of(path.read_text("utf-8"), path.relative_to(PACKAGE).parts[0].removesuffix(".py"))

    assert faults == []


def test_what_people_edit_is_split_by_what_changes_together() -> None:
    edited = [
        *Path(__file__).parent.rglob("*.py"),
        *(path for path in (PACKAGE / "web").rglob("*") if path.suffix in {".css", ".js", ".html"}),
    ]

    assert {str(path): lines for path in edited if (lines := path.read_text("utf-8").count("\n")) > 500} == {}


@pytest.mark.parametrize(
    ("here", "source", "fault"),
    [
        ("text", "from answerable.answering import pipeline", "a lower layer must not know a higher one"),
        ("storage", "import answerable.index.crawl", "peers meet in wiring"),
        ("answering", "import httpx2", "httpx2 belongs in"),
        ("web", "import os\nos.environ['X']", "environ belongs in"),
        ("web", "print('x')", "print belongs in"),
        ("text", "def f():\n" + "    x = 1\n" * 60, "name the steps of f"),
        ("text", "x = 1\n" * 501, "split this file"),
    ],
)
def test_a_planted_violation_is_seen(here: str, source: str, fault: str) -> None:
    assert any(fault in found for found in faults_of(source, here))


def faults_of(source: str, here: str) -> list[str]:
    nodes = list(ast.walk(ast.parse(source)))
    imports = {n.module or "" for n in nodes if isinstance(n, ast.ImportFrom)}
    imports |= {
        f"answerable.{alias.name}"
        for n in nodes
        if isinstance(n, ast.ImportFrom) and n.module == "answerable"
        for alias in n.names
        if alias.name in RANK
    }
    imports |= {alias.name for n in nodes if isinstance(n, ast.Import) for alias in n.names}
    parts = {name.split(".")[1] for name in imports if name.startswith("answerable.")} - {here}
    words = {n.id for n in nodes if isinstance(n, ast.Name)} | {name.split(".")[0] for name in imports}
    words |= {n.attr for n in nodes if isinstance(n, ast.Attribute)}
    functions = [n for n in nodes if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]

    faults = [f"a lower layer must not know a higher one: {p}" for p in parts if RANK[p] > RANK[here]]
    faults += [f"peers meet in wiring, not in each other: {p}" for p in parts if RANK[p] == RANK[here] >= 2]
    faults += [f"{w} belongs in {homes}" for w, homes in ONLY_IN.items() if w in words and here not in homes]
    faults += ["split this file by what changes together"] if source.count("\n") > 500 else []
    faults += [f"name the steps of {f.name}" for f in functions if (f.end_lineno or 0) - f.lineno >= 60]
    return faults
