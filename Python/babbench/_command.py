"""The command `babbench`: the program of this package, with its scenarios and samples."""

from __future__ import annotations

import os
import sys

from ._pipe import executable
from .errors import BenchFailed


def main() -> None:
    """Becomes the program."""
    try:
        path = executable()
        os.execv(path, [path] + sys.argv[1:])
    except (BenchFailed, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        sys.exit(3)
