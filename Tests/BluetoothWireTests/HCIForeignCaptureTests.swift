import BluetoothWire
import Testing

@Suite("Whole HCI captures that others made", .enabled(if: ForeignCapture.areAvailable))
struct HCIForeignCaptureTests {
  /// Captures of phones and boards whose packets were written whole (H4, btsnoop 1002 and pcap(ng) 201).
  @Test(
    "Every packet decodes, and encodes back but for what is not modelled",
    arguments: ["03", "04", "10", "14", "15", "20", "25", "26", "34", "35", "36"])
  func everyPacket(_ capture: String) throws {
    var counted = (packets: 0, refused: 0)
    for packet in try ForeignCapture(capture).packets {
      let octets = packet.linkType == 201 ? Array(packet.octets.dropFirst(4)) : packet.octets
      guard let indicator = octets.first, [0x01, 0x02, 0x04].contains(indicator) else { continue }
      counted.packets += 1
      do throws(WireError) {
        let again =
          indicator == 0x04
          ? try HCI.ToHost(decoding: octets).h4Octets : try HCI.ToController(decoding: octets).h4Octets
        #expect(unmodelled(again) == unmodelled(octets), "\(octets)")
      } catch {
        // Resolvable own addresses and data over 31 octets are known limits of the typed commands; snapped ACL data is
        // shorter than it says.
        #expect(error.reason == .valueOutOfRange || indicator == 0x02, "\(error): \(octets)")
        counted.refused += 1
      }
    }
    #expect(counted.packets > 0)
    #expect(counted.refused * 20 <= counted.packets)
  }

  /// The packet with the fields that the typed values leave out set to zero.
  private func unmodelled(_ octets: [UInt8]) -> [UInt8] {
    var octets = octets
    switch (octets[0], octets[1], octets.count > 2 ? octets[2] : 0) {
    case (0x04, 0x0E, _): octets[3] = 0
    case (0x04, 0x0F, _): octets[4] = 0
    case (0x01, 0x0D, 0x20), (0x01, 0x13, 0x20):
      octets.replaceSubrange(octets.count - 4..<octets.count, with: [0, 0, 0, 0])
    default: break
    }
    return octets
  }
}
