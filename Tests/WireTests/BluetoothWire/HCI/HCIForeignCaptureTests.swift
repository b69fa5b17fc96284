import BluetoothWire
import Expectations
import Testing

@Suite("Whole HCI captures that others made", .enabled(if: ForeignCapture.areAvailable))
struct HCIForeignCaptureTests {
  /// What the packets of a capture come as. Commands and events are counted as: standing alone, general, security,
  /// privacy, extended.
  struct Count: Equatable, Sendable, CustomTestStringConvertible {
    var capture: String
    var packets: Int
    var commands: [Int]
    var events: [Int]
    /// Reports that came two or more in one event.
    var shared: Int
    /// Unknown opcodes and event codes.
    var other: Int
    var testDescription: String { capture }

    init(
      _ capture: String, _ packets: Int = 0, commands: [Int] = [0, 0, 0, 0, 0], events: [Int] = [0, 0, 0, 0, 0],
      shared: Int = 0, other: Int = 0
    ) {
      (self.capture, self.packets, self.commands, self.events) = (capture, packets, commands, events)
      (self.shared, self.other) = (shared, other)
    }
  }

  /// Captures of phones and boards whose packets were written whole (H4, btsnoop 1002 and pcap(ng) 201); 25 and 26 hold
  /// ACL data only.
  static let counts: [Count] = [
    .init("03", 1042, commands: [17, 0, 0, 0, 0], events: [817, 0, 0, 0, 1], shared: 0, other: 3),
    .init("04", 2572, commands: [16, 7, 1, 3, 21], events: [817, 0, 0, 0, 1], shared: 0, other: 47),
    .init("10", 300, commands: [7, 0, 1, 0, 12], events: [77, 0, 0, 0, 57], shared: 0, other: 4),
    .init("14", 69, commands: [22, 0, 0, 0, 0], events: [74, 0, 0, 0, 0], shared: 54, other: 0),
    .init("15", 1354, commands: [67, 7, 1, 3, 0], events: [663, 0, 0, 0, 5], shared: 0, other: 68),
    .init("20", 222, commands: [13, 7, 1, 5, 16], events: [105, 0, 0, 0, 12], shared: 0, other: 63),
    .init("25", 1560, commands: [0, 0, 0, 0, 0], events: [0, 0, 0, 0, 0], shared: 0, other: 0),
    .init("26", 398, commands: [0, 0, 0, 0, 0], events: [0, 0, 0, 0, 0], shared: 0, other: 0),
    .init("34", 7250, commands: [21, 7, 1, 6, 36], events: [1781, 0, 0, 0, 467], shared: 0, other: 64),
    .init("35", 159, commands: [19, 8, 0, 0, 1], events: [108, 0, 0, 0, 0], shared: 0, other: 23),
    .init("36", 540, commands: [12, 0, 0, 0, 1], events: [57, 0, 0, 0, 0], shared: 0, other: 1),
  ]

  @Test("Every packet decodes, and encodes back octet for octet", arguments: counts)
  func everyPacket(_ expected: Count) throws {
    var count = Count(expected.capture)
    for octets in try packets(of: expected.capture) {
      count.packets += 1
      let again =
        octets[0] == HCI.PacketIndicator.event ? try events(octets, &count) : try fromHost(octets, &count)
      equal(withoutCredits(again), withoutCredits(octets), "\(octets)")
    }
    equal(count, expected)
  }

  private func packets(of capture: String) throws -> [[UInt8]] {
    try ForeignCapture(capture).packets.map { $0.linkType == 201 ? Array($0.octets.dropFirst(4)) : $0.octets }
      .filter { [0x01, 0x02, 0x04].contains($0.first) }
  }

  private func fromHost(_ octets: [UInt8], _ count: inout Count) throws(WireError) -> [UInt8] {
    let message = try HCI.ToController(decoding: octets)
    switch message {
    case .acl, .iso: break
    case .command(.general): count.commands[1] += 1
    case .command(.security): count.commands[2] += 1
    case .command(.privacy): count.commands[3] += 1
    case .command(.extended): count.commands[4] += 1
    case .command(.other): count.other += 1
    case .command: count.commands[0] += 1
    }
    return message.h4Octets
  }

  private func events(_ octets: [UInt8], _ count: inout Count) throws(WireError) -> [UInt8] {
    let messages = try HCI.ToHost.messages(h4: octets)
    if messages.count > 1 { count.shared += messages.count }
    for message in messages {
      switch message {
      case .event(.encryption): count.events[2] += 1
      case .event(.extended): count.events[4] += 1
      case .event(.other): count.other += 1
      case .event: count.events[0] += 1
      case .acl, .iso: break
      }
    }
    return messages.count == 1 ? messages[0].h4Octets : joined(messages)
  }

  /// One event with the reports of several messages.
  private func joined(_ messages: [HCI.ToHost]) -> [UInt8] {
    let reports = messages.flatMap { $0.h4Octets.dropFirst(5) }
    let head = messages[0].h4Octets.prefix(5)
    return [head[0], head[1], UInt8(reports.count + 2), head[3], UInt8(messages.count)] + reports
  }

  /// `Num_HCI_Command_Packets` is not modelled; set to zero here.
  private func withoutCredits(_ octets: [UInt8]) -> [UInt8] {
    var octets = octets
    switch (octets[0], octets[1]) {
    case (0x04, 0x0E): octets[3] = 0
    case (0x04, 0x0F): octets[4] = 0
    default: break
    }
    return octets
  }
}
