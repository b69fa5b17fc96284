"""The same board for phones that name attributes one by one, by key and by handle."""
import board
from board import SERVICE, SAID, TOLD, NEWS, BELL, ALARM, TITLE, NAME, POSTER

KEYS = {SAID: 1, TOLD: 2, NEWS: 3, BELL: 4, ALARM: 5, TITLE: 6, NAME: 7, POSTER: 8}


class Room(board.Room):
    permissions = {}

    def do(self, name, **members):
        if name == "publish":
            self.publish_by_key(members)
        elif name == "notify":
            members["type"] = members.pop("characteristic")
            super().do("gatt.notify", attribute=KEYS[members["type"]], **members)
        elif name != "setValue":
            super().do(name, **members)

    def publish_by_key(self, members):
        super().do("gatt.publish", service=0, type=members["service"], primary=True, included=[], characteristics=[
            {"attribute": KEYS[each["uuid"]], "type": each["uuid"], "properties": each["properties"],
             "permissions": self.permissions.get(each["uuid"], 3), "value": None, "descriptors": []}
            for each in members["characteristics"]])

    def on_radioPower(self, given):
        self.links = {}
        if given["on"]:
            self.advertise()  # the services stay

    def on_gatt_subscription(self, given):
        self.on_subscribed({**given, "characteristic": given["type"]})

    def on_gatt_notifySubmitted(self, given):
        self.on_submitted({**given, "characteristic": given["type"]})

    def on_gatt_readAsked(self, given):
        value = self.poster if given["type"] == POSTER else self.title
        self.do("gatt.answer", request=given["request"], value=self.from_offset(value.encode(), given["offset"]).hex(), error=None)

    def from_offset(self, value, offset):
        return value[offset:]

    def on_gatt_writesAsked(self, given):
        self.answer_write(given)
        self.on_valueReceived({**given, "characteristic": given["type"], "octets": self.joined(given["parts"])})

    def answer_write(self, given):
        if given["needsAnswer"]:
            self.do("gatt.answer", request=given["request"], value="", error=None)

    def joined(self, parts):
        return "".join(part["octets"] for part in sorted(parts, key=lambda part: part["offset"]))


class Guest(board.Guest):
    def __init__(self, hello):
        super().__init__(hello)
        self.handles = {}

    def do(self, name, **members):
        words = {"subscribe": "gatt.configure", "read": "gatt.read", "write": "gatt.write"}
        if name == "discover":
            self.discover_by_handle(members["link"])
        elif name in words:
            members["type"] = members.pop("characteristic")
            super().do(words[name], handle=self.handles.get(members["type"], 0), **members)
        else:
            super().do(name, **members)

    def discover_by_handle(self, link):
        super().do("gatt.discoverServices", link=link, types=[SERVICE])

    def service_of(self, services):
        return services[0] if services else None

    def on_gatt_services(self, given):
        service = self.service_of(given["services"])
        if service:
            super().do("gatt.discoverCharacteristics", link=given["link"], **service)
        else:
            self.do("disconnect", link=given["link"])

    def on_gatt_characteristics(self, given):
        self.handles = self.handles_of(given["characteristics"])
        self.found(given)

    def handles_of(self, characteristics):
        return {each["type"].upper(): each["handle"] for each in characteristics}

    def found(self, given):
        self.on_servicesDiscovered({"link": given["link"], "characteristics": list(self.handles)})

    def on_gatt_configured(self, given):
        self.on_subscribed({**given, "characteristic": given["type"].upper()})

    def on_gatt_valueRead(self, given):
        octets = None if given.get("error") is not None else given["octets"]
        self.on_valueRead({**given, "characteristic": given["type"].upper(), "octets": octets})

    def on_gatt_valueWritten(self, given):
        self.on_writeCompleted({**given, "characteristic": given["type"].upper()})

    def on_gatt_notified(self, given):
        self.on_valueReceived({**given, "characteristic": given["type"].upper()})
