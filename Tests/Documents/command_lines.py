"""Holds every command line of babbench in the documents against its help: the subcommand is there, and the options."""

import functools
import re
import subprocess

FENCE = re.compile(r"^[ >]*```[^\n]*\n(.*?)^[ >]*```", re.M | re.S)
SPAN = re.compile(r"`(babbench [^`\n]+)`")
# The word babbench where a shell expects a command, up to the end of that command.
LINE = re.compile(
    r"(?:^|[;|&(])[ \t]*(?:\$ )?(?:[A-Z_]+=\S* )*(?:[\w./-]*/)?babbench +"
    r"((?:'[^'\n]*'|\"[^\"\n]*\"|[^;|&#\n`)])*)", re.M)
# Commands that no help lists, and a format with such a name.
UNLISTED = {"engine", "help", "session"}


class Help:
    """What babbench says of its commands."""

    def __init__(self, bench):
        self.bench = bench

    @functools.cache
    def of(self, *words):
        return subprocess.run(
            [self.bench, "help", *words], capture_output=True, text=True, check=True, timeout=60).stdout

    @functools.cache
    def subcommands(self, *words):
        part = self.of(*words).partition("\nSUBCOMMANDS:\n")[2]
        return set(re.findall(r"^  ([a-z][\w-]*)", part, re.M))


def lines(text):
    """Every command line of a page, without its first word."""
    for block in FENCE.findall(text):
        for found in LINE.findall(block.replace("\\\n", " ")):
            yield found
    for span in SPAN.findall(FENCE.sub("", text)):
        yield from LINE.findall(span)


def problem(line, help_of):
    """What is wrong with a command line; None when nothing is."""
    words = re.sub(r"'[^']*'|\"[^\"]*\"", "x", line).split()
    command = []
    while words and words[0] in help_of.subcommands(*command):
        command.append(words.pop(0))
    if help_of.subcommands(*command) and words and re.fullmatch("[A-Za-z][A-Za-z-]+", words[0]):
        if words[0].isupper() or words[0] in UNLISTED:
            return None
        return f"babbench {line.strip()}: there is no command {' '.join([*command, words[0]])}"
    text = help_of.of(*command)
    for word in words:
        option = re.match(r"--[a-z][a-z-]*", word)
        if option and not re.search(rf"(?<![\w-]){option.group()}(?![\w-])", text):
            if option.group() not in ("--help", "--generate-completion-script"):
                return f"babbench {line.strip()}: {' '.join(command)} has no option {option.group()}"
    return None


def check(pages, bench):
    """What is wrong in the pages, a text each; pages are (name, text)."""
    help_of = Help(bench)
    count, problems = 0, []
    for name, text in pages:
        for line in lines(text):
            count += 1
            found = problem(line, help_of)
            if found:
                problems.append(f"{name}: {found}")
    if count < 100:
        problems.append(f"only {count} command lines were found")
    print(f"{count} command lines of babbench")
    return problems
