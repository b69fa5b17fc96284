"""A glucose meter with three records and the Record Access Control Point."""
from gatt import INDICATE, NOTIFY, READ, WRITE, Program

MEASUREMENT, FEATURE, ACCESS = "2A18", "2A51", "2A52"
REPORT, ABORT, COUNT, NUMBER, RESPONSE = 1, 3, 4, 5, 6
ALL, FROM = 1, 3
SUCCESS, NO_OPCODE, BAD_OPERATOR, NO_RECORDS = 1, 2, 3, 6


class Meter(Program):
    name = "meter 1"
    service = "1808"
    characteristics = {MEASUREMENT: NOTIFY, FEATURE: READ, ACCESS: WRITE | INDICATE}
    records = [1, 2, 3]  # sequence numbers

    def heard(self, link, characteristic, octets):
        if characteristic != ACCESS or len(octets) < 2:
            return
        opcode, operator, operand = octets[0], octets[1], octets[2:]
        chosen = self.chosen(operator, operand)
        if opcode == REPORT:
            for sequence in chosen or []:
                self.tell(MEASUREMENT, self.record(sequence), link)
            code = BAD_OPERATOR if chosen is None else SUCCESS if chosen else NO_RECORDS
            self.respond(link, opcode, code)
        elif opcode == COUNT and chosen is not None:
            self.tell(ACCESS, bytes([NUMBER, 0]) + len(chosen).to_bytes(2, "little"), link)
        elif opcode == ABORT:
            self.respond(link, opcode, SUCCESS)

    def chosen(self, operator, operand):
        if operator == ALL:
            return self.records
        if operator == FROM and len(operand) == 3:
            return [number for number in self.records if number >= int.from_bytes(operand[1:], "little")]
        return None

    def respond(self, link, opcode, code):
        self.tell(ACCESS, [RESPONSE, 0, opcode, code], link)

    @staticmethod
    def record(sequence):
        day = (2026).to_bytes(2, "little") + bytes([1, 2, 8, 0, 0])
        return bytes([0]) + sequence.to_bytes(2, "little") + day


Meter().run()
