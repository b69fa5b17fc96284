"""Lists of tests of others that do not pass with ours, and why."""

import re
import sys


def known(path, form):
    """What such a list says: test to the name of its section. A line that has the form is a test."""
    tests, section = {}, None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if match := re.fullmatch(r"\[(.+)\]", line):
            section = match[1]
        elif re.match(form, line):
            if line in tests or not section:
                sys.exit(f"{path.name}:{number}: {line} is there twice, or has no section")
            tests[line] = section
    return tests
