"""Two Bumbles pair over our controllers: the keys are theirs, the encrypted link is ours."""

from bench import HERE, check

MIC_FAILURE = 0x3D
NUMBERS = {"numeric-comparison": 2, "numbers-differ": 2, "passkey": 1, "legacy-passkey": 1}


def pairing(bench):
    """Secure Connections and legacy pairing, each way; what needs encryption is refused before and read after."""
    with bench.serve(HERE / "room.yaml", ["guest-1", "guest-2"]) as serving:
        process = bench.start("bumble_pair.py", serving.transport("guest-1"), serving.transport("guest-2"))
        ways = bench.facts(process, 90)
        serving.interrupted()
    for facts in ways:
        way, meant = facts["way"], facts["way"] != "numbers-differ"
        ends = ["paired" if meant else "failed"] * 2
        check([facts["central"], facts["peripheral"]] == ends, f"{way}: the two ends say {facts}")
        check(facts["encrypted"] == [meant] * 2, f"{way}: is_encrypted is {facts['encrypted']}")
        check(facts["changes"] == (["central", "peripheral"] if meant else []), f"{way}: events at {facts['changes']}")
        check(facts["secure"] == [meant and "legacy" not in way] * 2, f"{way}: Secure Connections {facts['secure']}")
        check(len(facts["shown"]) == NUMBERS.get(way, 0), f"{way}: numbers shown {facts['shown']}")
        check(len(set(facts["shown"])) <= 1, f"{way}: the numbers differ: {facts['shown']}")
        reads = [facts["before"], facts["after"]]
        check(reads[0] == "INSUFFICIENT_ENCRYPTION", f"{way}: read without encryption: {reads[0]}")
        check(reads[1] == ("only for the paired" if meant else reads[0]), f"{way}: read afterwards: {reads[1]}")
        if meant and "legacy" in way:
            # The Bumble of requirements.txt keeps two keys of a legacy bond, and as peripheral gives the central's own
            # where its own is due. Two keys are no key: a link that is really encrypted ends with a MIC failure.
            check(facts["again"].get("ended") == [MIC_FAILURE], f"{way}: on the next link: {facts['again']}")
        elif meant:
            again = facts["again"]
            check(again["encrypted"] == [True, True] and again["before"] == reads[0] and again["after"] == reads[1],
                  f"{way}: on the next link: {again}")
    check(len(ways) == 6, f"{len(ways)} ways were tried")
    bench.note(f"paired: {', '.join(facts['way'] for facts in ways if facts['central'] == 'paired')}; "
               "refused when the numbers differ; the bond's key encrypts the next link, another key ends it")
