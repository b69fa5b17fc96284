"""A board that several people write on: one room, and its guests."""
import json
import sys

U = "B0A4%04X-7E57-4B0A-8D00-5A1D0C0FFEE0"
SERVICE, SAID, TOLD, NEWS, BELL, ALARM, TITLE, NAME, POSTER = (U % n for n in range(1, 10))
READ, COMMAND, WRITE, NOTIFY, INDICATE = 2, 4, 8, 16, 32
SECOND = 1_000_000_000


class App:
    def __init__(self, hello):
        self.hello, self.effects, self.now, self.timers = hello, [], 0, {}
        self.count_of_timers = 0
        self.name = hello.get("displayName", "somebody")
        self.kept = json.loads(bytes.fromhex(hello["kept"])) if hello.get("kept") else {}

    def do(self, name, **members):
        self.effects.append({"name": name, **members})

    def keep(self, **members):
        self.kept.update(members)
        self.do("keep", octets=json.dumps(self.kept).encode().hex())

    def after(self, seconds, work):
        self.count_of_timers += 1
        self.timers[self.count_of_timers] = work
        self.do("setTimer", timer=self.count_of_timers, at=self.now + int(seconds * SECOND))
        return self.count_of_timers

    def cancel(self, timer):
        if self.timers.pop(timer, None):
            self.do("cancelTimer", timer=timer)

    def show(self, what, text):
        self.do("shows", what=what, values=[{"name": "text", "value": text}])

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
            self.person(given["what"], given["values"][0]["value"])


class Link:
    def __init__(self, number, address):
        self.number, self.address, self.att_mtu = number, address, 23
        self.wants, self.waiting, self.is_busy = set(), [], False  # of the room
        self.name, self.is_greeted = None, False
        self.is_known = self.is_ready = False  # of the guest
        self.operations, self.current, self.received, self.failures = [], None, b"", 0


class Room(App):
    local_name, title = "board", "the board"
    poster = "A poster that is longer than one answer holds. " * 6

    def __init__(self, hello):
        super().__init__(hello)
        self.links, self.lines, self.epoch = {}, [], self.kept.get("epoch", 0) + 1

    def on_launched(self, given):
        self.keep(epoch=self.epoch)
        self.open()

    def open(self):
        self.publish()
        self.set_values()
        self.advertise()

    def publish(self):
        self.do("publish", service=SERVICE, characteristics=self.characteristics())

    def characteristics(self):
        return [{"uuid": u, "properties": p} for u, p in [
            (SAID, WRITE | COMMAND), (TOLD, NOTIFY), (NEWS, NOTIFY), (BELL, WRITE), (ALARM, INDICATE),
            (TITLE, READ | NOTIFY), (NAME, WRITE), (POSTER, READ)]]

    def set_values(self):
        self.do("setValue", characteristic=TITLE, octets=self.title.encode().hex())
        self.do("setValue", characteristic=POSTER, octets=self.poster.encode().hex())

    def advertise(self):
        self.do("advertise", localName=self.local_name, services=[SERVICE])

    def on_radioPower(self, given):
        self.links = {}
        if given["on"]:
            self.open()

    def on_connected(self, given):
        self.links[given["link"]] = Link(given["link"], given["address"])
        self.advertise()  # a phone stops when a link comes

    def on_disconnected(self, given):
        link = self.links.pop(given["link"], None)
        if link and link.name:
            self.show("left", link.name)
        self.advertise()

    def on_attMTU(self, given):
        self.links[given["link"]].att_mtu = given["attMTU"]

    def on_subscribed(self, given):
        wants = self.links[given["link"]].wants
        (wants.add if given["on"] else wants.discard)(given["characteristic"])

    def person(self, what, text):
        if what == "announce":
            self.add_line(text)
        elif what == "headline":
            self.tell_all(NEWS, text)
        elif what == "alarm":
            self.tell_all(ALARM, text)
        elif what == "retitle":
            self.title = text
            self.set_values()
            self.tell_all(TITLE, text)

    def add_line(self, text):
        self.lines.append(text)
        for link in list(self.links.values()):
            if link.is_greeted:
                self.tell_line(link, len(self.lines))

    def tell_line(self, link, number):
        line = json.dumps({"epoch": self.epoch, "number": number, "text": self.lines[number - 1]}).encode() + b"\n"
        size = link.att_mtu - 3
        for begin in range(0, len(line), size):
            self.tell(link, TOLD, line[begin:begin + size])

    def tell_all(self, characteristic, text):
        for link in list(self.links.values()):
            if characteristic in link.wants:
                self.tell(link, characteristic, text.encode())

    def tell(self, link, characteristic, octets):
        link.waiting.append((characteristic, octets))
        self.proceed(link)

    def proceed(self, link):
        if link.waiting and not link.is_busy:
            link.is_busy = True
            characteristic, octets = link.waiting[0]
            self.do("notify", link=link.number, characteristic=characteristic, octets=octets.hex())

    def on_submitted(self, given):
        link = self.links.get(given["link"])
        if link:
            link.is_busy = False
            if given["accepted"]:
                link.waiting.pop(0)
                self.proceed(link)

    def on_readyToSend(self, given):
        if given["link"] in self.links:
            self.proceed(self.links[given["link"]])

    def on_valueReceived(self, given):
        link, octets = self.links.get(given["link"]), bytes.fromhex(given["octets"])
        if not link:
            return
        if given["characteristic"] == SAID:
            self.heard(link, octets.decode(errors="replace"))
        elif given["characteristic"] == BELL:
            self.show("rang", octets.decode(errors="replace"))
        elif given["characteristic"] == NAME:
            self.greeted(link, json.loads(octets))

    def heard(self, link, text):
        self.add_line(text)

    def greeted(self, link, hello):
        link.name, link.is_greeted = hello["name"], True
        self.show("entered", link.name)
        last = hello["last"] if hello["epoch"] == self.epoch else 0
        for number in range(last + 1, len(self.lines) + 1):
            self.tell_line(link, number)


