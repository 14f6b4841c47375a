"""The locks: names, versions and hashes, enough to install exactly what was tested, and nothing of where from."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
BUILD = (ROOT / "requirements" / "build.in").read_text("utf-8").split()
RUN = [*PROJECT["project"]["dependencies"], *BUILD]
TEST = PROJECT["dependency-groups"]["test"]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
LOCKS = ("run", "test")
_ENTRY = re.compile(
    r"(?P<name>[a-z0-9][a-z0-9-]*)==(?P<version>\S+)(?: ; (?P<marker>[^\\]+?))?(?P<hashes>(?: --hash=\S+)+)"
)
_HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")

Pin = tuple[str, str, str]  # name, version, marker


def text_of(lock: str) -> str:
    return (ROOT / "requirements" / f"{lock}.txt").read_text("utf-8")


def entries(text: str) -> list[str]:
    """Entries with their continuation lines joined."""
    lines = re.sub(r"\s*\\\n\s*", " ", text).splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def pins(text: str) -> list[Pin]:
    found = [_ENTRY.fullmatch(entry) for entry in entries(text)]
    return [(match["name"], match["version"], match["marker"] or "") for match in found if match]


def faults(text: str) -> list[str]:
    """What does not belong in a lock."""
    found = [f"no pin: {entry[:60]}" for entry in entries(text) if not _ENTRY.fullmatch(entry)]
    found += [f"no hash: {one}" for one in re.findall(r"--hash\S*", text) if not _HASH.fullmatch(one)]
    return found + [
        f"an address or option: {line}" for line in text.splitlines() if re.search(r"://|@ |^\s*-(?!-hash=)", line)
    ]


def applies(marker: str, python: str) -> bool:
    """On Linux, where every platform that matters here agrees about which versions are pinned."""
    environment = {"python_version": python, "python_full_version": f"{python}.0", "sys_platform": "linux"}
    return not marker or Marker(marker).evaluate(environment)


@pytest.mark.parametrize("lock", LOCKS)
def test_every_entry_is_a_name_a_version_and_hashes_and_no_address_appears(lock: str) -> None:
    assert faults(text_of(lock)) == []
    assert len(pins(text_of(lock))) == len(entries(text_of(lock))) > 50


@pytest.mark.parametrize(
    "planted",
    [
        "--index-url https://packages.example/simple\n",
        "anyio>=4 \\\n    --hash=sha256:" + "0" * 64 + "\n",
        "anyio==4.16.0\n",
        "anyio==4.16.0 \\\n    --hash=md5:0123\n",
        "anyio @ https://packages.example/anyio.whl\n",
    ],
)
def test_a_planted_fault_of_a_lock_is_seen(planted: str) -> None:
    assert faults(planted) != []


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize(("lock", "wanted"), [("run", RUN), ("test", RUN + TEST)])
def test_every_dependency_is_pinned_once_and_within_its_range(lock: str, wanted: list[str], python: str) -> None:
    pinned: dict[str, list[str]] = {}
    for name, version, marker in pins(text_of(lock)):
        if applies(marker, python):
            pinned.setdefault(name, []).append(version)
    asked = {canonicalize_name(one.name): one.specifier for one in map(Requirement, wanted)}

    astray = {name: pinned.get(name, []) for name, range in asked.items() if not _fits(pinned.get(name, []), range)}
    assert astray == {}
    assert {name: versions for name, versions in pinned.items() if len(versions) > 1} == {}


def _fits(versions: list[str], range: object) -> bool:
    return len(versions) == 1 and Version(versions[0]) in range  # type: ignore[operator]


@pytest.mark.parametrize("python", PYTHONS)
def test_tests_run_with_the_versions_that_users_get(python: str) -> None:
    def installed(lock: str) -> set[tuple[str, str]]:
        return {(name, version) for name, version, marker in pins(text_of(lock)) if applies(marker, python)}

    assert installed("run") - installed("test") == set()


def test_the_locks_hold_for_every_python_the_project_names() -> None:
    named = Requirement(f"python{PROJECT['project']['requires-python']}").specifier

    assert [minor for minor in range(9, 20) if Version(f"3.{minor}.0") in named] == [int(p[2:]) for p in PYTHONS]


# What the package imports and does not name itself, and the dependency that hands it on on purpose.
HANDED_ON = {
    "brotli": "httpx2",
    "httpcore2": "httpx2",
    "markupsafe": "jinja2",
    "mcp-types": "mcp",
    "pydantic-core": "pydantic",
    "starlette": "fastapi",
}


def test_what_the_package_imports_is_named_by_the_project_and_not_left_to_chance() -> None:
    extras = PROJECT["project"]["optional-dependencies"].values()
    named = {canonicalize_name(Requirement(one).name) for one in [*RUN, *(line for extra in extras for line in extra)]}
    homes = packages_distributions()

    astray = {}
    for module, files in sorted(imported().items()):
        owners = [
            canonicalize_name(HANDED_ON.get(owner, owner)) for owner in map(canonicalize_name, homes.get(module, []))
        ]
        if not named & set(owners):
            astray[module] = sorted(files)
    assert astray == {}


def imported() -> dict[str, set[str]]:
    """Modules of others, by name, with the files of the package that import them."""
    found: dict[str, set[str]] = {}
    for path in (ROOT / "src" / "answerable").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {"answerable"}:
                found.setdefault(name, set()).add(path.name)
    # zstd: Python 3.14 has its own, the versions before it get it with httpx2[zstd]
    return {name: files for name, files in found.items() if name not in {"compression", "backports"}}
