#!/usr/bin/env python3
"""Asks a controller what it is, as a host asks at its start, and prints the answers as one JSON object.

    bumble_ask.py tcp-client:127.0.0.1:6402
"""
import argparse
import asyncio
import json
import logging

from bumble import hci
from bumble.host import Host
from bumble.transport import open_transport

QUESTIONS = {
    "LE buffers": hci.HCI_LE_Read_Buffer_Size_Command,
    "filter accept list": hci.HCI_LE_Read_Filter_Accept_List_Size_Command,
    "resolving list": hci.HCI_LE_Read_Resolving_List_Size_Command,
    "maximum data length": hci.HCI_LE_Read_Maximum_Data_Length_Command,
    "suggested data length": hci.HCI_LE_Read_Suggested_Default_Data_Length_Command,
    "advertising sets": hci.HCI_LE_Read_Number_Of_Supported_Advertising_Sets_Command,
    "advertising data length": hci.HCI_LE_Read_Maximum_Advertising_Data_Length_Command,
    "supported states": hci.HCI_LE_Read_Supported_States_Command,
    "advertising power": hci.HCI_LE_Read_Advertising_Physical_Channel_Tx_Power_Command,
    "transmit power": hci.HCI_LE_Read_Transmit_Power_Command,
}


def plain(value):
    return value.hex() if isinstance(value, bytes) else int(value) if isinstance(value, int) else str(value)


async def ask(transport):
    async with await open_transport(transport) as port:
        host = Host(port.source, port.sink)
        await host.reset()
        version = host.local_version
        answers = {
            "version": hci.SpecificationVersion(version.hci_version).name,
            "company": plain(version.company_identifier),
            "BR/EDR": hci.LmpFeatureMask.BR_EDR_NOT_SUPPORTED not in host.local_lmp_features,
            "LE features": sorted(feature.name for feature in hci.LeFeatureMask if feature in host.local_le_features),
            "LE commands": sorted(
                hci.HCI_Command.command_name(code) for code in host.supported_commands if code >> 10 == 8),
        }
        for name, command in QUESTIONS.items():
            try:
                answer = await asyncio.wait_for(host.send_sync_command(command()), 5)
                fields = {key: plain(value) for key, value in vars(answer).items() if key != "status"}
                answers[name] = fields
            except hci.HCI_Error as error:
                answers[name] = error.error_name
        return answers


if __name__ == "__main__":
    logging.basicConfig(level=logging.CRITICAL)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("transport")
    print(json.dumps(asyncio.run(ask(parser.parse_args().transport))))
