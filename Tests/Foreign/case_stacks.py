"""Two stacks in C, NimBLE over TCP and BTstack at a pseudo-terminal, on our controllers: each session with results and
without, since a world whose air is captured handles every connection event and another skips idle ones."""

import contextlib
import functools
import re
import time
from concurrent.futures import ThreadPoolExecutor

from bench import HERE, Failed, check
from c_peer import CPeer, need_stacks

TERMINAL = "=h4:pty"
SUPERVISION_TIMEOUT = 0x08
RESOLVABLE = 0b01  # the two most significant bits of a resolvable private address
NEEDS_SECURITY = (0x05, 0x0F)  # Insufficient Authentication, Insufficient Encryption
READ, WRITE_COMMAND, WRITE, NOTIFY = 0x02, 0x04, 0x08, 0x10
SERVICE, WORD, SINK, SOURCE = (f"50a1b2c3-00{number}-4000-8000-00805f9b34fb" for number in (30, 31, 32, 33))
CCCD = "0x2902"
LE_2M = 2  # as a PHY and as a set of PHYs
SECRET = b"only for the paired".hex()
# Who has the seats of a session: a central, its peripheral, and who tells the scenario what is to happen.
ONE_WAY, OTHER_WAY = ["nimble", "btstack"], ["btstack", "nimble"]


def in_sessions(scenario, *casts):
    """Makes a test of a function that gets the peers of a session and says what it saw: a session for each cast, with
    results and without, side by side, and each replayed with captures and without."""
    def made(function):
        @functools.wraps(function)
        def test(bench):
            need_stacks()
            side_by_side([
                lambda cast=cast, has_results=has_results: session(function, bench, scenario, cast, has_results)
                for has_results in (False, True) for cast in casts])
        return test
    return made


def session(function, bench, scenario, cast, has_results):
    seats = {f"guest-{number}": stack for number, stack in enumerate(cast, 1)}
    label = f"{cast[0]} to {cast[1]} with{'' if has_results else 'out'} --out"
    with contextlib.ExitStack() as stack:
        ports = [seat + (TERMINAL if kind == "btstack" else "") for seat, kind in seats.items()]
        serving = stack.enter_context(
            bench.serve(HERE / scenario, ports, "--begin", "all-hosts", has_results=has_results))
        serving.label = label + ": "
        peers = []
        for number, (seat, kind) in enumerate(seats.items()):
            peers.append(CPeer(serving, kind, seat, f"F0:F1:F2:F3:F4:E{number}"))
            stack.callback(peers[-1].stop)
        try:
            for peer in peers:
                peer.wait("ready")
            facts = function(*peers)
            result = serving.interrupted(least_judged=0)  # no app of ours may be there
            again = bench.replay(serving.session, "--out", bench.unused("replayed"))
            check(again == result["digest"], f"replay with captures gave {again}, the session had {result['digest']}")
        except Failed as failure:
            raise Failed(f"{label}: {failure}") from failure
    events = re.search(r"\d+ connection events \(\d+ skipped while idle", serving.text)
    bench.note(f"{label}: {facts}; {events[0]}); digest {result['digest']}, in both replays too")


def side_by_side(parts):
    """Runs these at once and gives their results. When some of them fail, all that they found is said."""
    with ThreadPoolExecutor(len(parts)) as threads:
        running = [threads.submit(part) for part in parts]
    findings = [str(each.exception()) for each in running if isinstance(each.exception(), Failed)]
    check(not findings, "\n".join(findings))
    return [each.result() for each in running]


def met(central, peripheral):
    """A link between two peers; what the central has discovered."""
    name = "to-" + central.name.split()[-1]
    peripheral.ask("advertise", name, event="advertising")
    central.connect(name)
    while peripheral.wait("connected")["status"] != 0:
        pass
    return central.discover()


@in_sessions("room.yaml", ONE_WAY)
def discovery(nimble, btstack):
    """NimBLE and BTstack find our lobby and each other, and discover the same everywhere."""
    def lobby(peer):
        value = peer.connect("bab-game")
        found = peer.discover()
        peer.leave()
        return value, found
    seen = side_by_side([lambda: lobby(nimble), lambda: lobby(btstack)])
    for (att_mtu, found), peer in zip(seen, (nimble, btstack)):
        check(att_mtu == 247, f"{peer.name}: ATT_MTU {att_mtu} with our host")
        check(("0xbab1", "0xbab2") in found, f"{peer.name} found at our host {sorted(found)}")
    check(seen[0][1] == seen[1][1], f"NimBLE found {seen[0][1]}, BTstack {seen[1][1]}")
    for central, peripheral in ((nimble, btstack), (btstack, nimble)):
        found = met(central, peripheral)
        properties = {uuid: found[SERVICE, uuid][1] for uuid in (WORD, SINK, SOURCE) if (SERVICE, uuid) in found}
        meant = {WORD: READ, SINK: WRITE | WRITE_COMMAND, SOURCE: NOTIFY}
        check(properties == meant, f"{central.name} found at the other {properties}")
        check(CCCD in found[SERVICE, SOURCE][2], f"{central.name}: no CCCD of the notifying characteristic")
        central.leave()
        peripheral.wait("disconnected")
    return f"{len(seen[0][1])} characteristics at our host"


# With its static address, and with resolvable private ones that the controller generates and BTstack resolves.
@in_sessions(
    "vanish.yaml", [*ONE_WAY, "nimble"], [*OTHER_WAY, "nimble"], ["nimble private", "btstack", "nimble private"],
    ["btstack", "nimble private", "nimble private"])
