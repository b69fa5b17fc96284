"""The pipe to the bench: one line in, one line out (Docs/Formats/iut-protocol.md)."""

import sys

from .jsontext import read, write


def serve(make_app, implementation, ics):
    """Answers the bench until it closes our standard input."""
    lines, out = sys.stdin.buffer, sys.stdout.buffer
    hello = read(lines.readline().decode("utf-8"))
    app = make_app(hello)
    answer = {"name": "hello", "protocol": 1, "implementation": implementation, "ics": ics,
              # Those of which a good run has none: that they do not come shows something only if they would.
              "reports": ["refused", "violation"]}
    out.write((write(answer) + "\n").encode("utf-8"))
    out.flush()
    for line in lines:
        given = read(line.decode("utf-8"))
        effects = app.handle(given)
        out.write(b'{"at":%d,"effects":[%s]}\n' % (given["at"], ",".join(effects).encode("utf-8", "replace")))
        out.flush()
