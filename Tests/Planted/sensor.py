"""A sensor with readings, alarms, a period that the hub sets, a note and a label. Attributes by key."""
from bleapp import App, serve, SECOND, READ, WRITE, NOTIFY, INDICATE

SERVICE = "5E450001-0B5E-4B1E-8D00-7C0FFEE05E45"
READING = "5E450002-0B5E-4B1E-8D00-7C0FFEE05E45"
ALARM = "5E450003-0B5E-4B1E-8D00-7C0FFEE05E45"
CONTROL = "5E450004-0B5E-4B1E-8D00-7C0FFEE05E45"
NOTE = "5E450005-0B5E-4B1E-8D00-7C0FFEE05E45"
LABEL = "5E450006-0B5E-4B1E-8D00-7C0FFEE05E45"
TYPES = {2: READING, 3: ALARM, 4: CONTROL, 5: NOTE, 6: LABEL}
MAY_READ, MAY_WRITE = 1, 2


class Sensor(App):
    def __init__(self, hello):
        super().__init__(hello)
        self.label = f"{self.name}-third-shelf-left-side-calibrated-by-Miller-last-spring-filter-due-every-June"
        self.hubs = {}  # by link: what it has subscribed to
        self.sequence, self.reading, self.is_busy = None, None, False
        self.alarms, self.is_alarming = [], False
        self.is_published = False

    def on_launched(self, given):
        self.publish()
        self.advertise()

    def publish(self):
        self.do("gatt.publish", service=1, type=SERVICE, primary=True, included=[], characteristics=[
            {"attribute": 2, "type": READING, "properties": NOTIFY, "permissions": MAY_READ, "value": None, "descriptors": []},
            {"attribute": 3, "type": ALARM, "properties": INDICATE, "permissions": MAY_READ, "value": None, "descriptors": []},
            {"attribute": 4, "type": CONTROL, "properties": WRITE, "permissions": MAY_WRITE, "value": None, "descriptors": []},
            {"attribute": 5, "type": NOTE, "properties": WRITE, "permissions": MAY_WRITE, "value": None, "descriptors": []},
            {"attribute": 6, "type": LABEL, "properties": READ, "permissions": MAY_READ, "value": None, "descriptors": []}])

    def advertise(self):
        self.do("advertise", localName=self.name, services=[SERVICE])

    def on_radioPower(self, given):
        self.hubs, self.is_busy, self.is_alarming = {}, False, False
        if given["on"]:
            self.advertise()

    def on_connected(self, given):
        self.hubs[given["link"]] = set()

    def on_disconnected(self, given):
        self.hubs.pop(given["link"], None)
        self.is_busy = self.is_alarming = False
        self.advertise()

    def on_gatt_subscription(self, given):
        wants = self.hubs.get(given["link"])
        if wants is None:
            return
        (wants.add if given["on"] else wants.discard)(given["attribute"])
        if given["attribute"] == 2 and given["on"] and self.reading is not None:
            self.tell_reading(given["link"])
        self.tell_alarm()

    def tell_reading(self, link):
        octets = bytes([self.sequence]) + self.reading.to_bytes(2, "little", signed=True)
        self.do("gatt.notify", link=link, attribute=2, type=READING, octets=octets.hex())

    def tell_alarm(self):
        links = [link for link, wants in self.hubs.items() if 3 in wants]
        if self.alarms and links and not self.is_alarming:
            self.is_alarming = True
            self.do("gatt.notify", link=links[0], attribute=3, type=ALARM, octets=self.alarms[0].encode().hex())

    def on_gatt_notifySubmitted(self, given):
        if given["attribute"] == 3 and not given["accepted"]:
            self.is_alarming = False
        elif given["attribute"] == 2 and not given["accepted"]:
            self.is_behind = True

    is_behind = False

    def on_readyToSend(self, given):
        if self.is_behind and given["link"] in self.hubs:
            self.is_behind = False
            self.tell_reading(given["link"])
        self.tell_alarm()

    def on_gatt_confirmed(self, given):
        if self.is_alarming:
            self.is_alarming = False
            self.alarms.pop(0)
            self.tell_alarm()

    def on_gatt_readAsked(self, given):
        value = self.label.encode() if given["attribute"] == 6 else b""
        self.do("gatt.answer", request=given["request"], value=value[given["offset"]:].hex(), error=None)

    def on_gatt_writesAsked(self, given):
        octets = b""
        for part in given["parts"]:
            octets = octets[:part["offset"]] + bytes.fromhex(part["octets"])
        if given["needsAnswer"]:
            self.do("gatt.answer", request=given["request"], value="", error=None)
        if given["type"] == CONTROL:
            self.show("period", seconds=octets[0])
        elif given["type"] == NOTE:
            self.show("note", text=octets.decode(errors="replace"))

    def person_measure(self, value):
        if self.sequence is None:
            self.sequence = self.now // SECOND % 256
        self.sequence = (self.sequence + 1) % 256
        self.reading = int(value)
        for link, wants in self.hubs.items():
            if 2 in wants:
                self.tell_reading(link)

    def person_update(self, text):
        """New firmware: the same service after one for the battery."""
        self.do("gatt.unpublish", service=1)
        self.hubs = {link: set() for link in self.hubs}
        self.is_alarming = False
        self.do("gatt.publish", service=7, type="180F", primary=True, included=[], characteristics=[
            {"attribute": 8, "type": "2A19", "properties": READ, "permissions": MAY_READ, "value": "55", "descriptors": []}])
        self.publish()

    def person_alarm(self, text):
        self.alarms.append(text)
        self.tell_alarm()


serve(Sensor)
