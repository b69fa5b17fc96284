import BluetoothWire
import Expectations
import Testing
import VirtualRadio

@Suite("Advertising data of phones")
struct PhoneAdvertisingTests {
  /// Bab's three services.
  let short = BluetoothUUID(0xBAB1)
  let guide = BluetoothUUID(high: 0x1234_5678_1234_1234, low: 0x1234_1234_5678_9ABC)

  private func build(_ name: String, _ uuids: [BluetoothUUID], _ phone: PhonePreset, back: Bool = false)
    -> AdvertisingPackets?
  {
    AdvertisingDataBuilder.build(localName: name, serviceUUIDs: uuids, phone: phone, isInBackground: back)
  }

  @Test("iPhone, 128-bit service: eight characters of the name are left, as others measured")
  func iphoneLong() throws {
    // "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" beside one 128-bit UUID arrives as "01234567" (public question on
    // CBAdvertisementDataLocalNameKey's size, iOS 16).
    let packets = try required(build("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", [guide], .iphone))
    equal(
      packets.data,
      [
        0x02, 0x01, 0x1A, 0x11, 0x07, 0xBC, 0x9A, 0x78, 0x56, 0x34, 0x12, 0x34, 0x12, 0x34, 0x12, 0x34, 0x12, 0x78,
        0x56,
        0x34, 0x12, 0x09, 0x08, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37,
      ])
    equal(packets.data.count, 31)
    equal(packets.scanResponse, [])
  }

  @Test("iPhone, 16-bit service: the whole name fits beside it")
  func iphoneShort() throws {
    let packets = try required(build("bab-game-peer-host", [short], .iphone))
    equal(packets.data, [0x02, 0x01, 0x1A, 0x03, 0x03, 0xB1, 0xBA, 0x13, 0x09] + Array("bab-game-peer-host".utf8))
    equal(packets.scanResponse, [])
  }

  @Test("iPhone in background: no name, no UUID, one bit of the overflow area")
  func iphoneBackground() throws {
    let packets = try required(build("bab-game-x", [short], .iphone, back: true))
    // 02 01 1A 14 FF 4C 00 01 and sixteen octets with one bit set: as sniffed by others from a backgrounded iPhone.
    equal(Array(packets.data.prefix(8)), [0x02, 0x01, 0x1A, 0x14, 0xFF, 0x4C, 0x00, 0x01])
    equal(packets.data.count, 24)
    equal(packets.data.dropFirst(8).reduce(0) { $0 + $1.nonzeroBitCount }, 1)
    equal(packets.scanResponse, [])
    expect(AdvertisingDataBuilder.overflowArea(in: packets.data, mayHold: short))
    expect(!AdvertisingDataBuilder.overflowArea(in: packets.data, mayHold: guide))
  }

  @Test("Android puts the name into the scan response, and refuses one that is too long")
  func android() throws {
    let packets = try required(build(String(repeating: "n", count: 29), [guide], .android))
    equal(packets.data.count, 21)
    equal(packets.scanResponse.count, 31)
    equal(packets.scanResponse.prefix(2), [0x1E, 0x09])
    expect(build(String(repeating: "n", count: 30), [guide], .android) == nil)
    expect(build("n", [guide, BluetoothUUID(high: 1, low: 2)], .android) == nil)
  }

  @Test("Linux shortens a long name between two characters")
  func linux() throws {
    let packets = try required(build(String(repeating: "é", count: 20), [short], .linux))
    // 31 − 2 octets hold fourteen two-octet characters.
    equal(packets.scanResponse.prefix(2), [0x1D, 0x08])
    equal(packets.scanResponse.count, 30)
    equal(packets.data.count, 7)
  }

  @Test("Nothing is longer than 31 octets, whatever is asked", arguments: PhonePreset.all)
  func room(phone: PhonePreset) {
    for length in 0...80 {
      for count in 0...4 {
        let uuids = (0..<count).map { index in
          index.isMultiple(of: 2) ? BluetoothUUID(high: UInt64(index) + 5, low: 9) : BluetoothUUID(UInt16(index))
        }
        for back in [false, true] {
          guard let packets = build(String(repeating: "x", count: length), uuids, phone, back: back) else { continue }
          expect(packets.data.count <= 31 && packets.scanResponse.count <= 31)
          equal(ADStructure.octets(ADStructure.readable(in: packets.data)), packets.data)
          equal(ADStructure.octets(ADStructure.readable(in: packets.scanResponse)), packets.scanResponse)
        }
      }
    }
  }
}
