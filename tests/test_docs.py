"""The documentation, held to the code: whatever it names exists, and what exists is named."""

from __future__ import annotations

import ast
import doctest
import importlib.util
import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx2
import pytest
import typer
from packaging.requirements import Requirement
from tests.fakes.engine import FakeEngine
from tests.fakes.serving import serving
from tests.test_architecture import LAYERS

from answerable import cli, config, errors, protocols
from answerable.evals.scoring import summarise
from answerable.events import EVENTS, Delta, Final, Start
from answerable.schemas import load_event
from answerable.text.miniweb import WebQuestion, load_web
from answerable.web.app import create_app

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PACKAGE = ROOT / "src" / "answerable"
FOREIGN = (".", "tests/data", "src/answerable/collection/web", "build")
PAGES = sorted(path for path in ROOT.rglob("*.md") if not path.relative_to(ROOT).as_posix().startswith(FOREIGN))
WRITTEN = [path for path in PAGES if path.parent in (ROOT, DOCS)]  # for people, by us
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def read(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def without_blocks(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# What is made from the code


@pytest.mark.parametrize("name", ["settings.md", "cli.md", "events.md"])
def test_a_generated_page_is_what_the_code_says_today(generate: ModuleType, name: str) -> None:
    assert read(name) == generate.PAGES[name]()


def test_a_stale_page_fails_the_check_and_is_left_alone(generate: ModuleType, tmp_path: Path) -> None:
    assert generate.main([], tmp_path) == 0
    assert generate.main(["--check"], tmp_path) == 0

    (tmp_path / "cli.md").write_text("old", "utf-8")

    assert generate.main(["--check"], tmp_path) == 1
    assert (tmp_path / "cli.md").read_text("utf-8") == "old"


def test_every_setting_and_its_variable_is_documented() -> None:
    page = read("settings.md")

    assert [n for n in config.ROWS if f"| `{n}` | `{config.environment_name(n)}` |" not in page] == []


def test_every_event_is_documented() -> None:
    assert [name for name in EVENTS if f"\n## {name}\n" not in read("events.md")] == []


def test_every_error_class_of_the_package_is_documented() -> None:
    known = {name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, Exception)}
    for tree in source_trees():
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.ClassDef)
                and {base.id for base in node.bases if isinstance(base, ast.Name)} & known
            ):
                known.add(node.name)

    assert [name for name in sorted(known) if f"`{name}`:" not in read("events.md")] == []


def test_every_code_of_a_note_is_documented_and_no_other(generate: ModuleType) -> None:
    found = set()
    for tree in source_trees():
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            called = call.func.id if isinstance(call.func, ast.Name) else ""
            if called in {"Note", "Notice", "_note"} and call.args and isinstance(call.args[0], ast.Constant):
                found.add(call.args[0].value)

    assert found == set(generate.NOTES)


def source_trees() -> Iterator[ast.Module]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield ast.parse(path.read_text("utf-8"))


# What is written by hand


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_link_to_a_file_or_heading_is_broken(page: Path) -> None:
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", without_blocks(page.read_text("utf-8"))):
        file, _, anchor = target.partition("#")
        place = (page.parent / file).resolve() if file else page
        if re.match(r"[a-z]+:", target):
            continue
        if not place.exists() or (anchor and place.suffix == ".md" and anchor not in anchors(place)):
            broken.append(target)

    assert broken == []


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", without_blocks(page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", WRITTEN, ids=name_of)
def test_every_path_that_a_page_names_exists(page: Path) -> None:
    named = re.findall(r"`((?:[\w.-]+/)+[\w.-]*)`", without_blocks(page.read_text("utf-8")))

    assert [path for path in named if not any((base / path).exists() for base in (ROOT, PACKAGE, page.parent))] == []


@pytest.mark.parametrize("page", WRITTEN, ids=name_of)
def test_a_page_promises_nothing_for_later(page: Path) -> None:
    later = r"(?i)\b(?:todo|fixme|xxx|tbd|coming soon|not implemented yet|lorem ipsum|work in progress)\b"

    assert re.findall(later, page.read_text("utf-8")) == []


@pytest.mark.parametrize("page", WRITTEN, ids=name_of)
def test_every_command_that_a_page_shows_can_be_typed(page: Path) -> None:
    text = page.read_text("utf-8")
    lines = [line for block in blocks(text, "sh") for line in block.replace("\\\n", " ").splitlines()]
    inline = re.findall(r"`((?:make|answerable) [^`]+)`", without_blocks(text))

    assert [fault for line in [*lines, *inline] if (fault := fault_of(line))] == []


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("make bread", "make bread"),
        ("answerable asks x", "answerable asks"),
        ("answerable ask --loud x", "answerable ask --loud"),
        ("PORT=1 make run", ""),
        ("answerable eval run --json FILE # all of them", ""),
    ],
)
def test_a_planted_command_that_does_not_exist_is_seen(line: str, fault: str) -> None:
    assert fault_of(line) == fault


