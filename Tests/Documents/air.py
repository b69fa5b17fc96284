"""Plays the program on the air of Docs/hci.md: its command, its Python, and what it prints."""

import pathlib
import re
import subprocess
import sys
import tempfile
import time

HEADING = "## A program on the air\n"


def check(page, root, bench):
    """Problems of the page's section, in words."""
    section = page.read_text(encoding="utf-8").partition(HEADING)[2].partition("\n## ")[0]
    command = re.search(r"^babbench (hci serve \S+ --clock lockstep .*)$", section, re.M)
    program = re.search(r"^```python\n(.*?)^```$", section, re.M | re.S)
    printed = re.search(r"^```console\n(.*?)^```$", section, re.M | re.S)
    if not (command and program and printed):
        return [f"{page.name} has no command, program and output under “{HEADING.strip('# ')}”"]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        words = command[1].replace("/tmp/air", f"{folder}/air").split()
        room = subprocess.Popen(
            [bench, *words, "--record", folder / "session.jsonl", "--ready-file", folder / "ready"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(600):
                if (folder / "ready").exists() or room.poll() is not None:
                    break
                time.sleep(0.05)
            (folder / "program.py").write_text(program[1].replace("/tmp/air", f"{folder}/air"), encoding="utf-8")
            done = subprocess.run(
                [sys.executable, folder / "program.py"], env={"PYTHONPATH": str(root / "Python")},
                capture_output=True, text=True, timeout=60)
        finally:
            room.kill()
            room.wait()
    if done.stdout == printed[1]:
        return []
    return [f"{page.name}: the program on the air prints\n{done.stdout}{done.stderr}"]
