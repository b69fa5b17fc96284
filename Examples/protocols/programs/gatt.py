"""The seam of the bench for a program that publishes one service: it queues what is told, and advertises again."""
import json
import sys

READ, WRITE_WITHOUT_RESPONSE, WRITE, NOTIFY, INDICATE = 2, 4, 8, 16, 32


class Program:
    """Subclasses answer `heard` and `does`; they `tell` and `show`."""

    name = "a program"
    local_name = ""
    service = ""
    characteristics = {}  # UUID: properties

    def __init__(self):
        self.effects = []
        self.links = []
        self.subscribed = []  # (link, characteristic)
        self.waiting = {}     # by link: (characteristic, octets); the first of them is with the phone

    def heard(self, link, characteristic, octets):
        """A client has written."""

    def does(self, what, values):
        """The user does something."""

    def ended(self, link):
        """A link is gone."""

    def show(self, what, **values):
        values = [{"name": name, "value": str(value)} for name, value in values.items()]
        self.effects.append({"name": "shows", "what": what, "values": values})

    def tell(self, characteristic, octets, only=None):
        """Sends a value to everybody who wants it, or to one link only."""
        for link, wanted in list(self.subscribed):
            if wanted == characteristic and only in (None, link):
                queue = self.waiting.setdefault(link, [])
                queue.append((characteristic, bytes(octets)))
                if len(queue) == 1:
                    self.send(link)

    def send(self, link):
        characteristic, octets = self.waiting[link][0]
        self.effects.append(
            {"name": "notify", "link": link, "characteristic": characteristic, "octets": octets.hex()})

    def advertise(self):
        self.effects.append({"name": "advertise", "localName": self.local_name, "services": [self.service]})

    def handle(self, given):
        name, link = given["name"], given.get("link")
        if name == "launched":
            kinds = [{"uuid": uuid, "properties": kinds} for uuid, kinds in self.characteristics.items()]
            self.effects.append({"name": "publish", "service": self.service, "characteristics": kinds})
            self.advertise()
        elif name == "connected":
            self.links.append(link)
            self.advertise()  # phones of the bench go on by themselves, others may not
        elif name == "disconnected":
            self.links = [other for other in self.links if other != link]
            self.subscribed = [pair for pair in self.subscribed if pair[0] != link]
            self.waiting.pop(link, None)
            self.ended(link)
        elif name == "subscribed":
            pair = (link, given["characteristic"].upper())
            self.subscribed = [other for other in self.subscribed if other != pair] + ([pair] if given["on"] else [])
        elif name == "submitted":
            queue = self.waiting.get(link)
            if queue and given["accepted"]:
                queue.pop(0)
                if queue:
                    self.send(link)
        elif name == "readyToSend":
            if self.waiting.get(link):
                self.send(link)
        elif name == "valueReceived":
            self.heard(link, given["characteristic"].upper(), bytes.fromhex(given["octets"]))
        elif name == "user":
            self.does(given["what"], {pair["name"]: pair["value"] for pair in given["values"]})

    def run(self):
        sys.stdin.readline()
        # It shows whatever there is to show: what it does not show counts.
        self.say({"name": "hello", "protocol": 1, "implementation": self.name, "reports": ["shows"]})
        for line in sys.stdin:
            given = json.loads(line)
            self.effects = []
            self.handle(given)
            self.say({"at": given["at"], "effects": self.effects})

    @staticmethod
    def say(message):
        print(json.dumps(message), flush=True)
