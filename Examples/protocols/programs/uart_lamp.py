"""A lamp that is switched by lines of text over the Nordic UART Service."""
from gatt import NOTIFY, WRITE, WRITE_WITHOUT_RESPONSE, Program

RX = "6E400002-B5A3-F393-E0A9-E50E24DCCA9E"
TX = "6E400003-B5A3-F393-E0A9-E50E24DCCA9E"


class Lamp(Program):
    name = "lamp 1"
    local_name = "lamp"
    service = "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"
    characteristics = {RX: WRITE | WRITE_WITHOUT_RESPONSE, TX: NOTIFY}

    def __init__(self):
        super().__init__()
        self.begun = {}  # by link: the line that is not whole yet

    def heard(self, link, characteristic, octets):
        lines = (self.begun.get(link, b"") + octets).split(b"\n")
        self.begun[link] = lines.pop()
        for line in lines:
            self.obey(link, line)

    def ended(self, link):
        self.begun.pop(link, None)

    def obey(self, link, line):
        if line == b"PING":
            self.answer(link, b"PONG")
        elif line.startswith(b"LEVEL ") and line[6:].isdigit():
            level = line[6:].decode()
            self.show("level", value=level)
            self.answer(link, b"OK " + line[6:])
        else:
            self.answer(link, b"ERROR")

    def answer(self, link, line):
        self.tell(TX, line + b"\n", link)


Lamp().run()
