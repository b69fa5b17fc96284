import BluetoothWire
import Expectations

extension HCIVectors {
  static let isoData: [ForeignPacket<HCI.ISOData>] = [
    .init(
      source: "Bumble", octets: "056020080007000400deadbeef",
      value: .init(
        handle: 0x60, boundary: .complete, head: .init(sequenceNumber: 7, sduLength: 4),
        octets: [0xDE, 0xAD, 0xBE, 0xEF])),
    .init(
      source: "Bumble", octets: "0561600b0078563412feff0300000102",
      value: .init(
        handle: 0x61, boundary: .complete,
        head: .init(timeStamp: 0x1234_5678, sequenceNumber: 0xFFFE, sduLength: 3), octets: [0, 1, 2])),
    .init(
      source: "Bumble", octets: "05ff4e0a00ffffffff010005000102",
      value: .init(
        handle: 0xEFF, boundary: .first, head: .init(timeStamp: .max, sequenceNumber: 1, sduLength: 5),
        octets: [1, 2])),
    .init(
      source: "Bumble", octets: "05ff1e02000304", value: .init(handle: 0xEFF, boundary: .continuing, octets: [3, 4])),
    .init(source: "Bumble", octets: "05ff3e010005", value: .init(handle: 0xEFF, boundary: .last, octets: [5])),
    .init(
      source: "RootCanal", octets: "0560600a00efbeadde02010240aabb",
      value: .init(
        handle: 0x60, boundary: .complete,
        head: .init(timeStamp: 0xDEAD_BEEF, sequenceNumber: 0x102, sduLength: 2, status: 1), octets: [0xAA, 0xBB])),
    .init(
      source: "RootCanal", octets: "0523410900102700000300ff0faa",
      value: .init(
        handle: 0x123, boundary: .first, head: .init(timeStamp: 10_000, sequenceNumber: 3, sduLength: 4_095),
        octets: [0xAA])),
    .init(
      source: "RootCanal", octets: "056020040000020080",
      value: .init(
        handle: 0x60, boundary: .complete, head: .init(sequenceNumber: 0x200, sduLength: 0, status: 2), octets: [])),
    .init(
      source: "RootCanal", octets: "0500000e000500780000010203040506070809",
      value: .init(
        handle: 0, boundary: .first, head: .init(sequenceNumber: 5, sduLength: 120), octets: Array(0..<10))),
    .init(
      source: "RootCanal", octets: "0560100300112233",
      value: .init(handle: 0x60, boundary: .continuing, octets: [0x11, 0x22, 0x33])),
    .init(
      source: "RootCanal", octets: "0560300300112233",
      value: .init(handle: 0x60, boundary: .last, octets: [0x11, 0x22, 0x33])),
  ]
}