class Guest(App):
    wanted = [TOLD, NEWS, ALARM, TITLE]

    def __init__(self, hello):
        super().__init__(hello)
        self.attempt = self.link = self.limit = None
        self.unsaid, self.epoch, self.last = [], 0, 0

    def on_launched(self, given):
        self.look()

    def look(self):
        self.do("scan", services=[SERVICE])

    def on_radioPower(self, given):
        self.attempt = self.link = None
        if given["on"]:
            self.look()

    def on_discovered(self, given):
        if self.attempt or self.link:
            return
        self.do("stopScanning")
        self.connect(given["address"])

    def connect(self, address):
        self.attempt = address
        self.do("connect", address=address)
        self.limit = self.after(5, self.give_up)

    def give_up(self):
        if self.attempt:
            self.do("cancelConnect", address=self.attempt)
            self.attempt = None
            self.look()

    def on_connectFailed(self, given):
        self.attempt = None
        self.cancel(self.limit)
        self.after(0.5, self.look)

    def on_connected(self, given):
        self.cancel(self.limit)
        self.attempt, self.link = None, Link(given["link"], given["address"])
        self.prepare()

    def prepare(self):
        self.operate("exchangeMTU", attMTU=185)

    def on_attMTU(self, given):
        if not self.link or given["link"] != self.link.number:
            return
        self.link.att_mtu = given["attMTU"]
        if not self.link.is_known:
            self.link.is_known = True
            self.operate("discover", service=SERVICE)
        if self.link.current and self.link.current[0] == "exchangeMTU":
            self.completed()

    def on_servicesDiscovered(self, given):
        if given["characteristics"]:
            self.enter()
            self.completed()
        else:
            self.do("disconnect", link=given["link"])

    def enter(self):
        for characteristic in self.wanted:
            self.operate("subscribe", characteristic=characteristic, on=True)
        self.operate("read", characteristic=TITLE)
        self.greet()

    def greet(self):
        hello = json.dumps({"name": self.name, "epoch": self.epoch, "last": self.last})
        self.operate("write", characteristic=NAME, octets=hello.encode().hex())

    # one operation at a time

    def operate(self, name, **members):
        self.link.operations.append((name, members))
        self.proceed()

    def proceed(self):
        link = self.link
        if not link or link.current:
            return
        if not link.operations and link.is_ready and self.unsaid:
            characteristic, octets = self.unsaid[0]
            link.operations.append(("write", {"characteristic": characteristic, "octets": octets.hex()}))
        if link.operations:
            link.current = link.operations.pop(0)
            self.do(link.current[0], link=link.number, **link.current[1])

    def completed(self):
        if self.link:
            self.link.current = None
            self.proceed()

    def on_subscribed(self, given):
        if not self.link or given["link"] != self.link.number:
            return
        name, members = self.link.current
        if not given["on"] and self.link.failures < 5:
            self.link.failures += 1
            self.link.operations.insert(0, (name, members))
            self.later(0.5)
        else:
            self.completed()

    def later(self, seconds):
        link = self.link
        self.after(seconds, lambda: self.completed() if self.link is link else None)

    def on_valueRead(self, given):
        if not self.link or given["link"] != self.link.number:
            return
        if given["octets"] is not None:
            what = {TITLE: "title", POSTER: "poster"}.get(given["characteristic"])
            if what:
                self.show(what, bytes.fromhex(given["octets"]).decode(errors="replace"))
        self.completed()

    def on_writeCompleted(self, given):
        link = self.link
        if not link or given["link"] != link.number:
            return
        if given["error"] is not None:
            if given["characteristic"] == NAME:
                link.operations.insert(0, link.current)
            self.later(0.5)
            return
        if given["characteristic"] == NAME:
            link.is_ready = True
        else:
            self.unsaid.pop(0)
        self.completed()

    def on_disconnected(self, given):
        if self.link and given["link"] == self.link.number:
            self.link = None
            self.look()

    def person(self, what, text):
        if what in ("say", "ring"):
            self.unsaid.append((SAID if what == "say" else BELL, text.encode()))
            self.proceed()
        elif what == "look" and self.link:
            self.operate("read", characteristic=POSTER)

    def on_valueReceived(self, given):
        octets = bytes.fromhex(given["octets"])
        if given["characteristic"] == TOLD:
            self.pieces(octets)
        else:
            what = {NEWS: "headline", ALARM: "alarm", TITLE: "title"}.get(given["characteristic"])
            if what:
                self.show(what, octets.decode(errors="replace"))

    def pieces(self, octets):
        self.link.received += octets
        while b"\n" in self.link.received:
            line, self.link.received = self.link.received.split(b"\n", 1)
            self.told(json.loads(line))

    def told(self, line):
        self.epoch, self.last = line["epoch"], line["number"]
        self.show("line", line["text"])


def serve(app):
    given = json.loads(sys.stdin.readline())
    app = app(given)
    print(json.dumps({"name": "hello", "protocol": 1, "implementation": "board", "reports": ["shows"]}), flush=True)
    for line in sys.stdin:
        given = json.loads(line)
        print(json.dumps({"at": given["at"], "effects": app.handle(given)}), flush=True)
