"""Plays the example of Docs/android.md: page.py FOLDER JAR BABBENCH.

Its files are compiled, and what they print is compared.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

folder, jar, bench = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
page = (pathlib.Path(__file__).resolve().parent.parent.parent / "Docs/android.md").read_text()
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
shutil.copy(jar, folder / "babbench-android.jar")
blocks = re.findall(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", page, re.M | re.S)
files = [(title, text) for kind, title, text in blocks if title]
for title, text in files:
    (folder / title).write_text(text)
index = next(place for place, block in enumerate(blocks) if block[0] == "text")
commands, wanted = blocks[index - 1][2], blocks[index][2]
environment = dict(os.environ, BABBENCH=bench)
played = subprocess.run(["sh", "-ec", commands], cwd=folder, env=environment, capture_output=True, text=True)
if len(files) < 2 or played.returncode != 0 or played.stdout != wanted:
    said = f"exit {played.returncode}\n{played.stdout}{played.stderr}wanted\n{wanted}"
    sys.exit(f"FAILED: the example of Docs/android.md: {said}")
print(f"ok: the example of Docs/android.md, {len(files)} files")
