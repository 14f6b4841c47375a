"""Fetch from a host that has every fault, mixed, and print what is left behind and how late the worst one was.

python benchmarks/soak.py [fetches]
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # the hostile server is the tests'

from tests.fakes.soaking import soak

FLAT = 1.15  # memory of the last tenth over that of the second; the first tenth fills caches and pools


def main() -> int:
    fetches = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    soaked = asyncio.run(soak(fetches))
    early, late = soaked.rss_kb[min(2, len(soaked.rss_kb) - 1)], soaked.rss_kb[-1]
    print(f"{soaked.fetches} fetches: " + ", ".join(f"{name} {count}" for name, count in soaked.causes.most_common()))
    print(f"tasks left {soaked.tasks_left}, files and sockets left {soaked.files_left}")
    print("memory by tenths, MB: " + " ".join(str(kb // 1024) for kb in soaked.rss_kb))
    print(f"worst overrun of a deadline {1000 * soaked.worst_overrun:.0f} ms ({soaked.worst_fault})")
    for name, outcome in soaked.wrong:
        print(f"unexpected: {name}: {outcome}")
    failed = soaked.wrong or soaked.tasks_left or soaked.files_left > 0 or late > FLAT * early
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