def bonds(central, peripheral, signal):
    """NimBLE and BTstack pair by numbers, one end vanishes, and the bond's key encrypts the next link."""
    word = paired(central, peripheral)
    time.sleep(0.5)
    signal.ask("advertise", "gone", event="advertising")
    for peer in (central, peripheral):
        reason = peer.wait("disconnected")["reason"]
        check(reason == SUPERVISION_TIMEOUT, f"{peer.name}: the link to one that vanished ended with {reason:#x}")
    signal.ask("advertise", "back", event="advertising")
    came_back(central, peripheral, word)
    return "a bond used after a supervision timeout"


def paired(central, peripheral):
    """Pairing by numeric comparison: the handle of what needs encryption."""
    word = met(central, peripheral)[SERVICE, WORD][0]
    central.say("read", word)
    before = central.wait("read")["status"]
    check(before in NEEDS_SECURITY, f"{central.name}: read without encryption: {before:#x}")
    central.say("pair")
    numbers = [peer.wait("number")["value"] for peer in (central, peripheral)]
    check(len(set(numbers)) == 1, f"{central.name} and its peer show {numbers}")
    for peer in (central, peripheral):
        status = peer.wait("paired")["status"]
        check(status == 0, f"{peer.name}: pairing ended with {status:#x}")
    encrypted(central, peripheral, word)
    return word


def encrypted(central, peripheral, word):
    for peer in (central, peripheral):
        event = peer.wait("encrypted")
        check(event["status"] == 0 and event["encrypted"], f"{peer.name}: {event}")
    value = central.ask("read", word, event="read")["value"]
    check(value == SECRET, f"{central.name}: read over the encrypted link: {value}")


def came_back(central, peripheral, word):
    """The next link of a bond: refused before it is encrypted, and no pairing."""
    met(central, peripheral)
    for peer, other in ((central, peripheral), (peripheral, central)):
        if other.is_private:
            seen = peer.events("connected")[-1]["address"]
            check(int(seen[:2], 16) >> 6 == RESOLVABLE, f"{peer.name}: a private peer came with the address {seen}")
    central.say("read", word)
    before = central.wait("read")["status"]
    check(before in NEEDS_SECURITY, f"{central.name}: read without encryption on the next link: {before:#x}")
    central.say("pair")
    encrypted(central, peripheral, word)
    for peer in (central, peripheral):
        check(len(peer.events("number")) == 1, f"{peer.name} paired again")


@in_sessions("two.yaml", ONE_WAY, OTHER_WAY)
def update(central, peripheral):
    """Either end asks for other connection parameters or another PHY on a link that was idle for 1.5 s; it lives on."""
    word = met(central, peripheral)[SERVICE, WORD][0]
    # Interval in 1.25 ms, latency in events, supervision timeout in 10 ms.
    changes = [(central, (12, 0, 100)), (peripheral, (40, 0, 200)), (central, (80, 2, 300)), (peripheral, (24, 0, 200))]
    for asking, meant in changes:
        seen = {peer: len(peer.events("updated")) for peer in (central, peripheral)}
        time.sleep(1.5)
        interval, latency, timeout = meant
        asking.say("update", interval, interval, latency, timeout)
        for peer in (central, peripheral):
            peer.taken["updated"] = seen[peer]
            event = peer.wait("updated", 10)
            now = tuple(event[key] for key in ("interval", "latency", "timeout"))
            check(event["status"] == 0 and now == meant, f"{asking.name} asked for {meant}; {peer.name} says {event}")
    time.sleep(1.5)
    peripheral.say("phy", LE_2M)
    for peer in (central, peripheral):
        event = peer.wait("phy", 10)
        now = [event.get(key) for key in ("status", "transmit", "receive")]
        check(now == [0, LE_2M, LE_2M], f"the peripheral asked for LE 2M; {peer.name} says {event}")
    time.sleep(1.5)
    for peer in (central, peripheral):
        check(not peer.events("disconnected"), f"{peer.name} lost the link: {peer.events('disconnected')}")
    central.say("read", word)
    check(central.wait("read")["status"] in NEEDS_SECURITY, f"{central.name}: the link does not carry an answer")
    return f"{len(changes)} updates of an idle link, and LE 2M"


VALUES, OCTETS = 400, 180


@in_sessions("two.yaml", ONE_WAY, OTHER_WAY)
def stream(central, peripheral):
    """Notifications one way and write commands the other at once, every value in order and unchanged."""
    found = met(central, peripheral)
    _, _, descriptors = found[SERVICE, SOURCE]
    central.ask("write", descriptors[CCCD], "0100", event="written")
    began = time.monotonic()
    peripheral.say("notify", VALUES, OCTETS)
    central.say("pour", found[SERVICE, SINK][0], VALUES, OCTETS)
    for peer in (central, peripheral):
        event = peer.wait("streamed", 40)
        check(event["status"] == 0 and event["values"] == VALUES, f"{peer.name}: {event}")
    central.say("read", found[SERVICE, WORD][0])  # its answer comes after all that was sent before it, either way
    check(central.wait("read")["status"] in NEEDS_SECURITY, f"{central.name}: the link does not carry an answer")
    seconds = time.monotonic() - began
    for peer in (central, peripheral):
        tally = peer.ask("tally", event="tally")
        meant = {"event": "tally", "values": VALUES, "wrong": 0, "octets": VALUES * OCTETS}
        check(tally == meant, f"{peer.name} received {tally}")
    return f"{VALUES} values of {OCTETS} octets each way in {seconds:.1f} s"
