"""Plays the examples of Docs/android.md, and looks for the tests it names: page.py FOLDER JAR BABBENCH [JUNIT].

Its files are compiled, and what they print is compared. JUNIT is the class path of JUnit 5; without it the commands
that need it are left out.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

folder, jar, bench = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
junit = sys.argv[4] if len(sys.argv) > 4 else ""
page = (pathlib.Path(__file__).resolve().parent.parent.parent / "Docs/android.md").read_text()
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
for path in jar.parent.glob("babbench-android*.jar"):
    shutil.copy(path, folder)
blocks = re.findall(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", page, re.M | re.S)
files = [(title, text) for kind, title, text in blocks if title]
for title, text in files:
    (folder / title).write_text(text)
# A block of text is what the block before it prints.
examples = [(blocks[place - 1][2], block[2]) for place, block in enumerate(blocks) if block[0] == "text"]
played = 0
for commands, wanted in examples:
    if "$JUNIT" in commands and not junit:
        continue
    environment = dict(os.environ, BABBENCH=bench, JUNIT=junit)
    result = subprocess.run(["sh", "-ec", commands], cwd=folder, env=environment, capture_output=True, text=True)
    if result.returncode != 0 or result.stdout != wanted:
        said = f"exit {result.returncode}\n{result.stdout}{result.stderr}wanted\n{wanted}"
        sys.exit(f"FAILED: an example of Docs/android.md: {said}")
    played += 1
if len(files) < 3 or len(examples) != 2 or played < 1:
    sys.exit(f"FAILED: Docs/android.md has {len(files)} files and {len(examples)} examples")
# Each behaviour of the tables names tests that exist.
tests = {}
for path in pathlib.Path(__file__).resolve().parent.glob("*.java"):
    tests[path.stem] = set(re.findall(r"static void (\w+)\(\)", path.read_text()))
tables = page.split("\n## Behaviours\n")[1].split("\n## ")[0]
rows = [line.strip("|").split("|") for line in tables.splitlines() if line[:2] == "| " and line[:11] != "| behaviour"]
missing = []
for row in rows:
    group = ""
    for name in re.findall(r"`([^`]+)`", row[-1]):
        group, _, test = name.rpartition(".") if "." in name else (group, "", name)
        if test not in tests.get(group, ()):
            missing.append(f"{group}.{test}")
    if not group or not row[1].strip():
        missing.append(f"a test or source of:{row[0]}")
if missing or len(rows) < 120:
    sys.exit(f"FAILED: Docs/android.md has {len(rows)} behaviours; missing: {', '.join(missing)}")
print(f"ok: {played} of {len(examples)} examples of Docs/android.md, {len(files)} files, {len(rows)} behaviours")
