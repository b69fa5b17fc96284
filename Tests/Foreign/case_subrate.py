"""Connection subrating and the transfer of a train between two Bumbles."""

from bench import check
from case_lockstep import ended, pair


def subrate(bench):
    """Two Bumbles subrate a link, each on its own word, and one tells the other of its train over it."""
    digests = []
    for _ in range(2):
        with pair(bench, "h4:tcp:0", "h4:tcp:0") as (serving, (first, second), session):
            process = bench.start("bumble_subrate.py", "--central", first, "--peripheral", second)
            central, peripheral = bench.facts(process, 60)
            digests.append(ended(serving)[0])
        check(central["features"] == 3, f"Bumble has seen the features {central['features']}")
        check(central["own"] == [10, 2, 0, 6000], f"the central has {central['own']}")
        check(peripheral["refusal"] == 0x20, f"the refusal was {peripheral.get('refusal')}")
        check(peripheral["own"] == [4, 2, 0, 3000], f"the peripheral has {peripheral['own']}")
        check(central["asked"] == peripheral["own"], f"the central has {central['asked']}")
        check((peripheral["interval"], peripheral["sid"]) == (100, 3), f"Bumble was told of {peripheral}")
        check(peripheral["lengths"] == [120], f"Bumble has heard {peripheral['lengths']}")
        check(0 < peripheral["found"] - central["told"] < 1e6, f"it was found at {peripheral['found']}")
    check(len(set(digests)) == 1, f"the digests are {digests}")
    again = bench.replay(session)
    check(again == digests[0], f"replay gave {again}, the sessions had {digests[0]}")
    bench.note("factors 10 and 4, a refusal with 0x20, and a train that was found without a scan")
