"""What all programs here have in common: the pipe, effects, and timers with a function each."""
import json
import sys

READ, COMMAND, WRITE, NOTIFY, INDICATE = 2, 4, 8, 16, 32
SECOND = 1_000_000_000


class App:
    def __init__(self, hello):
        self.hello, self.effects, self.now = hello, [], 0
        self.name = hello.get("displayName") or "nobody"
        self.timers, self.count_of_timers = {}, 0

    def do(self, name, **members):
        self.effects.append({"name": name, **members})

    def after(self, seconds, work):
        self.count_of_timers += 1
        self.timers[self.count_of_timers] = work
        self.do("setTimer", timer=self.count_of_timers, at=self.now + int(seconds * SECOND))
        return self.count_of_timers

    def cancel(self, timer):
        if self.timers.pop(timer, None):
            self.do("cancelTimer", timer=timer)

    def show(self, what, **values):
        self.do("shows", what=what, values=[{"name": name, "value": str(value)} for name, value in values.items()])

    def handle(self, given):
        self.now, self.effects = given["at"], []
        method = getattr(self, "on_" + given["name"].replace(".", "_"), None)
        if method:
            method(given)
        return self.effects

    def on_timer(self, given):
        work = self.timers.pop(given["timer"], None)
        if work:
            work()

    def on_user(self, given):
        if given["action"] == "does":
            values = {each["name"]: each["value"] for each in given["values"]}
            getattr(self, "person_" + given["what"].replace(" ", "_"))(**values)


def serve(make):
    app = make(json.loads(sys.stdin.readline()))
    print(json.dumps({"name": "hello", "protocol": 1, "implementation": type(app).__name__, "reports": ["shows"]}), flush=True)
    for line in sys.stdin:
        given = json.loads(line)
        print(json.dumps({"at": given["at"], "effects": app.handle(given)}), flush=True)
