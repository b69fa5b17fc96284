"""Packages from PyPI that use bleak, as they are, with peripherals that are written from public documents."""

import pathlib
import re
import threading

import pytest
from conftest import proof

import babbench

pytest.importorskip("bleak")
import strangers  # noqa: E402

PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "Docs/python.md"
each = pytest.mark.parametrize("stranger", strangers.ALL, ids=[one.package for one in strangers.ALL])
HARD = {"preset": "living-room", "packet loss": "20%"}


@pytest.fixture(autouse=True)
def installed(request):
    stranger = request.getfixturevalue("stranger") if "stranger" in request.fixturenames else None
    if stranger is not None and strangers.version(stranger) is None:
        pytest.skip(f"{stranger.package} is not installed; Python/run-tests says why")


@each
@pytest.mark.parametrize("radio", ["ideal", strangers.LOSS, HARD], ids=["ideal", "5 % lost", "20 % lost"])
def test_a_whole_exchange(stranger, radio):
    assert strangers.play(stranger, radio=radio).error == ""


@each
def test_a_vanish_ends_in_an_error_of_the_package_and_never_in_a_hang(stranger):
    played = strangers.play(stranger, vanishes=0.8)
    assert played.error in ("BleakError", "BleakNotFoundError", "TimeoutError", "BleakDBusError", "CancelledError")
    assert played.seconds < strangers.PATIENCE + 30
    assert "peripheral" in played.why


@each
def test_after_a_vanish_it_connects_again(stranger):
    assert strangers.play(stranger, vanishes=0.8, appears=20, again=True).error == ""


@each
def test_full_queues_lose_nothing(stranger):
    assert strangers.play(stranger, queue=True).error == ""


@each
def test_the_same_seed_is_the_same_exchange(stranger):
    first, second = (strangers.play(stranger, seed=5, radio=strangers.LOSS) for _ in range(2))
    assert (first.error, first.seconds) == (second.error, second.seconds)


@proof
@each
def test_the_page_has_its_row(stranger):
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if re.match(rf"\| {stranger.package} \d\S* \| {stranger.does}", line)]
    assert len(rows) == 1, f"{PAGE.name} has {len(rows)} rows of {stranger.package}"
    if f"| {stranger.package} {strangers.version(stranger)} |" not in rows[0]:
        pytest.skip(f"the page has another version than {strangers.version(stranger)}")
    assert strangers.line(stranger) == rows[0]


def test_an_app_with_a_loop_of_its_own_in_a_thread_is_named():
    """The interface of meshtastic does so."""
    meshtastic = pytest.importorskip("meshtastic.ble_interface")
    before = threading.active_count()

    with pytest.raises(babbench.NotVirtual, match="a thread starts; a room has one thread"):
        with babbench.bleak.installed(), babbench.Room(patience=2) as room:
            room.phone("radio", app=strangers.Strap)
            computer = room.phone("computer", "linux", at=(2, 0))

            async def app():
                meshtastic.BLEInterface(None)

            computer.run(app())
    assert threading.active_count() <= before + 1