def fault_of(line: str) -> str:
    """The part of a shown command that does not exist; "" when all does. Other programs are not our business."""
    words = [word for word in shlex.split(line, comments=True) if not re.fullmatch(r"[A-Z_]+=.*|…", word)]
    if words[:3] == ["python", "-m", "answerable"] or words[:1] == [".venv/bin/answerable"]:
        words = ["answerable", *words[words.index("answerable") + 1 :]] if "-m" in words else ["answerable", *words[1:]]
    if words[:1] == ["make"]:
        targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
        return next((f"make {word}" for word in words[1:] if word not in targets), "")
    if words[:1] != ["answerable"]:
        return ""
    command: Any = typer.main.get_command(cli.app)
    said = "answerable"
    for word in words[1:]:
        if getattr(command, "commands", None):
            if word.startswith("-"):
                break
            said += f" {word}"
            if word not in command.commands:
                return said
            command = command.commands[word]
    options = {"--help", *(option for parameter in command.params for option in parameter.opts)}
    return next((f"{said} {w}" for w in words if w.startswith("--") and w.partition("=")[0] not in options), "")


def test_the_layers_of_the_architecture_page_are_those_of_its_test() -> None:
    rows = re.findall(r"^\| \d+ \| ([^|]+) \|", read("architecture.md"), re.MULTILINE)

    assert [set(re.findall(r"`(\w+)`", row)) for row in rows] == LAYERS


def test_every_protocol_is_in_the_table_of_the_architecture_page() -> None:
    named = {
        name
        for name, kind in vars(protocols).items()
        if getattr(kind, "_is_protocol", False) and kind.__module__ == protocols.__name__
    }

    assert set(re.findall(r"^\| `(\w+)` \|", read("architecture.md"), re.MULTILINE)) >= named > {"LLM", "Reader"}


# Dependencies


def dependencies() -> list[Requirement]:
    project = PROJECT["project"]
    groups = [
        project["dependencies"],
        *project["optional-dependencies"].values(),
        *PROJECT["dependency-groups"].values(),
    ]
    return [Requirement(line) for group in [*groups, PROJECT["build-system"]["requires"]] for line in group]


def documented_licences() -> dict[str, str]:
    return dict(re.findall(r"^\| `([\w.,\[\]-]+)` \| [^|]+ \| ([^|]+?) \|$", read("dependencies.md"), re.MULTILINE))


def shown(requirement: Requirement) -> str:
    return requirement.name + (f"[{','.join(sorted(requirement.extras))}]" if requirement.extras else "")


def test_every_dependency_is_listed_with_its_reason_and_no_other() -> None:
    assert set(documented_licences()) == {shown(requirement) for requirement in dependencies()}


def test_a_listed_licence_is_the_one_the_installed_package_names() -> None:
    wrong = {}
    for name, licence in documented_licences().items():
        said = licence_of(name.partition("[")[0])
        if said and not family(licence) <= family(said):
            wrong[name] = said

    assert wrong == {}


def licence_of(name: str) -> str:
    """What the installed package says; "" when it says nothing, or is not installed."""
    try:
        said = metadata(name)
    except PackageNotFoundError:
        return ""
    classifiers = [line for line in said.get_all("Classifier") or [] if line.startswith("License ::")]
    return " ".join([said.get("License-Expression") or "", said.get("License") or "", *classifiers]).strip()


def family(licence: str) -> set[str]:
    return {word for word in ("MIT", "BSD", "Apache", "MPL", "GPL", "PSF") if word in licence}


# The APIs


def test_the_endpoints_of_the_api_page_are_those_of_the_server() -> None:
    paths = create_app(FakeEngine()).openapi()["paths"]  # type: ignore[arg-type]
    served = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}

    assert set(re.findall(r"^\| `([A-Z]+ /\S*)` \|", read("api.md"), re.MULTILINE)) == served


def test_the_addresses_of_the_curl_examples_are_endpoints() -> None:
    patterns = [
        re.compile(re.sub(r"\{\w+\}", "[^/]+", path) + r"$")
        for path in [*create_app(FakeEngine()).openapi()["paths"], "/docs", "/openapi.json"]  # type: ignore[arg-type]
    ]
    asked = re.findall(r"localhost:8765(/[^\s'\"]*)", "".join(blocks(read("api.md"), "sh")))

    assert len(asked) > 3
    assert [path for path in asked if not any(pattern.match(path) for pattern in patterns)] == []


