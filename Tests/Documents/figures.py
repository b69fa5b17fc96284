"""Holds the pages that `babbench figures` writes against what it finds now."""

import pathlib
import subprocess
import tempfile


def check(docs, bench, write):
    """Problems of the pages and pictures in the folder; with `write` they are what was found."""
    with tempfile.TemporaryDirectory() as folder:
        ended = subprocess.run(
            [bench, "figures", "--write", folder], cwd=docs.parent, capture_output=True, text=True, timeout=1800)
        if ended.returncode != 0:
            return [f"babbench figures ends with {ended.returncode}: {ended.stdout[-400:]}{ended.stderr[-400:]}"]
        return compare(pathlib.Path(folder), docs, write)


def compare(found, docs, write):
    """Each file that was found is in the folder as it is, and no picture is there that nobody made."""
    names = sorted(path.name for path in found.iterdir())
    pages = [name for name in names if name.endswith(".md")]
    if not pages:
        return ["babbench figures wrote no page"]
    problems = []
    for name in names:
        made, shown = (found / name).read_bytes(), docs / name
        if shown.exists() and shown.read_bytes() == made:
            continue
        problems.append(f"Docs/{name} is out of date: babbench figures --write Docs")
        if write:
            shown.write_bytes(made)
    for page in pages:
        for left in sorted(docs.glob(page.removesuffix(".md") + "-*.svg")):
            if left.name not in names:
                problems.append(f"Docs/{left.name} is a picture that babbench figures does not make")
    return problems
