import BluetoothWire
import Expectations
import SimKernel
import Testing

@testable import VirtualRadio

/// The layouts of ADR 0045, by hand.
@Suite("Messages of a program for the air")
struct AirMessageTests {
  private static let scanRequest: [UInt8] = [0x03, 12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
  /// Channel index 38 on LE 2M, access address and CRC init of advertising.
  private static let packet: [UInt8] = [38, 2, 0xD6, 0xBE, 0x89, 0x8E, 0x55, 0x55, 0x55, 0] + scanRequest
  private static let send: [UInt8] =
    [0x41, 0x02, 34, 0, 0x07, 0x00, 0x80, 0x96, 0x98, 0, 0, 0, 0, 0] + packet

  @Test("Their octets are read, and written again")
  func octets() throws {
    let packet = AirPacket(
      channelIndex: 38, phy: .le2M, accessAddress: LL.advertisingAccessAddress, pdu: Self.scanRequest)
    equal(AirMessage(ofProgram: Self.send), .send(tag: 7, at: .zero + .milliseconds(10), packet))
    var filter = AirFilter()
    (filter.channels, filter.phys, filter.accessAddresses) = (1 << 37, 1, [0x50655DAB])
    let listen: [UInt8] = [0x41, 0x01, 10, 0, 0, 0, 0, 0, 0x20, 1, 0xAB, 0x5D, 0x65, 0x50]
    equal(AirMessage(ofProgram: listen), .listen(filter))
    let answer = [0x41, 0x03, 29, 0, 0x01, 0x00, 1, 0x0F, 0x00] + Self.packet + [0]
    expect(AirMessage(ofProgram: answer) == nil, "an octet too many")
    let right = [0x41, 0x03, 29, 0, 0x01, 0x00, 1, 0x0F, 0x00] + Self.packet
    equal(AirMessage(ofProgram: right), .answer(tag: 1, to: AirPattern(mask: [0x0F], octets: [0x00]), packet))
    equal(AirMessage(ofProgram: [0x41, 0x04, 2, 0, 9, 0]), .forget(tag: 9))
    for octets in [Self.send, listen, right] { equal(AirMessage(ofProgram: octets)?.encoded, octets) }
  }

  @Test("What is no message is none: every prefix, and what a radio cannot send")
  func refusals() {
    for count in 0..<Self.send.count { expect(AirMessage(ofProgram: Array(Self.send.prefix(count))) == nil) }
    func changed(_ place: Int, to octet: UInt8) -> [UInt8] {
      var octets = Self.send
      octets[place] = octet
      return octets
    }
    for (place, octet) in [(0, 0x01), (1, 0x05), (2, 33), (14, 40), (14, 0xFF), (15, 0), (15, 5), (25, 11)] {
      expect(AirMessage(ofProgram: changed(place, to: UInt8(octet))) == nil, "octet \(place) is \(octet)")
    }
    equal(AirMessage.tag(of: changed(15, to: 5)), 7)
    equal(AirMessage.tag(of: [0x41]), 0xFFFF)
  }
}
