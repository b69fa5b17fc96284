"""A strap with the Heart Rate Service: it notifies each beat, and counts the energy until a collector resets it."""
from gatt import NOTIFY, READ, WRITE, Program

MEASUREMENT, LOCATION, CONTROL = "2A37", "2A38", "2A39"


class Sensor(Program):
    name = "strap 1"
    service = "180D"
    characteristics = {MEASUREMENT: NOTIFY, LOCATION: READ, CONTROL: WRITE}
    energy = 0

    def does(self, what, values):
        rate = int(values["rate"])
        self.energy += 1
        flags, octets = 8, [rate]
        if rate > 255:
            flags, octets = flags | 1, list(rate.to_bytes(2, "little"))
        octets = [flags] + octets + list(self.energy.to_bytes(2, "little"))
        self.tell(MEASUREMENT, octets)

    def heard(self, link, characteristic, octets):
        if characteristic == CONTROL and octets == bytes([1]):
            self.energy = 0


Sensor().run()
