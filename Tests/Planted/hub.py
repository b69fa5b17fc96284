"""A hub that collects what several sensors measure. Attributes by handle."""
from bleapp import App, serve

SERVICE = "5E450001-0B5E-4B1E-8D00-7C0FFEE05E45"
READING = "5E450002-0B5E-4B1E-8D00-7C0FFEE05E45"
ALARM = "5E450003-0B5E-4B1E-8D00-7C0FFEE05E45"
CONTROL = "5E450004-0B5E-4B1E-8D00-7C0FFEE05E45"
NOTE = "5E450005-0B5E-4B1E-8D00-7C0FFEE05E45"
LABEL = "5E450006-0B5E-4B1E-8D00-7C0FFEE05E45"


class Sensor:
    """A sensor as the hub knows it, over all its links."""

    def __init__(self, name):
        self.name, self.link = name, None
        self.handles, self.operations, self.is_busy, self.is_online = {}, [], False, False


class Hub(App):
    def __init__(self, hello):
        super().__init__(hello)
        self.sensors, self.links = {}, {}
        self.attempt = self.limit = None
        self.period = self.text = None

    def on_launched(self, given):
        self.look()

    def look(self):
        self.do("stopScanning")
        self.do("scan", services=[SERVICE])

    def on_radioPower(self, given):
        for link in list(self.links):
            self.lost(link)
        self.end_attempt()
        if given["on"]:
            self.look()

    def on_discovered(self, given):
        name = given["localName"]
        if self.attempt or name is None:
            return
        sensor = self.sensors.setdefault(name, Sensor(name))
        if sensor.link is not None:
            return
        self.attempt = (given["address"], sensor)
        self.limit = self.after(10, self.give_up)
        self.do("stopScanning")
        self.do("connect", address=given["address"])

    def end_attempt(self):
        if self.limit:
            self.cancel(self.limit)
        self.attempt = self.limit = None

    def give_up(self):
        self.do("cancelConnect", address=self.attempt[0])
        self.end_attempt()
        self.look()

    def on_connectFailed(self, given):
        self.end_attempt()
        self.after(1, self.look)

    def on_connected(self, given):
        sensor = self.attempt[1]
        self.end_attempt()
        sensor.link = given["link"]
        sensor.handles, sensor.operations, sensor.is_busy = {}, [], False
        self.links[given["link"]] = sensor
        self.ask(sensor, "exchangeMTU", attMTU=247)
        self.ask(sensor, "gatt.discoverServices", types=[SERVICE])
        self.look()

    def on_disconnected(self, given):
        if given["link"] in self.links:
            self.lost(given["link"])
            self.look()

    def lost(self, link):
        sensor = self.links.pop(link)
        sensor.link = None
        if sensor.is_online:
            sensor.is_online = False
            self.show("offline", sensor=sensor.name)

    # one operation at a time on each link

    def ask(self, sensor, name, **members):
        sensor.operations.append((name, members))
        self.proceed(sensor)

    def proceed(self, sensor):
        if sensor.operations and not sensor.is_busy and sensor.link is not None:
            sensor.is_busy = True
            name, members = sensor.operations[0]
            self.do(name, link=sensor.link, **members)

    def answered(self, given, name):
        sensor = self.links.get(given["link"])
        if sensor and sensor.is_busy and sensor.operations[0][0] == name:
            sensor.is_busy = False
            sensor.operations.pop(0)
            return sensor
        return None

    def on_attMTU(self, given):
        sensor = self.answered(given, "exchangeMTU")
        if sensor:
            self.proceed(sensor)

    def on_gatt_services(self, given):
        sensor = self.answered(given, "gatt.discoverServices")
        if sensor and given["services"]:
            service = given["services"][0]
            self.ask(sensor, "gatt.discoverCharacteristics", type=SERVICE, primary=True, start=service["start"], end=service["end"])

    def on_gatt_characteristics(self, given):
        sensor = self.answered(given, "gatt.discoverCharacteristics")
        if not sensor:
            return
        sensor.handles = {each["type"]: each["handle"] for each in given["characteristics"]}
        for type in (READING, ALARM):
            if type in sensor.handles:
                self.ask(sensor, "gatt.configure", handle=sensor.handles[type], type=type, on=True)
        if LABEL in sensor.handles:
            self.ask(sensor, "gatt.read", handle=sensor.handles[LABEL], type=LABEL)
        if self.period is not None:
            self.send_period(sensor)
        if self.text is not None:
            self.send_note(sensor)

    def on_gatt_configured(self, given):
        sensor = self.answered(given, "gatt.configure")
        if sensor:
            if given["error"] is not None:
                self.after(1, lambda: self.ask(sensor, "gatt.configure", handle=given["handle"], type=given["type"], on=True))
            self.proceed(sensor)

    def on_gatt_valueRead(self, given):
        sensor = self.answered(given, "gatt.read")
        if sensor:
            if given["error"] is None:
                sensor.is_online = True
                self.show("online", sensor=sensor.name)
                self.show("label", text=bytes.fromhex(given["octets"]).decode(errors="replace"))
            self.proceed(sensor)

    def on_gatt_valueWritten(self, given):
        sensor = self.answered(given, "gatt.write")
        if sensor:
            if given["error"] is not None:
                self.after(1, lambda: self.send_period(sensor) if given["type"] == CONTROL else self.send_note(sensor))
            self.proceed(sensor)

    def on_gatt_servicesChanged(self, given):
        sensor = self.links.get(given["link"])
        if sensor:
            sensor.handles = {}
            self.ask(sensor, "gatt.discoverServices", types=[SERVICE])

    def on_gatt_notified(self, given):
        sensor, octets = self.links.get(given["link"]), bytes.fromhex(given["octets"])
        if not sensor:
            return
        if given["type"] == READING and len(octets) == 3:
            self.show("reading", sensor=sensor.name, value=int.from_bytes(octets[1:], "little", signed=True))
        elif given["type"] == ALARM:
            self.show("alarm", sensor=sensor.name, text=octets.decode(errors="replace"))

    def send_period(self, sensor):
        if CONTROL in sensor.handles:
            self.ask(sensor, "gatt.write", handle=sensor.handles[CONTROL], type=CONTROL, octets=bytes([self.period]).hex())

    def send_note(self, sensor):
        if NOTE in sensor.handles:
            self.ask(sensor, "gatt.write", handle=sensor.handles[NOTE], type=NOTE, octets=self.text.encode().hex())

    def person_set(self, period):
        self.period = int(period)
        for sensor in self.links.values():
            self.send_period(sensor)

    def person_note(self, text):
        self.text = text
        for sensor in self.links.values():
            self.send_note(sensor)


serve(Hub)
