"""What host and guest have in common: inputs in, effects out, timers, the clock of the day.

An app does no input or output of its own, reads no clock and never waits; the bench hands it one input at a time
(Docs/Formats/iut-protocol.md).
"""

import json

SECOND = 1_000_000_000
WALL_TIME = 1_700_000_000_000  # 8.11, milliseconds
SERVICE_TYPE = "_beamscribe._tcp"
SERVICE_UUID = "BEA35C81-1A5E-4B1E-9A57-000000000001"
KEEP_ALIVE = {"idle": 5 * SECOND, "interval": 5 * SECOND, "count": 3}  # 8.13
NOT_VIABLE = 10 * SECOND  # 8.10
MOST_EFFECTS = 9_000  # of one answer; the bench takes 10 000
OWN_MEMBERS = ("name", "sequence", "instant", "device")  # of a line; those of a report differ by an underscore

write = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class App:
    """
    A sans-IO app. Subclasses have a method `on_<input name>(input)` for each input they care about, with `net_` for
    `net.`, and `user_<action>(arguments)` for each action.
    """

    def __init__(self, hello):
        settings = hello.get("beamscribe", {})
        self.advertises_free_seats = settings.get("advertisesFreeSeats", False)
        self.writes_sent_timestamp = settings.get("writesSentTimestamp", True)
        self.resumes = settings.get("resumes", True)
        self.display_name = hello["displayName"]
        self.kept = bytes.fromhex(hello.get("kept", ""))
        self.clock_offset = hello.get("clockOffsetMilliseconds", 0)
        self.now = 0
        self.effects = []
        self.timers = {}  # key: (number, action)
        self.timer_keys = {}  # number: key
        self.last_timer = 0
        self.state = None
        self.is_radio_on = True
        self.is_in_front = True

    # The bench's side

    def handle(self, given):
        """The effects of one input."""
        self.now = given["at"]
        handler = getattr(self, "on_" + given["name"].replace(".", "_"), None)
        if handler:
            handler(given)
        answer, self.effects = self.effects[:MOST_EFFECTS], self.effects[MOST_EFFECTS:]
        if self.effects:
            # The rest follows in this instant, before anything else that happens.
            answer.append(write({"name": "setTimer", "timer": 0, "at": self.now}))
        return answer

    def do(self, effect, **members):
        """Asks something of the platform."""
        self.effects.append(write({"name": effect, **members}))

    def report(self, word, **members):
        """Shows or claims something."""
        self.effects.append(write({
            "name": word, **{key + "_" if key in OWN_MEMBERS else key: value for key, value in members.items()}}))

    def show_state(self, state):
        if state != self.state:
            self.state = state
            self.report("state", state=state)

    def on_user(self, given):
        """A person did something: a method `user_<action>`, if this role has it."""
        action = getattr(self, "user_" + given["action"], None)
        if action:
            action(**{
                key.rstrip("_"): value for key, value in given.items() if key not in ("name", "at", "action")})

    # Time

    @property
    def wall_time(self):
        """Milliseconds since 1970 by the device's clock."""
        return WALL_TIME + self.now // 1_000_000 + self.clock_offset

    def set_timer(self, key, at, action):
        """
        Has `action` called at an instant; a timer of the same key is moved. A key is what it is for, and a stream's
        number or None.
        """
        number = self.timers[key][0] if key in self.timers else self.last_timer + 1
        self.last_timer = max(self.last_timer, number)
        self.timers[key] = (number, action)
        self.timer_keys[number] = key
        self.do("setTimer", timer=number, at=at)

    def cancel_timer(self, key):
        number, _ = self.timers.pop(key, (None, None))
        if number is not None:
            del self.timer_keys[number]
            self.do("cancelTimer", timer=number)

    def on_timer(self, given):
        key = self.timer_keys.pop(given["timer"], None)
        if key is not None:
            self.timers.pop(key)[1]()

    # Streams

    def forget_timers(self, stream):
        """A stream is over, and with it all that it waits for."""
        for key in [key for key in self.timers if key[1] == stream.number]:
            self.cancel_timer(key)

    def watch_viability(self, stream, given):
        """A stream that can carry nothing is lost after 10 s (5.11.6). Returns whether anything has changed."""
        is_viable = given["viable"]
        if is_viable == stream.is_viable:
            return False
        stream.is_viable = is_viable
        if is_viable:
            self.cancel_timer(("viability", stream.number))
        else:
            self.set_timer(("viability", stream.number), self.now + NOT_VIABLE, lambda: self.give_up(stream))
        return True

    def give_up(self, stream):
        self.do("net.cancel", connection=stream.number)
        self.lost(stream)

    def lost(self, stream):
        """A stream that the other end, or the network, has ended."""
        raise NotImplementedError
