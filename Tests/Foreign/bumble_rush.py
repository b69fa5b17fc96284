#!/usr/bin/env python3
"""Many Bumble clients, one per controller, join the same host at once.

    bumble_rush.py tcp-client:127.0.0.1:6402 tcp-client:127.0.0.1:6403 … [--until end]
    bumble_rush.py --own-link 7

Prints, as one JSON object, who got into the lobby, when and with how many attempts, and what each was shown last.
`--own-link` is the figure to compare with: the same clients and a Bumble host on Bumble's own link, in one process.
"""
import argparse
import asyncio
import contextlib
import json
import logging

from bumble.controller import Controller
from bumble.device import Device
from bumble.hci import Address
from bumble.host import Host
from bumble.link import LocalLink
from bumble.transport import open_transport
from bumble.transport.common import AsyncPipeSink

import bumble_host
from bumble_client import Player

HOST_ADDRESS = "F0:F1:F2:F3:F4:E0"


def address(index):
    return Address("F0:F1:F2:F3:F4:%02X" % (0xE1 + index))


async def own_link(count):
    """`count` devices on Bumble's own controllers, and a host on another."""
    link = LocalLink()
    devices = []
    for index in range(-1, count):
        own = HOST_ADDRESS if index < 0 else address(index)
        controller = Controller("C%d" % index, link=link, public_address=str(own).split("/")[0])
        devices.append(Device("Bumble", Address(str(own)), host=Host(controller, AsyncPipeSink(controller))))
        await devices[-1].power_on()
    app = bumble_host.Game({"peerID": "host", "displayName": "Bumble", "dialect": "sdk", "game": {}})
    platform = bumble_host.Platform(devices[0], app)
    platform.give("launched")
    platform.give("user", action="startHosting")
    return devices[1:]


async def rush(devices, until, seconds, ends=()):
    """Everybody at once; who is not done in time, or when a port has closed, is not waited for."""
    loop = asyncio.get_running_loop()
    begin = loop.time()
    players = [Player(device, "bumble-%d" % (index + 1)) for index, device in enumerate(devices)]

    async def one(player):
        await player.join_and_play("lobby")
        player.facts["joined"] = loop.time() - begin
        if until == "end" and player.id in player.facts["players"]:
            await player.play("end")

    tasks = [asyncio.create_task(one(player)) for player in players]
    await asyncio.wait([asyncio.gather(*tasks), *ends], timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    return [player.facts for player in players]


async def main(options):
    async with contextlib.AsyncExitStack() as stack:
        if options.own_link:
            devices, ends = await own_link(options.own_link), []
        else:
            devices, ends = [], []
            for index, name in enumerate(options.transport):
                port = await stack.enter_async_context(await open_transport(name))
                devices.append(Device.with_hci("Bumble", address(index), port.source, port.sink))
                ends.append(port.source.terminated)
                await devices[-1].power_on()
        facts = await rush(devices, options.until, options.seconds, ends)
        joined = [each for each in facts if each["id"] in each["players"]]
        print(json.dumps({
            "joined": len(joined), "of": len(facts), "firstTry": sum(each["attempts"] == 1 for each in joined),
            "seconds": max((each["joined"] for each in joined), default=0), "players": facts}), flush=True)
        if ends:
            await asyncio.wait(ends, timeout=20)  # the host may have more to say


if __name__ == "__main__":
    logging.basicConfig(level=logging.CRITICAL)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("transport", nargs="*")
    parser.add_argument("--own-link", type=int, metavar="CLIENTS")
    parser.add_argument("--until", choices=["lobby", "end"], default="lobby")
    parser.add_argument("--seconds", type=float, default=60)
    asyncio.run(main(parser.parse_args()))
