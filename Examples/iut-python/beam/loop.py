"""The pipe to the bench: one line in, one line out (Docs/Formats/iut-protocol.md)."""

import json
import sys


def serve(make_app, implementation):
    """Answers the bench until it closes our standard input. What the app claims is in its description."""
    lines, out = sys.stdin.buffer, sys.stdout.buffer
    app = make_app(json.loads(lines.readline()))
    answer = {"name": "hello", "protocol": 1, "implementation": implementation,
              # Those of which a good run may have none: that they do not come shows something only if they would.
              "reports": ["alertShown", "refused", "unstable"]}
    out.write((json.dumps(answer) + "\n").encode("utf-8"))
    out.flush()
    for line in lines:
        given = json.loads(line)
        effects = app.handle(given)
        out.write(b'{"at":%d,"effects":[%s]}\n' % (given["at"], ",".join(effects).encode("utf-8")))
        out.flush()
