"""Advertising data, UUIDs and properties, first with octets from elsewhere."""

import lzma
import os
import uuid

import pytest

import babbench
from babbench import advertising
from babbench._pipe import unpacked
from babbench.gatt import properties
from babbench.uuids import full, short

#: An iBeacon, as Apple's "Proximity Beacon Specification" R1 lays it out.
IBEACON = bytes.fromhex("02011a1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000010002c5")


def test_an_ibeacon():
    heard = advertising.read("C0:00:00:00:00:01", -60, IBEACON, b"")
    assert heard.manufacturer_data == {0x004C: IBEACON[9 - 2:]}
    assert heard.local_name is None and heard.service_uuids == [] and heard.rssi == -60


def test_what_structures_say():
    # Core Specification Supplement, Part A: 1.1, 1.2, 1.5, 1.11.
    data = bytes.fromhex("020106" "05030d180f18" "020af4" "0716f6fe010203 04".replace(" ", ""))
    heard = advertising.read("C0:00:00:00:00:01", -60, data, bytes.fromhex("0909") + b"Heart \xc3\xa9")
    assert heard.service_uuids == [full("180d"), full("180f")]
    assert heard.tx_power == -12
    assert heard.service_data == {full("fef6"): b"\x01\x02\x03\x04"}
    assert heard.local_name == "Heart é"


@pytest.mark.parametrize("length", range(len(IBEACON)))
def test_every_beginning_of_data_is_read(length):
    advertising.read("C0:00:00:00:00:01", 0, IBEACON[:length], IBEACON[length:])


def test_what_is_written_is_read():
    first, second = advertising.write(
        "Lamp", ["180d", "99fa0001-338a-1024-8a49-009c0215f78a"], {0x0334: b"\x01"}, {"fef6": b"xy"}, tx_power=-4)
    assert len(first) <= 31 and len(second) <= 31
    heard = advertising.read("C0:00:00:00:00:01", 0, first, second)
    assert heard.local_name == "Lamp" and heard.tx_power == -4
    assert heard.service_uuids == [full("180d"), "99fa0001-338a-1024-8a49-009c0215f78a"]
    assert heard.manufacturer_data == {0x0334: b"\x01"} and heard.service_data == {full("fef6"): b"xy"}


def test_a_long_name_is_shortened_and_long_data_is_refused():
    first, second = advertising.write("A lamp with a name that does not fit anywhere", ["180d"], {}, {})
    assert advertising.read("", 0, first, second).local_name == "A lamp with a name that does "[:29]
    with pytest.raises(ValueError, match="fit nowhere"):
        advertising.write("Lamp", [], {1: bytes(40)}, {})


@pytest.mark.parametrize("value", ["180D", "180d", "0x180D", 0x180D, "0000180d-0000-1000-8000-00805f9b34fb",
                                   uuid.UUID("0000180D-0000-1000-8000-00805F9B34FB"), "0000180d"])
def test_uuids_of_the_sig(value):
    assert short(value) == "180D" and full(value) == "0000180d-0000-1000-8000-00805f9b34fb"


@pytest.mark.parametrize("value", ["18", "180", "hello", ""])
def test_what_is_no_uuid(value):
    with pytest.raises(ValueError, match="is no UUID"):
        short(value)


def test_properties_have_names():
    assert properties("read, write, notify") == 2 + 8 + 16
    assert properties(["write-without-response", "indicate"]) == 4 + 32 == properties("write_without_response indicate")
    with pytest.raises(ValueError, match="“reed” is no property"):
        properties("reed")


def packed(folder):
    """A package with a packed program."""
    own = folder / "babbench" / "bin" / "babbench"
    own.parent.mkdir(parents=True)
    (folder / "babbench" / "share").mkdir()
    own.write_text("its place")
    (own.parent / "babbench.xz").write_bytes(lzma.compress(b"#!/bin/sh\necho played\n" + b"#" * 10_000))
    return str(own)


def test_a_packed_program_is_unpacked_once(tmp_path):
    own = packed(tmp_path)
    assert unpacked(own) == own and os.access(own, os.X_OK) and os.path.getsize(own) > 10_000
    before = os.stat(own).st_mtime_ns
    assert unpacked(own) == own and os.stat(own).st_mtime_ns == before
    assert sorted(os.listdir(os.path.dirname(own))) == ["babbench", "babbench.xz"]


def test_a_package_that_cannot_be_written_to_has_its_program_in_the_cache(tmp_path, monkeypatch):
    own = packed(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("babbench._pipe.os.access", lambda path, mode: False)
    place = unpacked(own)
    assert place.startswith(str(tmp_path / "cache")) and os.stat(place).st_mode & 0o111
    assert os.path.isdir(os.path.join(os.path.dirname(place), "..", "share"))
    assert unpacked(own) == place and os.path.getsize(own) < 100


def test_a_packed_program_that_is_cut_off_is_named(tmp_path):
    own = packed(tmp_path)
    with open(own + ".xz", "r+b") as file:
        file.truncate(60)
    with pytest.raises(babbench.BenchFailed, match="cannot be unpacked"):
        unpacked(own)
    assert sorted(os.listdir(os.path.dirname(own))) == ["babbench", "babbench.xz"]
