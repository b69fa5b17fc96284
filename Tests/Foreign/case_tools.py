"""Bumble's own tools against our ports, unmodified, and what they print checked for the facts."""

import re
import time

from bench import HERE, check

COLOURS = re.compile(r"\x1b\[[0-9;]*m")
SPEED_PACKETS = 60


def plain(process):
    return COLOURS.sub("", process.text)


def said(text, pattern, what):
    """The first group of a pattern that the tool's text must have."""
    found = re.search(pattern, text, re.MULTILINE)
    check(found, f"{what}:\n{text[-3000:]}")
    return found[1]


def tools(bench):
    """bumble-controller-info, bumble-scan, bumble-gatt-dump and bumble-bench work, and say what is there."""
    with bench.serve(HERE / "room.yaml", ["guest-1", "guest-2"]) as serving:
        one, other = serving.transport("guest-1"), serving.transport("guest-2")
        address = information(bench, one)
        found = scan(bench, one)
        gatt_dump(bench, one, found)
        speed(bench, one, other)
        result = serving.interrupted()
    device = next(each for each in result["devices"] if each["name"] == "guest-1")
    check(device["address"] == address, f"bumble-controller-info said {address}, the device is {device['address']}")
    hosts = [each["address"] for each in result["devices"] if each["name"] == "host"]
    check(hosts == [found], f"bumble-scan found {found}, the host is {hosts}")


def information(bench, transport):
    process = bench.start("bumble-controller-info", "--latency-probes", "50", transport)
    check(process.finish(30) == 0, f"bumble-controller-info failed:\n{process.text[-3000:]}")
    text = plain(process)
    address = said(text, r"^Public Address: ((?:[0-9A-F]{2}:){5}[0-9A-F]{2})$", "no public address")
    version = said(text, r"HCI Version: +(\S+)", "no version")
    for feature in ("LE_ENCRYPTION", "LE_DATA_PACKET_LENGTH_EXTENSION", "LE_2M_PHY"):
        check(re.search(rf"^  {feature}$", text, re.MULTILINE), f"the LE feature {feature} is not claimed")
    commands = len(re.findall(r"^  HCI_\w+_COMMAND$", text, re.MULTILINE))
    check(commands > 40, f"{commands} supported commands")
    latency = said(text, r"average=([0-9.]+)", "no latency")
    bench.note(f"controller-info: {version}, {commands} commands, {latency} ms for a command and its answer")
    return address


def scan(bench, transport):
    """The address of our host, by its service and name."""
    process = bench.start("bumble-scan", transport)
    try:
        process.wait_for("Complete Local Name.*bab-game", 20)
        time.sleep(0.2)
    finally:
        process.process.kill()
        process.stop()
    for text in plain(process).split(">>> ")[1:]:
        if "UUID-16:BAB1" in text and "bab-game-" in text:
            return text[:17]
    check(False, f"no advertiser has both the service and the name:\n{plain(process)[-3000:]}")


def gatt_dump(bench, transport, address):
    process = bench.start("bumble-gatt-dump", transport, address)
    check(process.finish(30) == 0, f"bumble-gatt-dump failed:\n{process.text[-3000:]}")
    text = plain(process)
    said(text, r"(Service\(handle=\w+, uuid=UUID-16:BAB1\))", "no service BAB1")
    for uuid, properties in (("BAB2", "WRITE_WITHOUT_RESPONSE|WRITE"), ("BAB3", "NOTIFY"), ("BAB4", "NOTIFY")):
        check(f"uuid=UUID-16:{uuid}, {properties})" in text, f"characteristic {uuid} is not {properties}")
    dumped = len(re.findall(r"^Attribute\(", text, re.MULTILINE))
    check(dumped >= 9, f"{dumped} attributes")
    check("Traceback" not in text and "timeout" not in text, f"bumble-gatt-dump stumbled:\n{text[-3000:]}")
    bench.note(f"gatt-dump: {dumped} attributes, BAB1 with BAB2, BAB3 and BAB4")


def pair_of_benches(bench, central, peripheral, options, near, far):
    """bumble-bench twice, the central doing `near` and the peripheral `far`; the text of both."""
    behind = bench.start("bumble-bench", *options, "--scenario", far[0], "--mode", far[1], "peripheral", peripheral)
    try:
        behind.wait_for("Waiting for connection", 20)
        ahead = bench.start(
            "bumble-bench", *options, "--scenario", near[0], "--mode", near[1], "central", central)
        try:
            yield ahead, behind
        finally:
            ahead.stop()
    finally:
        behind.stop()


def speed(bench, central, peripheral):
    """Round trips and throughput over GATT, throughput over an L2CAP channel."""
    both = ["--att-mtu", "185", "-s", "180", "-sd", "0"]
    options = [*both, "-c", "20", "--pace", "20"]
    for ahead, behind in pair_of_benches(
            bench, central, peripheral, options, ("ping", "gatt-client"), ("pong", "gatt-server")):
        ahead.wait_for("@@@ RTTs", 60)
        text = plain(ahead)
        acknowledged = len(re.findall(r"Received ACK", text))
        check(acknowledged == 20, f"bumble-bench: {acknowledged} of 20 pings were answered")
        rtt = said(text, r"@@@ RTTs: .*average=([0-9.]+)", "bumble-bench printed no round trip")
        bench.note(f"bench, GATT: 20 of 20 pings of 180 octets answered, {rtt} ms on average")

    # The sender of this Bumble ends with an AttributeError after its last value has been handed to the controller, and
    # takes its link with it; so it is paced, and the receiver is asked.
    options = [*both, "-c", str(SPEED_PACKETS), "--pace", "40"]
    for ahead, behind in pair_of_benches(
            bench, central, peripheral, options, ("send", "gatt-client"), ("receive", "gatt-server")):
        behind.wait_for(f"Received packet {SPEED_PACKETS - 5}:", 60)
        text = plain(behind)
        check("Unexpected packet" not in text, f"bumble-bench: a value was lost:\n{text[-3000:]}")
        average = float(re.findall(r"average=([0-9.]+)", text)[-1])
        check(average > 0, "bumble-bench: GATT throughput 0")
        bench.note(f"bench, GATT: {average:.0f} octets/s of {180 * 1000 // 40} offered")

    options = ["-c", str(SPEED_PACKETS), "-s", "500", "-sd", "0"]
    for ahead, behind in pair_of_benches(
            bench, central, peripheral, options, ("send", "l2cap-client"), ("receive", "l2cap-server")):
        ahead.wait_for("Received ACK", 60)
        average = float(said(plain(ahead), r"Received ACK. Speed: average=([0-9.]+)", "no speed"))
        check(average > 0, "bumble-bench: L2CAP throughput 0")
        bench.note(f"bench, L2CAP channel: {average:.0f} octets/s")
