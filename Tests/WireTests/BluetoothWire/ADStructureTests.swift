import BluetoothWire
import Expectations
import Testing

struct ForeignAdvertisingData: CustomTestStringConvertible, Sendable {
  var source: String
  var octets: String
  var list: [ADStructure]
  var testDescription: String { source }

  static let all: [ForeignAdvertisingData] = [
    .init(
      source: "shared capture 02 #1", octets: "0201060f09536d6172742d446f6f7262656c6c",
      list: [
        .flags([.generalDiscoverable, .brEDRNotSupported]), .localName("Smart-Doorbell", isComplete: true),
      ]),
    .init(
      source: "shared capture 07 #1", octets: "02011a030311181309416c657274204e6f74696669636174696f6e",
      list: [
        .flags([.generalDiscoverable, .simultaneousController, .simultaneousHost]),
        .serviceUUIDs16([0x1811], isComplete: true), .localName("Alert Notification", isComplete: true),
      ]),
    .init(
      source: "shared capture 08 #1", octets: "020106080947726f75702d41020a09",
      list: [
        .flags([.generalDiscoverable, .brEDRNotSupported]), .localName("Group-A", isComplete: true), .txPowerLevel(9),
      ]),
    .init(
      source: "shared capture 08 #1528", octets: "02010613ff060002010600de9840f9ade6000000000380",
      list: [
        .flags([.generalDiscoverable, .brEDRNotSupported]),
        .other(type: 0xFF, data: [UInt8].hex("060002010600de9840f9ade6000000000380")),
      ]),
    .init(
      source: "Nordic UART Service, complete 128-bit list and shortened name",
      octets: "11079ecadc240ee5a9e093f3a3b50100406e 04084e6f72",
      list: [
        .serviceUUIDs128(
          [BluetoothUUID(high: 0x6E40_0001_B5A3_F393, low: 0xE0A9_E50E_24DC_CA9E)], isComplete: true),
        .localName("Nor", isComplete: false),
      ]),
    // Octets and meanings of the tests of a reader for Android.
    .init(
      source: "react-native-ble-plx, AdvertisementDataSpec: solicited 16-bit UUIDs", octets: "05140a180b28",
      list: [.solicitedUUIDs16([0x180A, 0x280B])]),
    .init(
      source: "react-native-ble-plx, AdvertisementDataSpec: solicited 32-bit UUIDs", octets: "051f0a180b28 0114",
      list: [.solicitedUUIDs32([0x280B_180A]), .solicitedUUIDs16([])]),
    .init(
      source: "react-native-ble-plx, AdvertisementDataSpec: solicited 128-bit UUIDs",
      octets: "1115ba5689a6fabfa2bd01467d6eca36abad",
      list: [.solicitedUUIDs128([BluetoothUUID(high: 0xADAB_36CA_6E7D_4601, low: 0xBDA2_BFFA_A689_56BA)])]),
    .init(
      source: "react-native-ble-plx, AdvertisementDataSpec: service data, 16-bit UUIDs",
      octets: "05160a180b28 06160a190704ff 03160a18",
      list: [.serviceData16(0x180A, [0x0B, 0x28]), .serviceData16(0x190A, [7, 4, 0xFF]), .serviceData16(0x180A, [])]),
    .init(
      source: "react-native-ble-plx, AdvertisementDataSpec: service data, 32-bit UUIDs",
      octets: "05200a180b28 08200a180b28beefee",
      list: [.serviceData32(0x280B_180A, []), .serviceData32(0x280B_180A, [0xBE, 0xEF, 0xEE])]),
    .init(
      source: "react-native-ble-plx, AdvertisementDataSpec: service data, 128-bit UUID",
      octets: "1221ba5689a6fabfa2bd01467d6eca36abad69",
      list: [.serviceData128(BluetoothUUID(high: 0xADAB_36CA_6E7D_4601, low: 0xBDA2_BFFA_A689_56BA), [0x69])]),
    .init(
      source: "react-native-ble-plx, AdvertisementDataSpec: complex",
      octets: "03160a18 0909536f6d654e616d65 020a7f 05140a180b28",
      list: [
        .serviceData16(0x180A, []), .localName("SomeName", isComplete: true), .txPowerLevel(127),
        .solicitedUUIDs16([0x180A, 0x280B]),
      ]),
    .init(
      source: "Supplement, Part A, 1.1: incomplete lists", octets: "05020d180a18 0106",
      list: [.serviceUUIDs16([0x180D, 0x180A], isComplete: false), .serviceUUIDs128([], isComplete: false)]),
  ]
}

