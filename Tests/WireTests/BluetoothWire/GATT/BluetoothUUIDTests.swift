import BluetoothWire
import Expectations
import Testing

@Suite("UUIDs as octets and text (Core v5.4, Vol 3, Part B, 2.5.1)")
struct BluetoothUUIDTests {
  /// Text and octets by Bumble 0.0.236 (`bumble.core.UUID`, `to_bytes`).
  static let golden: [(text: String, octets: String)] = [
    ("12345678-1234-1234-1234-123456789ABC", "bc9a7856341234123412341278563412"),
    ("180A", "0a18"),
    ("BAB10000-1A46-0001-0000-000000000001", "010000000000000001 00461a0000b1ba"),
  ]

  @Test("Text and octets of another stack agree with ours both ways", arguments: golden.indices)
  func goldenText(index: Int) throws {
    let (text, hex) = Self.golden[index]
    let uuid = try required(BluetoothUUID(text))
    equal(uuid.octets, [UInt8].hex(hex))
    equal(uuid.description, text)
    try equal(BluetoothUUID(decoding: [UInt8].hex(hex)), uuid)
    equal(BluetoothUUID(text.lowercased()), uuid)
  }

  @Test(
    "Every spelling of a UUID over the Base UUID is the same value",
    arguments: [
      "BAB1", "0xbab1", "0000BAB1", "0000bab1-0000-1000-8000-00805f9b34fb", "0000BAB100001000800000805F9B34FB",
    ])
  func spellings(text: String) throws {
    let uuid = try required(BluetoothUUID(text))
    equal(uuid, BluetoothUUID(0xBAB1))
    equal(uuid.short, 0xBAB1)
    equal(uuid.description, "BAB1")
    equal(uuid.octets, [0xB1, 0xBA])
    try equal(BluetoothUUID(decoding: uuid.longOctets), uuid)
    equal(uuid.longOctets.count, 16)
  }

  @Test("Four octets widen to the Base UUID without a 16-bit form")
  func thirtyTwoBits() throws {
    let uuid = try BluetoothUUID(decoding: [0x78, 0x56, 0x34, 0x12])
    equal(uuid, BluetoothUUID("12345678"))
    expect(uuid.short == nil)
    equal(uuid.description, "12345678-0000-1000-8000-00805F9B34FB")
  }

  @Test("Every other number of octets is refused", arguments: (0...20).filter { ![2, 4, 16].contains($0) })
  func otherLengths(count: Int) {
    #expect(throws: WireError(.lengthMismatch, at: count)) {
      try BluetoothUUID(decoding: [UInt8](repeating: 1, count: count))
    }
  }

  @Test(
    "Other text is no UUID",
    arguments: [
      "", "-", "18", "180", "180G", "18-0A", "0x", "x180A", "180A ", "12345678-1234-1234-12341234-56789ABC",
      "12345678-1234-1234-1234-123456789AB", "0x12345678123412341234123456789ABC",
      "12345678-1234-1234-1234-123456789ABC0", "１８０Ａ", "12345678--1234-1234-1234-23456789ABC",
    ])
  func otherText(text: String) {
    expect(BluetoothUUID(text) == nil)
  }
}
