"""A room and a guest of the board, without a defect; the cases change one thing each."""
import json
import sys

SERVICE = "B0A40001-7E57-4B0A-8D00-5A1D0C0FFEE0"
SAID = "B0A40002-7E57-4B0A-8D00-5A1D0C0FFEE0"
TOLD = "B0A40003-7E57-4B0A-8D00-5A1D0C0FFEE0"
NEWS = "B0A40004-7E57-4B0A-8D00-5A1D0C0FFEE0"
BELL = "B0A40005-7E57-4B0A-8D00-5A1D0C0FFEE0"
READ, COMMAND, WRITE, NOTIFY, INDICATE = 2, 4, 8, 16, 32
SECOND = 1_000_000_000


class App:
    """What both have: effects, timers with a function each."""

    def __init__(self, hello):
        self.hello, self.effects, self.now, self.timers = hello, [], 0, {}
        self.count_of_timers = 0

    def do(self, name, **members):
        self.effects.append({"name": name, **members})

    def after(self, seconds, work):
        self.count_of_timers += 1
        self.timers[self.count_of_timers] = work
        self.do("setTimer", timer=self.count_of_timers, at=self.now + int(seconds * SECOND))

    def show(self, what, text):
        self.do("shows", what=what, values=[{"name": "text", "value": text}])

    def handle(self, given):
        self.now, self.effects = given["at"], []
        method = getattr(self, "on_" + given["name"].replace(".", "_"), None)
        if method:
            method(given)
        return self.effects

    def on_timer(self, given):
        self.timers.pop(given["timer"])()

    def on_user(self, given):
        if given["action"] == "does":
            self.person(given["what"], given["values"][0]["value"])


class Link:
    def __init__(self, number, address):
        self.number, self.address = number, address
        self.att_mtu, self.wants, self.waiting, self.is_busy, self.is_known = 23, set(), [], False, False


class Room(App):
    local_name = "board"

    def __init__(self, hello):
        super().__init__(hello)
        self.links = {}

    def on_launched(self, given):
        self.publish()
        self.advertise()

    def publish(self):
        self.do("publish", service=SERVICE, characteristics=[
            {"uuid": SAID, "properties": WRITE | COMMAND}, {"uuid": TOLD, "properties": NOTIFY},
            {"uuid": NEWS, "properties": NOTIFY}, {"uuid": BELL, "properties": WRITE}])

    def advertise(self):
        self.do("advertise", localName=self.local_name, services=[SERVICE])

    def on_radioPower(self, given):
        self.links = {}
        if given["on"]:
            self.on_launched(given)

    def on_connected(self, given):
        self.links[given["link"]] = Link(given["link"], given["address"])
        self.advertise()  # a phone stops when a link comes

    def on_disconnected(self, given):
        self.links.pop(given["link"], None)
        self.advertise()

    def on_attMTU(self, given):
        self.links[given["link"]].att_mtu = given["attMTU"]

    def on_subscribed(self, given):
        wants = self.links[given["link"]].wants
        (wants.add if given["on"] else wants.discard)(given["characteristic"])

    def person(self, what, text):
        self.tell_all(TOLD if what == "announce" else NEWS, text)

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
        self.proceed(self.links[given["link"]])

    def on_valueReceived(self, given):
        text = bytes.fromhex(given["octets"]).decode(errors="replace")
        if given["characteristic"] == SAID:
            self.heard(given["link"], text)
        elif given["characteristic"] == BELL:
            self.show("rang", text)

    def heard(self, link, text):
        self.tell_all(TOLD, text)


class Guest(App):
    def __init__(self, hello):
        super().__init__(hello)
        self.attempt = self.link = None
        self.unsaid = []

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

    def on_connectFailed(self, given):
        self.attempt = None
        self.look()

    def on_connected(self, given):
        self.attempt, self.link = None, Link(given["link"], given["address"])
        self.do("exchangeMTU", link=given["link"], attMTU=185)

    def on_attMTU(self, given):
        self.link.att_mtu = given["attMTU"]
        if not self.link.is_known:
            self.link.is_known = True
            self.do("discover", link=given["link"], service=SERVICE)

    def on_servicesDiscovered(self, given):
        self.wanted = [TOLD, NEWS]
        self.subscribe()

    def subscribe(self):
        if self.wanted:
            self.do("subscribe", link=self.link.number, characteristic=self.wanted.pop(0), on=True)
        else:
            self.ready()

    def on_subscribed(self, given):
        self.subscribe()

    def ready(self):
        self.link.wants.add(SAID)
        self.proceed()

    def on_disconnected(self, given):
        self.link = None
        self.look()

    def person(self, what, text):
        self.unsaid.append((SAID if what == "say" else BELL, text.encode()))
        self.proceed()

    def proceed(self):
        if self.link and SAID in self.link.wants and self.unsaid and not self.link.is_busy:
            self.link.is_busy = True
            self.write(*self.unsaid[0])

    def write(self, characteristic, octets):
        self.do("write", link=self.link.number, characteristic=characteristic, octets=octets.hex())

    def on_writeCompleted(self, given):
        self.link.is_busy = False
        self.unsaid.pop(0)
        self.proceed()

    def on_valueReceived(self, given):
        what = {TOLD: "line", NEWS: "headline"}.get(given["characteristic"])
        if what:
            self.show(what, bytes.fromhex(given["octets"]).decode(errors="replace"))


def serve(app):
    given = json.loads(sys.stdin.readline())
    app = app(given)
    print(json.dumps({"name": "hello", "protocol": 1, "implementation": type(app).__name__, "reports": ["shows"]}), flush=True)
    for line in sys.stdin:
        given = json.loads(line)
        print(json.dumps({"at": given["at"], "effects": app.handle(given)}), flush=True)
