import BluetoothWire
import Testing

@Suite("Whole HCI captures that others made", .enabled(if: ForeignCapture.areAvailable))
struct HCIForeignCaptureTests {
  /// How many packets of a capture came as what.
  struct Count: Equatable {
    var packets = 0
    var commands = Groups()
    var events = Groups()
    /// Reports that came two or more in one event.
    var sharedReports = 0
    /// Unknown opcodes and event codes.
    var other = 0
    var refused = 0

    struct Groups: Equatable {
      var alone = 0
      var general = 0
      var security = 0
      var privacy = 0
      var extended = 0
    }
  }

  /// Captures of phones and boards whose packets were written whole (H4, btsnoop 1002 and pcap(ng) 201).
  @Test(
    "Every packet decodes, and encodes back octet for octet",
    arguments: ["03", "04", "10", "14", "15", "20", "25", "26", "34", "35", "36"])
  func everyPacket(_ capture: String) throws {
    var count = Count()
    for octets in try packets(of: capture) {
      count.packets += 1
      do throws(WireError) {
        let again =
          octets[0] == HCI.PacketIndicator.event
          ? try events(octets, &count) : try fromHost(octets, &count)
        #expect(withoutCredits(again) == withoutCredits(octets), "\(octets)")
      } catch {
        // Snapped ACL data is shorter than it says.
        #expect(octets[0] == HCI.PacketIndicator.acl && error.reason == .truncated, "\(error): \(octets)")
        count.refused += 1
      }
    }
    print(capture, count)
  }

  private func packets(of capture: String) throws -> [[UInt8]] {
    try ForeignCapture(capture).packets.map { $0.linkType == 201 ? Array($0.octets.dropFirst(4)) : $0.octets }
      .filter { [0x01, 0x02, 0x04].contains($0.first) }
  }

  private func fromHost(_ octets: [UInt8], _ count: inout Count) throws(WireError) -> [UInt8] {
    let message = try HCI.ToController(decoding: octets)
    switch message {
    case .acl: break
    case .command(.general): count.commands.general += 1
    case .command(.security): count.commands.security += 1
    case .command(.privacy): count.commands.privacy += 1
    case .command(.extended): count.commands.extended += 1
    case .command(.other): count.other += 1
    case .command: count.commands.alone += 1
    }
    return message.h4Octets
  }

  private func events(_ octets: [UInt8], _ count: inout Count) throws(WireError) -> [UInt8] {
    let messages = try HCI.ToHost.messages(h4: octets)
    if messages.count > 1 { count.sharedReports += messages.count }
    for message in messages {
      switch message {
      case .event(.encryption): count.events.security += 1
      case .event(.extended): count.events.extended += 1
      case .event(.other): count.other += 1
      case .event: count.events.alone += 1
      case .acl: break
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
