"""Advertising data: structures of length, type and octets (Core Specification, Vol 3, Part C, 11)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, Iterable, Iterator, List, Mapping, Optional, Tuple
from uuid import UUID

from .uuids import UUIDLike, full, short


@dataclass
class Advertisement:
    """What an advertiser says: advertising data and scan response together."""

    address: str
    rssi: int
    local_name: Optional[str] = None
    service_uuids: List[str] = field(default_factory=list)
    manufacturer_data: Dict[int, bytes] = field(default_factory=dict)
    service_data: Dict[str, bytes] = field(default_factory=dict)
    tx_power: Optional[int] = None
    connectable: bool = True
    data: bytes = b""
    scan_response: bytes = b""


def structures(data: bytes) -> Iterator[Tuple[int, bytes]]:
    """Type and octets of each structure, up to the first that is damaged."""
    place = 0
    while place < len(data):
        length = data[place]
        if length == 0 or place + 1 + length > len(data):
            return
        yield data[place + 1], data[place + 2:place + 1 + length]
        place += 1 + length


def read(address: str, rssi: int, data: bytes, scan_response: bytes, connectable: bool = True) -> Advertisement:
    """What both say; where both say something, the scan response counts."""
    heard = Advertisement(
        address=address, rssi=rssi, connectable=connectable, data=data, scan_response=scan_response)
    for kind, octets in list(structures(data)) + list(structures(scan_response)):
        if kind in (0x02, 0x03):
            _add(heard, (f"{octets[i + 1]:02x}{octets[i]:02x}" for i in range(0, len(octets) - 1, 2)))
        elif kind in (0x06, 0x07):
            _add(heard, (str(UUID(bytes=octets[i:i + 16][::-1])) for i in range(0, len(octets) - 15, 16)))
        elif kind in (0x08, 0x09):
            heard.local_name = octets.decode("utf-8", "replace")
        elif kind == 0x0A and octets:
            heard.tx_power = int.from_bytes(octets[:1], "little", signed=True)
        elif kind == 0x16 and len(octets) >= 2:
            heard.service_data[full(f"{octets[1]:02x}{octets[0]:02x}")] = octets[2:]
        elif kind == 0x21 and len(octets) >= 16:
            heard.service_data[str(UUID(bytes=octets[:16][::-1]))] = octets[16:]
        elif kind == 0xFF and len(octets) >= 2:
            heard.manufacturer_data[octets[0] | octets[1] << 8] = octets[2:]
    return heard


def _add(heard: Advertisement, uuids: Iterable[str]) -> None:
    for uuid in uuids:
        if full(uuid) not in heard.service_uuids:
            heard.service_uuids.append(full(uuid))


def _structure(kind: int, octets: bytes) -> bytes:
    return bytes([len(octets) + 1, kind]) + octets


def write(
    name: Optional[str], services: Iterable[UUIDLike], manufacturer_data: Mapping[int, bytes],
    service_data: Mapping[UUIDLike, bytes], tx_power: Optional[int] = None
) -> Tuple[bytes, bytes]:
    """Advertising data and scan response, at most 31 octets each: what does not fit into the first goes to the second.

    Raises ValueError for what fits into neither; a name is shortened.
    """
    parts = [_structure(0x01, b"\x06")]
    shorts = [short(uuid) for uuid in services]
    two = b"".join(bytes.fromhex(uuid)[::-1] for uuid in shorts if len(uuid) == 4)
    sixteen = b"".join(UUID(uuid).bytes[::-1] for uuid in shorts if len(uuid) == 36)
    if two:
        parts.append(_structure(0x03, two))
    if sixteen:
        parts.append(_structure(0x07, sixteen))
    for company, octets in manufacturer_data.items():
        parts.append(_structure(0xFF, company.to_bytes(2, "little") + bytes(octets)))
    for uuid, octets in service_data.items():
        key = short(uuid)
        if len(key) == 4:
            parts.append(_structure(0x16, bytes.fromhex(key)[::-1] + bytes(octets)))
        else:
            parts.append(_structure(0x21, UUID(key).bytes[::-1] + bytes(octets)))
    if tx_power is not None:
        parts.append(_structure(0x0A, tx_power.to_bytes(1, "little", signed=True)))
    first, second = b"", b""
    for part in parts:
        if len(first) + len(part) <= 31:
            first += part
        elif len(second) + len(part) <= 31:
            second += part
        else:
            raise ValueError(f"{len(part)} octets of advertising data fit nowhere: there are 31 and 31")
    if name:
        octets = name.encode("utf-8")
        if len(first) + len(octets) + 2 <= 31:
            first += _structure(0x09, octets)
        else:
            room = 31 - len(second) - 2
            kind = 0x09 if len(octets) <= room else 0x08
            if room > 0:
                second += _structure(kind, octets[:room])
    return first, second
