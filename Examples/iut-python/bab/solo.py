"""Solo mode: lines of the app and of the user in turn, no radio (bab.md 5.10)."""

from .points import Stats, achievements, mean, ranking, rows
from .jsontext import float32


class Solo:
    """One solo session; while there is one, what the person does goes here."""

    def __init__(self, app):
        self.app = app
        self.id = app.id
        self.name = app.name
        self.stats = Stats()
        self.history = []
        self.started = app.now
        self.line = None
        self.words = []  # still to be said
        self.errors = 0
        self.since = app.now
        app.show("phase", phase="ACTIVE")
        self.go_on()

    def go_on(self):
        """5.10.2: a line of the app, committed at once, then one of the user."""
        self.commit(self.make_line(""), None)
        self.line = self.make_line(self.id)
        self.words = self.line["textNative"].lower().split()
        self.errors = 0
        self.since = self.app.now
        self.app.show("turn", player=self.id)
        self.app.show("screen", lineID=self.line["id"], text=self.line["textNative"])

    def make_line(self, player):
        script, self.app.solo_lines = self.app.script, self.app.solo_lines + 1
        entry = script[(len(self.history)) % len(script)] if script else {
            "native": "Frase %d" % self.app.solo_lines, "translated": "Sentence %d" % self.app.solo_lines}
        return {"id": "solo-%d" % self.app.solo_lines, "textNative": entry["native"], "assignedToPlayerId": player}

    def commit(self, line, result):
        line["pronunciationResult"] = result
        self.history.append(line)
        self.app.do("committed", index=len(self.history) - 1, lineID=line["id"], text=line["textNative"])

    def user_speak(self, text):
        """5.10.3."""
        for word in text.lower().split():
            if self.words and word == self.words[0]:
                self.words.pop(0)
            else:
                self.errors += 1
        if not self.words:
            self.read()

    def read(self):
        count = len(self.line["textNative"].split())
        accuracy = max(0, 1000 * (count - self.errors) // count) if count else 0
        duration = (self.app.now - self.since) // 1_000_000
        self.stats.complete(self.app.dialect.points, accuracy, self.errors, duration, False, self.stats.lines == 0)
        self.commit(self.line, {"skipped": False, "accuracy": float32(accuracy / 1000), "errorCount": self.errors})
        self.app.do("score", player=self.id, xp=self.stats.xp)
        self.go_on()

    def user_skipLine(self):
        """5.10.4."""
        self.stats.skip()
        self.commit(self.line, {"skipped": True, "accuracy": 0.0, "errorCount": 0})
        self.go_on()

    def user_endSolo(self, save):
        """5.10.5."""
        app, app.solo = self.app, None
        app.show("turn", player=None)
        if save:
            own = [line for line in self.history if line["assignedToPlayerId"] == self.id]
            app.do(
                "summary", lines=len(self.history), accuracyPermille=mean(self.stats.accuracy, self.stats.lines),
                durationMilliseconds=(app.now - self.started) // 1_000_000, rows=rows(ranking([self])),
                achievements=[name for name, _ in achievements([self], self.id, own, {})])
        app.show("phase", phase="LOBBY")