def test_the_bodies_of_the_curl_examples_are_json() -> None:
    bodies = re.findall(r"-d '([^']*)'", "".join(blocks(read("api.md"), "sh")))

    assert all(isinstance(json.loads(body), dict) for body in bodies)
    assert bodies


def test_the_example_of_an_error_is_what_the_server_replies() -> None:
    (example,) = blocks(read("api.md"), "json")
    with serving(lambda: create_app(FakeEngine())) as address:  # type: ignore[arg-type]
        reply = httpx2.post(f"{address}/v1/answers", json={"question": " "})

    untitled = {"title": ""}  # the words of a status differ between versions of Python
    assert json.loads(example) | untitled == reply.json() | untitled
    assert reply.headers["content-type"] == "application/problem+json"


def test_the_codes_of_refusals_are_those_of_the_server() -> None:
    listed = {
        tuple(row) for row in re.findall(r"^\| `(\w+)` \| (\d+) \|", read("api.md") + read("events.md"), re.MULTILINE)
    }
    source = "".join((PACKAGE / "web" / name).read_text("utf-8") for name in ("access.py", "problems.py"))
    coded = {(code, status) for status, code in re.findall(r'\b(4\d\d)[:,] "([a-z_]+)"', source)}

    assert coded >= {("not_found", "404"), ("token_needed", "401")}
    assert coded - listed == set()


def test_the_example_stream_is_one_that_the_server_could_send() -> None:
    (stream,) = [block for block in blocks(read("api.md"), "text") if "event: start" in block]
    frames = re.findall(r"^id: (\d+)\nevent: (\w+)\ndata: (.*)$", stream, re.MULTILINE)
    events = [load_event(name, data) for _, name, data in frames]

    assert [int(number) for number, _, _ in frames] == list(range(1, len(frames) + 1))
    assert isinstance(events[0], Start)
    assert [name for _, name, _ in frames][-2:] == ["final", "done"]
    (final,) = [event for event in events if isinstance(event, Final)]
    assert "".join(event.text for event in events if isinstance(event, Delta)) == final.turn.answer


def test_the_examples_of_finalize_citations_print_what_the_page_says() -> None:
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(verbose=False)
    for number, block in enumerate(blocks(read("api.md"), "pycon")):
        runner.run(parser.get_doctest(block, {}, f"example {number}", "docs/api.md", 0))

    assert runner.summarize(verbose=False).failed == 0
    assert runner.tries > 2


def test_the_python_example_runs_offline_and_prints_a_cited_answer(tmp_path: Path) -> None:
    (example,) = blocks(read("api.md"), "python")
    done = subprocess.run(
        [sys.executable, "-c", example],
        capture_output=True,
        text=True,
        timeout=120,
        env={"ANSWERABLE_DATA_DIR": str(tmp_path), "ANSWERABLE_SEARCH": "own", "PATH": "", "HOME": str(tmp_path)},
    )

    assert done.stderr == ""
    assert "330 metres" in done.stdout
    assert "[1] http://monuments.example/eiffel-tower.html" in done.stdout


def test_the_settings_file_of_the_settings_page_can_be_loaded(tmp_path: Path) -> None:
    (example,) = blocks(read("settings.md"), "toml")
    (tmp_path / "answerable.toml").write_text(example, "utf-8")

    settings = config.load_settings(environ={"ANSWERABLE_CONFIG": str(tmp_path / "answerable.toml")})

    assert settings.search == ("searxng", "wikipedia")


# Evals


def test_every_figure_of_the_summary_is_explained() -> None:
    page = read("evals.md")

    assert [name for name in summarise([]) if f"| `{name}` |" not in page] == []


def test_every_field_of_a_question_is_explained() -> None:
    page = read("evals.md")

    assert [name for name in WebQuestion.__dataclass_fields__ if f"| `{name}` |" not in page] == []


def test_the_miniature_web_of_the_page_can_be_served(tmp_path: Path) -> None:
    (toml,) = blocks(read("evals.md"), "toml")
    (questions,) = blocks(read("evals.md"), "json")
    (page,) = blocks(read("evals.md"), "html")
    (tmp_path / "hosts" / "towers.example").mkdir(parents=True)
    (tmp_path / "web.toml").write_text(toml, "utf-8")
    (tmp_path / "questions.jsonl").write_text(questions, "utf-8")
    (tmp_path / "hosts" / "towers.example" / "height.html").write_text(page, "utf-8")

    web = load_web(tmp_path)

    assert web.warnings == ()
    assert [question.id for question in web.questions] == ["tower-height"]
    assert [article.url for article in web.articles()] == ["http://towers.example/height.html"]
