"""The command's first second."""

from __future__ import annotations

import subprocess
import sys

INTERRUPTED_WHILE_LOADING = """
import sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "answerable.cli":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
from answerable.__main__ import main
main()
"""


def test_ctrl_c_while_the_command_loads_is_quiet() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_WHILE_LOADING], capture_output=True, text=True, check=False
    )

    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")
