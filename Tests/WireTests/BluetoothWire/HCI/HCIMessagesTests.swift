import BluetoothWire
import Expectations
import Testing

@Suite("Packets with several advertising reports (Core Vol 4, Part E, 5.2)")
struct HCIMessagesTests {
  /// Bumble 0.0.236: an ADV_IND and a SCAN_RSP in one LE Advertising Report.
  static let two = "043e1e0202" + "0001f5f4f3f2f1f003020106ce" + "04005544332211c0050409626162cd"

  @Test("Every report becomes a message, one behind the other")
  func several() throws {
    try equal(
      HCI.ToHost.messages(h4: [UInt8].hex(Self.two)),
      [
        .event(
          .leAdvertisingReport(
            .init(kind: .advInd, address: HCIVectors.random(0xF0F1_F2F3_F4F5), data: [2, 1, 6], rssi: -50))),
        .event(
          .leAdvertisingReport(
            .init(
              kind: .scanRsp, address: HCIVectors.fixed(0xC011_2233_4455), data: [4, 9, 0x62, 0x61, 0x62], rssi: -51))),
      ])
    try equal(
      HCI.ToHost.messages(h4: [UInt8].hex(HCIVectors.threeReports)),
      HCIVectors.reports.map { .event(.extended(.leExtendedAdvertisingReport($0))) })
  }

  @Test("A packet of a phone has both reports of an advertiser (capture 14 #13)")
  func phone() throws {
    let octets = [UInt8].hex(
      "043e3502020000a47a4c3e315c0e0201060aff0d0007065009040b00c9"
        + "0400a47a4c3e315c110d09426565576920424244313030020a00c9")
    let messages = try HCI.ToHost.messages(h4: octets)
    equal(messages.count, 2)
    for message in messages {
      guard case .event(.leAdvertisingReport(let report)) = message else {
        Issue.record("\(message)")
        continue
      }
      equal(report.address, HCIVectors.fixed(0x5C31_3E4C_7AA4))
      equal(report.rssi, -55)
    }
  }

  @Test("One value holds one report: decoding one value gives such packets as other")
  func single() throws {
    for packet in [Self.two, HCIVectors.threeReports] {
      let octets = [UInt8].hex(packet)
      try equal(HCI.Event(decoding: octets), .other(code: 0x3E, parameters: Array(octets.dropFirst(3))))
    }
  }

  @Test(
    "Every other packet is one message",
    arguments: HCIVectors.events.map(\.octets) + HCIVectors.data.map(\.octets))
  func one(_ packet: String) throws {
    let octets = [UInt8].hex(packet)
    try equal(HCI.ToHost.messages(h4: octets), [try HCI.ToHost(decoding: octets)])
  }

  @Test("No report, and a report that the typed values cannot hold, leave the packet as it came")
  func other() throws {
    let strange = "043e1e0202" + "0001f5f4f3f2f1f003020106ce" + "04fe5544332211c0050409626162cd"
    for packet in ["043e020200", "043e020d00", strange] {
      let octets = [UInt8].hex(packet)
      try equal(
        HCI.ToHost.messages(h4: octets), [.event(.other(code: 0x3E, parameters: Array(octets.dropFirst(3))))])
    }
  }

  @Test("Reports that end early, stretch too far or claim too many are refused where they are")
  func refused() {
    for (packet, error) in [
      ("043e1d0202" + "0001f5f4f3f2f1f003020106ce" + "04005544332211c0050409626162", WireError(.truncated, at: 32)),
      (
        "043e1f0202" + "0001f5f4f3f2f1f003020106ce" + "04005544332211c0050409626162cd00", .init(.trailingOctets, at: 33)
      ),
      ("043e1e0203" + "0001f5f4f3f2f1f003020106ce" + "04005544332211c0050409626162cd", .init(.truncated, at: 33)),
      ("043e1e0202" + "0701f5f4f3f2f1f003020106ce" + "04005544332211c0050409626162cd", .init(.valueOutOfRange, at: 5)),
      ("043e020dff", .init(.truncated, at: 5)),
    ] {
      #expect(throws: error) { try HCI.ToHost.messages(h4: [UInt8].hex(packet)) }
    }
  }

  @Test(
    "Damaged packets are refused, or their messages hold as many octets", arguments: [two, HCIVectors.threeReports])
  func damaged(_ packet: String) {
    let octets = [UInt8].hex(packet)
    for prefix in Octets.properPrefixes(octets) {
      #expect(throws: WireError(.truncated, at: prefix.count)) { try HCI.ToHost.messages(h4: prefix) }
    }
    for changed in Octets.damaged(octets) {
      guard let messages = try? HCI.ToHost.messages(h4: changed) else { continue }
      let count = messages.count == 1 ? messages[0].h4Octets.count : messages.reduce(5) { $0 + $1.h4Octets.count - 5 }
      equal(count, changed.count)
    }
  }
}
