import BluetoothWire
import Expectations
import Testing

/// Octets written by hand after Core v5.4, Vol 4, Part E, 5.4.5; those of other stacks are in `HCIVectors.isoData`.
@Suite("HCI ISO Data packets (Core Vol 4, Part E, 5.4.5)")
struct HCIISODataTests {
  private func decode(_ packet: String) throws -> HCI.ISOData { try HCI.ISOData(decoding: [UInt8].hex(packet)) }

  @Test("Every boundary, with and without a time stamp, survives the octets", arguments: [nil, 0, UInt32.max])
  func roundTrips(_ timeStamp: UInt32?) throws {
    for boundary in [HCI.ISOData.Boundary.first, .continuing, .complete, .last] {
      for (number, length, status) in [(UInt16.min, UInt16.min, UInt8.min), (0x8001, 0x0801, 2), (.max, 0x0FFF, 3)] {
        let head = HCI.ISOData.Head(
          timeStamp: timeStamp, sequenceNumber: number, sduLength: length, status: status)
        for count in [0, 1, 251] {
          let data = HCI.ISOData(
            handle: 0x0ABC, boundary: boundary, head: boundary.beginsSDU ? head : nil,
            octets: [UInt8](repeating: 0x5A, count: count))
          try equal(HCI.ISOData(decoding: data.h4Octets), data)
        }
      }
    }
  }

  @Test("A time stamp in a continuing or last packet is refused at its flag")
  func strayTimeStamps() {
    for packet in ["05605008000000000000000000", "05607008000000000000000000", "0560500000", "056070"] {
      #expect(throws: WireError(.timeStampInFragment, at: 2), "\(packet)") { try decode(packet) }
      #expect(throws: WireError(.timeStampInFragment, at: 2)) { try HCI.ToHost(decoding: [UInt8].hex(packet)) }
      #expect(throws: WireError(.timeStampInFragment, at: 2)) { try HCI.ToController(decoding: [UInt8].hex(packet)) }
    }
  }

  @Test("A packet that is too short for its head, or has another length than it says, is refused")
  func lengths() {
    for (packet, error) in [
      ("", WireError(.truncated, at: 0)), ("05", .init(.truncated, at: 1)), ("0560", .init(.truncated, at: 2)),
      ("056020", .init(.truncated, at: 3)), ("05602004", .init(.truncated, at: 4)),
      // The length is right, the head is not whole.
      ("0560200000", .init(.truncated, at: 5)), ("056020030007000400", .init(.trailingOctets, at: 8)),
      ("0560200300070004", .init(.truncated, at: 8)), ("0560600400070004ff", .init(.truncated, at: 9)),
      ("0560100100aabb", .init(.trailingOctets, at: 6)), ("0260200000", .init(.unknownType, at: 0)),
    ] {
      #expect(throws: error, "\(packet)") { try decode(packet) }
    }
  }

  @Test("Bits reserved for future use are not looked at, and are zero in what is written")
  func reservedBits() throws {
    let plain = "056020080007000400deadbeef"
    for reserved in [
      "0560a0080007000400deadbeef", "056020084007000400deadbeef", "05602008c007000430deadbeef",
    ] {
      let data = try decode(reserved)
      try equal(data, decode(plain), "\(reserved)")
      equal(data.h4Octets, [UInt8].hex(plain))
    }
  }

  @Test("What a field cannot count is cut")
  func cut() throws {
    let long = [UInt8](repeating: 7, count: 20_000)
    for (boundary, head) in [
      (HCI.ISOData.Boundary.last, 0), (.continuing, 0), (.complete, 4), (.first, 8),
    ] {
      let data = HCI.ISOData(
        handle: 0xF123, boundary: boundary,
        head: .init(timeStamp: head == 8 ? 1 : nil, sequenceNumber: 2, sduLength: 0xFFFF, status: 0xFF), octets: long)
      let octets = data.h4Octets
      equal(octets.count, 5 + 0x3FFF)
      let again = try HCI.ISOData(decoding: octets)
      equal(again.handle, 0x123)
      equal(again.boundary, boundary)
      equal(again.octets.count, 0x3FFF - head)
      equal(
        again.head,
        head == 0 ? nil : .init(timeStamp: head == 8 ? 1 : nil, sequenceNumber: 2, sduLength: 0x0FFF, status: 3))
    }
  }

  @Test("A packet that begins an SDU and has no head is written with one")
  func missingHead() throws {
    let data = HCI.ISOData(handle: 0x60, boundary: .complete, octets: [1, 2, 3])
    equal(data.h4Octets, [UInt8].hex("0560200700" + "00000300" + "010203"))
    equal(HCI.ISOData(handle: 0x60, boundary: .last, octets: []).h4Octets, [UInt8].hex("0560300000"))
  }
}
