"""What the tests of the package share."""

import os

import pytest

import babbench

#: A mark for what is slow and shown in part by another test.
proof = pytest.mark.skipif(not os.environ.get("BABBENCH_PROOFS"), reason="a proof: BABBENCH_PROOFS=1")

pytest_plugins = ["pytester"]


class Lamp(babbench.Peripheral):
    """A lamp that can be switched, and says so."""

    name = "Lamp"
    light = babbench.characteristic(
        "FFE1", "read, write, write-without-response, notify", service="FFE0", value=bytes(1))
    secret = babbench.characteristic("FFE2", "read, write", service="FFE0", value=b"secret", encrypted=True)
    long = babbench.characteristic("FFE3", "read", service="FFE0", value=bytes(range(200)))

    @light.written
    def light_was_written(self, value, link):
        if value == b"\xff":
            raise babbench.ATTError(0x80)
        self.light.notify(value)
