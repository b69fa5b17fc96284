"""Periodic advertising between two Bumbles, which know nothing of how our controllers do it."""

from bench import check
from case_lockstep import ended, pair


def periodic(bench):
    """A Bumble advertises periodically on LE 1M and LE 2M; another one synchronises, takes the data, and loses it."""
    for phy in (1, 2):
        digests = []
        for _ in range(2):
            with pair(bench, "h4:tcp:0", "h4:tcp:0") as (serving, (first, second), session):
                process = bench.start(
                    "bumble_periodic.py", "--scanner", first, "--advertiser", second, "--phy", str(phy))
                scanner, advertiser = bench.facts(process, 60)
                digests.append(ended(serving)[0])
            check(advertiser["supported"], "Bumble believes in no periodic advertising")
            check((scanner["interval"], scanner["phy"]) == (100, phy), f"Bumble has synchronised with {scanner}")
            check(scanner["powers"] == [0], f"Bumble has seen TxPower {scanner['powers']}")
            reports = scanner["reports"]
            check({octets for _, octets, _ in reports} == {250, 20}, f"Bumble has seen {reports}")
            check(not any(truncated for _, _, truncated in reports), f"data are cut off: {reports}")
            gaps = {round((later[0] - earlier[0]) / 1e5) for earlier, later in zip(reports, reports[1:])}
            check(gaps <= {1, 2, 3}, f"times between reports are {gaps}")
            check(0.9e6 < scanner["lost"] - reports[-1][0] < 1.1e6, f"it was lost at {scanner['lost']}: {reports[-1]}")
        check(len(set(digests)) == 1, f"the digests are {digests}")
        again = bench.replay(session)
        check(again == digests[0], f"replay gave {again}, the sessions had {digests[0]}")
    bench.note("250 and 20 octets every 100 ms, and Sync Lost a second after the last, on LE 1M and LE 2M")
