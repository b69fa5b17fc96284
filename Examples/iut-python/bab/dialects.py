"""The three published GATT profiles (bab.md 2) and their numbers."""

READ, WRITE_WITHOUT_RESPONSE, WRITE, NOTIFY = 0x02, 0x04, 0x08, 0x10
SECOND = 1_000_000_000


class Dialect:
    """One column of the table in section 2."""

    def __init__(self, service, command, state, others, capacity, att_mtu, attempt, scan, points):
        self.service = service
        self.command, self.state = command[0], state[0]
        self.characteristics = [command, state] + others
        self.capacity = capacity
        self.att_mtu = att_mtu
        self.attempt = attempt * SECOND
        self.scan = scan and scan * SECOND
        self.points = points
        self.counts_extra_words = False  # 6.11
        self.scan_filter = [] if service.startswith("BAB10000") else [service]

    def local_name(self, peer_id, display_name):
        if self.points == "sdk":
            return "bab-game-" + peer_id
        return "BAB-" + display_name[:8] if not self.scan_filter else "BabLanguage Game"

    def is_host(self, local_name, services):
        """2.5: what an advertiser shows makes it a host, and nothing else."""
        if self.scan_filter:
            return self.service in services
        return (local_name or "").startswith("BAB-")


_BOTH = WRITE | WRITE_WITHOUT_RESPONSE


def dialect(name):
    """The dialect of this name."""
    if name == "sdk":
        return Dialect("BAB1", ("BAB2", _BOTH), ("BAB3", NOTIFY), [("BAB4", NOTIFY)], 8, 185, 10, None, "sdk")
    if name == "guide":
        base = "12345678-1234-1234-1234-123456789AB"
        guide = Dialect(base + "C", (base + "D", _BOTH), (base + "E", NOTIFY), [], 8, 185, 10, None, "guide")
        guide.counts_extra_words = True
        return guide
    if name == "app":
        base = "BAB10000-1A46-0001-0000-00000000000"
        others = [(base + "4", WRITE | NOTIFY), (base + "5", READ | NOTIFY)]
        return Dialect(base + "1", (base + "3", WRITE), (base + "2", READ | NOTIFY), others, 4, 517, 30, 15, "guide")
    raise ValueError("unknown dialect " + name)