@Suite("AD structures (Core Vol 3, Part C, 11)")
struct ADStructureTests {
  @Test("Foreign octets decode to their meaning and encode back to themselves", arguments: ForeignAdvertisingData.all)
  func foreignOctets(_ foreign: ForeignAdvertisingData) throws {
    let octets = [UInt8].hex(foreign.octets)
    try equal(ADStructure.list(decoding: octets), foreign.list)
    equal(ADStructure.octets(foreign.list), octets)
  }

  @Test("A prefix gives the whole structures in it, or is refused at its end", arguments: ForeignAdvertisingData.all)
  func prefixes(_ foreign: ForeignAdvertisingData) {
    for prefix in Octets.properPrefixes([UInt8].hex(foreign.octets)) {
      let readable = ADStructure.readable(in: prefix)
      equal(readable, Array(foreign.list.prefix(readable.count)))
      if ADStructure.octets(readable).count < prefix.count {
        #expect(throws: WireError(.truncated, at: prefix.count)) { try ADStructure.list(decoding: prefix) }
      }
    }
  }

  @Test("Damaged octets are refused or encode back, up to an early end", arguments: ForeignAdvertisingData.all)
  func damaged(_ foreign: ForeignAdvertisingData) {
    for octets in Octets.damaged([UInt8].hex(foreign.octets)) {
      let again = ADStructure.octets(ADStructure.readable(in: octets))
      expect(octets.starts(with: again))
      if (try? ADStructure.list(decoding: octets)) != nil {
        expect(again.count == octets.count || octets[again.count] == 0)
      }
    }
  }

  @Test("Data that does not fit its type survives as it came")
  func misfits() throws {
    for octets in [
      "0101", "03010600", "0203ff", "05060d180a18", "0309c328", "020ac3" + "030a0000", "01ff", "0400010203",
      "0116", "0216ff", "0414010203", "041f010203", "0415010203", "0420010203", "0321ffff",
    ] {
      let octets = [UInt8].hex(octets)
      let list = try ADStructure.list(decoding: octets)
      equal(ADStructure.octets(list), octets)
      guard case .other = list.last else {
        Issue.record("\(list)")
        continue
      }
    }
  }

  @Test("A zero length ends the list, whatever is behind it")
  func earlyTermination() throws {
    try equal(
      ADStructure.list(decoding: [UInt8].hex("020106000000ff")),
      [
        .flags([.generalDiscoverable, .brEDRNotSupported])
      ])
    try equal(ADStructure.list(decoding: []), [])
  }

  @Test("A name is shortened between scalars, never inside one")
  func names() {
    equal(ADStructure.localName("Bab", fitting: 5), .localName("Bab", isComplete: true))
    equal(ADStructure.localName("Bab", fitting: 4), .localName("Ba", isComplete: false))
    equal(ADStructure.localName("Zoë", fitting: 5), .localName("Zo", isComplete: false))
    equal(ADStructure.localName("Zoë", fitting: 6), .localName("Zoë", isComplete: true))
    expect(ADStructure.localName("ë", fitting: 3) == nil)
    expect(ADStructure.localName("Bab", fitting: -1) == nil)
    equal(ADStructure.localName("", fitting: 2), .localName("", isComplete: true))
  }

  @Test("Data beyond 254 octets is cut where the length octet ends")
  func tooLong() {
    let octets = ADStructure.other(type: 0xFF, data: [UInt8](repeating: 1, count: 300)).octets
    expect(octets.count == 256 && octets[0] == 255)
  }

  @Test("All advertising data of the shared air captures decodes", .enabled(if: ForeignCapture.areAvailable))
  func everyAdvertiser() throws {
    var decoded = 0
    for capture in ["02", "07", "08"] {
      for packet in try ForeignCapture(capture).packets {
        guard let foreign = ForeignAirPDU(packet), foreign.accessAddress == LL.advertisingAccessAddress else {
          continue
        }
        let data: [UInt8]
        switch try LL.AdvertisingPDU(decoding: foreign.pdu) {
        case .advInd(_, let octets, _), .advNonconnInd(_, let octets), .advScanInd(_, let octets),
          .scanRsp(_, let octets):
          data = octets
        default: continue
        }
        equal(ADStructure.octets(try ADStructure.list(decoding: data)), data)
        decoded += 1
      }
    }
    expect(decoded > 1200)
  }
}
