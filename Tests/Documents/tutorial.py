"""Follows Docs/tutorial.md to the letter: makes its files, runs its commands, and compares what they print.

A block ```sh is typed into a shell, and the block ```text after it is what is printed then: both streams, in full.
Without such a block nothing is printed. A line `…` stands for any lines, a line that ends with ` …` for any end of that
line. A block with a title is a file or a part of one; the title says where it goes:

    title="x.py"                      the whole file
    title="x.py, at the end"          goes to the end of the file, after two empty lines
    title="x.py, in place of name"    replaces the function of that name
"""

import json
import os
import pathlib
import re
import subprocess
import tempfile

FENCE = re.compile(r"^```(\w*)(?: title=\"([^\"]*)\")?\n(.*?)^```$", re.M | re.S)


class Problem(Exception):
    pass


def place(folder, title, text):
    """Puts a block where its title says."""
    name, _, where = title.partition(", ")
    file = folder / name
    if not where:
        file.write_text(text, encoding="utf-8")
    elif where == "at the end":
        file.write_text(file.read_text(encoding="utf-8") + "\n\n" + text, encoding="utf-8")
    elif where.startswith("in place of "):
        function = where.removeprefix("in place of ")
        old = file.read_text(encoding="utf-8")
        new, count = re.subn(
            rf"(?:^@.*\n)*^def {re.escape(function)}\(.*\n(?:(?:[ ].*)?\n)*?(?=\S|\Z|\n\n\S)", lambda _: text, old,
            count=1, flags=re.M)
        if count == 0:
            raise Problem(f"{name} has no function {function} to replace")
        file.write_text(new, encoding="utf-8")
    else:
        raise Problem(f"title “{title}”: nobody knows where that is")


def matches(shown, printed):
    """Whether lines that were printed are those that the page shows."""
    if not shown:
        return not printed
    if shown[0] == "…":
        return any(matches(shown[1:], printed[start:]) for start in range(len(printed) + 1))
    if not printed:
        return False
    fits = printed[0].startswith(shown[0][:-1]) if shown[0].endswith(" …") else printed[0] == shown[0]
    return fits and matches(shown[1:], printed[1:])


class Follower:
    """Somebody who types what the page says, in an empty folder."""

    def __init__(self, page, bench, folder):
        self.page, self.bench = page, bench
        self.start = self.folder = folder
        self.problems, self.printed, self.command = [], [], ""
        self.commands = self.blocks = 0

    def run(self, command):
        state = self.start / ".where"
        script = f'{command}\npwd > "{state}"\n'
        ended = subprocess.run(
            ["/bin/sh", "-c", script], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            stdin=subprocess.DEVNULL, env=os.environ | {"PATH": f"{self.bench.parent}:{os.environ['PATH']}"},
            timeout=120)
        self.folder = pathlib.Path(state.read_text().strip())
        self.commands += 1
        return ended.stdout.splitlines()

    def compare(self, shown):
        """What was printed since the last time, or what the page shows where it fits; says what does not."""
        printed, self.printed = self.printed, []
        while printed and not printed[-1]:
            printed.pop()
        if matches(shown, printed):
            return shown
        self.problems.append("\n".join([f"$ {self.command}", "shown:", *shown, "printed:", *printed]))
        # What has dots was cut by hand, and is by hand again.
        return shown if any(line.endswith("…") for line in shown) else printed

    def block(self, found):
        language, title, text = found.groups()
        self.blocks += 1
        if language == "text":
            text = "".join(line + "\n" for line in self.compare(text.splitlines()))
        else:
            self.compare([])
        if title:
            place(self.folder, title, text)
        elif language == "sh":
            self.command = text.strip()
            self.printed = self.run(text)
        elif language == "json":
            for line in text.splitlines():
                json.loads(line)
        elif language != "text":
            raise Problem(f"a block of “{language}” is neither a file nor a command:\n{text}")
        head = found.group(0).split("\n", 1)[0]
        return f"{head}\n{text}```"

    def follow(self):
        """The page with the outputs of now."""
        page = FENCE.sub(self.block, self.page)
        self.compare([])
        return page


def follow(page, bench, write=False):
    """
    - page: the path of the page.
    - write: puts what is printed into the page in place of what it shows, except where it shows dots.
    Returns what is wrong, a text each.
    """
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        tools = pathlib.Path(folder) / "tools"
        tools.mkdir()
        (tools / "babbench").symlink_to(bench)
        start = pathlib.Path(folder) / "empty"
        start.mkdir()
        follower = Follower(text, tools / "babbench", start)
        try:
            new = follower.follow()
        except Problem as problem:
            return [*follower.problems, str(problem)]
    if follower.commands < 5:
        return [f"{page.name} has only {follower.commands} commands"]
    if write and new != text:
        page.write_text(new, encoding="utf-8")
    print(f"{page.name}: {follower.blocks} blocks, {follower.commands} commands")
    return follower.problems
