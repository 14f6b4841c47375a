"""Who uses a data folder: processes hold it together, and one that starts learns whether it is alone."""

from __future__ import annotations

import contextlib
from pathlib import Path
from types import TracebackType
from typing import Self

try:
    import fcntl
except ImportError:  # not on every system: there each process takes itself for alone, as before
    fcntl = None  # type: ignore[assignment]


class FolderLock:
    """`with FolderLock(folder) as lock:`; the system takes it from a process that dies.

    While `alone`, others that start wait for `share`: what a crash left behind is set right once.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / "in-use.lock"

    def __enter__(self) -> Self:
        self._file = self._path.open("ab")
        self.alone = True
        if fcntl is not None:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self.alone = False
            except OSError:  # a file system without locks
                pass
        return self

    def share(self) -> None:
        """Lets others in. Waits while another process is alone: call it off the event loop."""
        if fcntl is not None:
            with contextlib.suppress(OSError):
                fcntl.flock(self._file, fcntl.LOCK_SH)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
