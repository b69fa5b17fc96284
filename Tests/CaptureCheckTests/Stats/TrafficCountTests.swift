import BluetoothWire
import CaptureFormats
import Expectations
import SimKernel
import Testing

@testable import CaptureCheck

/// Octets written by hand after the layouts of Core v5.4.
@Suite("What stats counts by kind, device and attribute")
struct TrafficCountTests {
  private static func complete(_ opcode: UInt16, _ values: [UInt8]) -> [UInt8] {
    [0x04, 0x0E, UInt8(4 + values.count), 0x01, UInt8(opcode & 0xFF), UInt8(opcode >> 8), 0x00] + values
  }

  private static func att(_ octets: [UInt8], isToHost: Bool) -> [UInt8] {
    let length = UInt8(octets.count)
    return [0x02, 0x40, isToHost ? 0x20 : 0x00, length + 4, 0x00, length, 0x00, 0x04, 0x00] + octets
  }

  private static let packets: [[UInt8]] = [
    [0x01, 0x09, 0x10, 0x00], complete(0x1009, [0x06, 0x05, 0x04, 0x03, 0x02, 0x01]),
    complete(0x1001, [0x08, 0x00, 0x00, 0x09, 0x59, 0x00, 0x34, 0x12]),
    complete(0x2003, [0x21, 0x01, 0, 0, 0, 0, 0, 0]),
    // A random address of the same phone.
    [0x01, 0x05, 0x20, 0x06, 0x11, 0x22, 0x33, 0x44, 0x55, 0x46], complete(0x2005, []),
    [0x04, 0x3E, 0x13, 0x01, 0x00, 0x40, 0x00, 0x00, 0x01, 0xA0, 0xF4, 0xF3, 0xF2, 0xF1, 0xC0]
      + [0x18, 0x00, 0x00, 0x00, 0x90, 0x01, 0x00],
    [0x04, 0x0C, 0x08, 0x00, 0x40, 0x00, 0x0A, 0x0F, 0x00, 0x78, 0x56],
    [0x04, 0x3E, 0x0C, 0x04, 0x00, 0x40, 0x00, 0x01, 0, 0, 0, 0, 0, 0, 0],
    att([0x12, 0x03, 0x00, 0x01, 0x00], isToHost: false), att([0x13], isToHost: true),
    att([0x0A, 0x03, 0x00], isToHost: false), att([0x01, 0x0A, 0x03, 0x00, 0x02], isToHost: true),
    att([0x1B, 0x03, 0x00, 0xAA, 0xBB, 0xCC], isToHost: true), att([0x1B, 0x03, 0x00, 0xAA], isToHost: true),
    complete(0x1405, [0x40, 0x00, 0xC4]),
  ]

  private static func measured() -> TrafficStats {
    let stats = TrafficStats()
    let reader = TrafficReader(observers: [stats])
    for (index, packet) in packets.enumerated() {
      let isToHost = packet[0] == 4 || packet[0] == 2 && packet[2] & 0x20 != 0
      reader.read(
        CaptureRecord(
          number: index + 1, link: .h4, nanoseconds: 0, originalLength: packet.count,
          body: .hci(adapter: 0, indicator: packet[0], isToHost: isToHost), octets: packet.dropFirst()),
        file: 0, at: .zero + .milliseconds(Int64(index)))
    }
    reader.finish()
    return stats
  }

  @Test("Each opcode, event and command is counted under its name")
  func kinds() {
    let rows = Self.measured().counts.rows
    func count(_ name: String) -> Int? { rows.first { $0.name == name }?.count }
    equal(count("HCI_Read_BD_ADDR"), 1)
    equal(count("HCI_Command_Complete"), 5)
    equal(count("HCI_LE_Connection_Complete"), 1)
    equal(count("ATT_HANDLE_VALUE_NTF"), 2)
    equal(count("ATT_ERROR_RSP"), 1)
    expect(count("ATT_READ_BLOB_REQ") == nil)
  }

  @Test("An attribute has what was done with it")
  func attributes() throws {
    let attribute = try required(Self.measured().attributes.first)
    equal(Self.measured().attributes.count, 1)
    expect(attribute.handle == 3 && !attribute.isOfCentral)
    equal(
      [attribute.reads, attribute.writes, attribute.notifications, attribute.errors, attribute.octets], [1, 1, 2, 1, 6])
  }

  @Test("Versions and features of both ends are those that HCI says")
  func identities() throws {
    let stats = Self.measured()
    let own = try required(stats.adapters.first).identity
    expect(own.version == 9 && own.company == 0x59 && own.subversion == 0x1234 && own.features == 0x121)
    let link = try required(stats.links.first)
    expect(link.peripheralIdentity.version == 10 && link.peripheralIdentity.company == 0x0F)
    equal(link.peripheralIdentity.features, 1)
    expect(!link.centralIdentity.isKnown)
    equal(link.peripheral.level.mean, -60)
  }

  @Test("A captured phone is one device, under the BD_ADDR of its log")
  func devices() throws {
    let devices = DeviceCounts.all(Self.measured())
    equal(devices.count, 2)
    let phone = try required(devices.first)
    equal(phone.address?.description, "01:02:03:04:05:06")
    expect(phone.isCaptured && phone.asCentral == 1 && phone.attPDUs == 2)
    expect(devices[1].attPDUs == 4 && devices[1].asPeripheral == 1)
    let report = StatsReport(captures: [], stats: Self.measured())
    let text = StatsTable.text(report)
    expect(text.contains("01:02:03:04:05:06 (its HCI"))
    expect(text.contains("Bluetooth 5.0 (0x09)"))
    expect(text.contains("LE Encryption, LE Data Packet Length Extension, LE 2M PHY"))
  }
}
