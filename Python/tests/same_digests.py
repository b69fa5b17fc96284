"""Prints the digests of rooms with seeds from 1 on, for a comparison of versions of Python: same_digests.py COUNT

It needs no other package.
"""

import asyncio
import random
import sys

import babbench


class Lamp(babbench.Peripheral):
    name = "Lamp"
    light = babbench.characteristic("FFE1", "read, write, notify", service="FFE0", value=bytes(1))

    @light.written
    async def written(self, value):
        await asyncio.sleep(random.random() / 10)
        self.light.notify(value)


async def switch(phone):
    """Switches the lamp several times, and tries again where that fails."""
    radio = phone.radio
    for _ in range(3):
        found = asyncio.get_running_loop().create_future()

        def heard(advertisement):
            if advertisement.local_name == "Lamp" and not found.done():
                found.set_result(advertisement.address)

        radio.start_scan(heard)
        try:
            address = await asyncio.wait_for(found, 10)
            link = await asyncio.wait_for(radio.connect(address), 10)
            services = await asyncio.wait_for(link.services(), 10)
            light = next(c for s in services for c in s.characteristics if c.uuid == "FFE1")
            await link.configure(light.handle, light.uuid, True)
            await link.write(light.handle, light.uuid, bytes([random.randrange(200)]))
            await asyncio.sleep(random.random())
            await link.disconnect()
        except (asyncio.TimeoutError, babbench.LinkLost, babbench.ConnectFailed):
            await asyncio.sleep(random.random())
        finally:
            radio.stop_scan(heard)


for seed in range(1, int(sys.argv[1]) + 1):
    digests = set()
    for _ in range(3):
        with babbench.Room(seed=seed, radio="subway") as room:
            room.phone("lamp", app=Lamp)
            room.phone("first", "linux", at=(2, 0), app=switch)
            room.phone("second", "android", at=(3, 0), starts=1, app=switch)
            room.run_for(40)
        digests.add(room.outcome.digest)
    assert len(digests) == 1, f"seed {seed} has {len(digests)} digests"
    print(seed, digests.pop())
