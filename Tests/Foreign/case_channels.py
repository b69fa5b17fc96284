"""An LE credit based channel between two Bumbles: what the tests of our host stack are held against is what they send."""

from bench import ROOT, check

TABLE = ROOT / "Tests" / "VirtualRadioTests" / "ChannelTalk.swift"


def channels(bench):
    """What two Bumbles send over an L2CAP channel is what the tests of our host stack have."""
    process = bench.start("bumble_channels.py")
    code = process.finish(30)
    check(code == 0, f"bumble_channels.py ended with {code}:\n{process.text[-3000:]}")
    table = TABLE.read_text().split('"""')[1].split("\n")
    known = [line.strip() for line in table if line.strip()]
    check(process.lines == known, f"{TABLE.name} has other lines than Bumble sends:\n{process.text}")
    bench.note(f"{sum(not line.startswith('--') for line in known)} PDUs")
