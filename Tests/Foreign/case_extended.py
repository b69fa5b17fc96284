"""Extended advertising between two Bumbles, which know nothing of how our controllers do it."""

from bench import check
from case_lockstep import ended, pair

BEACON, PERIPHERAL = "F0:F1:F2:F3:F4:F2", "F0:F1:F2:F3:F4:F1"


def extended(bench):
    """A Bumble advertises with extended PDUs on LE 1M and LE 2M; another one scans, asks, connects and reads."""
    for phy in (1, 2):
        digests = []
        for _ in range(2):
            with pair(bench, "h4:tcp:0", "h4:tcp:0") as (serving, (first, second), session):
                process = bench.start(
                    "bumble_extended.py", "--central", first, "--peripheral", second, "--phy", str(phy))
                central, peripheral = bench.facts(process, 60)
                digests.append(ended(serving)[0])
            for address, octets, sid in ((PERIPHERAL, 200, 1), (BEACON, 220, 2)):
                seen = central.get(address, {})
                check((seen.get("octets"), seen.get("sid"), seen.get("phy")) == (octets, sid, phy),
                      f"of {address} Bumble has seen {seen}")
            check(central["linkPHY"] == [phy, phy], f"the link is on {central['linkPHY']}")
            check(central["read"] == "by an AUX_CONNECT_REQ", f"Bumble has read {central['read']}")
            check(peripheral["room"] == 1650, f"Bumble believes in {peripheral['room']} octets")
        check(len(set(digests)) == 1, f"the digests are {digests}")
        again = bench.replay(session)
        check(again == digests[0], f"replay gave {again}, the sessions had {digests[0]}")
    bench.note("200 octets, a scan response of 220, and a link on the secondary PHY, on LE 1M and LE 2M")
