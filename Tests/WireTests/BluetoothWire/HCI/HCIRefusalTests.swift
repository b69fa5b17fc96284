import BluetoothWire
import Expectations
import Testing

@Suite("What the HCI decoders refuse, and what they leave to the controller")
struct HCIRefusalTests {
  @Test("Parameters that the typed commands cannot hold are refused where they are")
  func outOfRange() {
    for (packet, offset) in [
      ("010a200102", 4), ("010b200702900424010100", 4), ("010b200701900424010400", 9),
      ("0106200f300030000500000000000000000700", 8), ("0106200f300030000004000000000000000700", 9),
      ("0106200f300030000000020000000000000700", 10), ("010820202003" + String(repeating: "00", count: 30), 4),
      ("0111200702fc126538c1a4", 4), ("01112007fffc126538c1a4", 4),
      ("010d2019600030000004f5f4f3f2f1f002180028000000f40104000600", 9),
      ("010d2019600030000003f5f4f3f2f1f004180028000000f40104000600", 16),
      ("016d0c020200", 4), ("012d200102", 4), ("014e200801f5f4f3f2f1f002", 11),
      ("01362019011300200000300000070400000000000000007f0100010500", 14),
      ("01362019011300200000300000070300000000000000007f0100010502", 28), ("0137200401050000", 5),
      ("013920020200", 4), ("0142200601032c010400", 5), ("0141200d010005026000300000c0006000", 7),
    ] {
      #expect(throws: WireError(.valueOutOfRange, at: offset), "\(packet)") {
        try HCI.Command(decoding: [UInt8].hex(packet))
      }
    }
  }

  static let held: [ForeignPacket<HCI.Command>] = [
    .init(source: "by hand", octets: "01312003000400", value: .leSetDefaultPHY(tx: .leCoded, rx: [])),
    .init(source: "by hand", octets: "013120030000ff", value: .leSetDefaultPHY(tx: [], rx: .init(rawValue: 0xFF))),
    .init(source: "by hand", octets: "01312003000303", value: .leSetDefaultPHY(tx: both, rx: both)),
    .init(
      source: "by hand, a reserved PHY", octets: "0141200802000801" + "10001000",
      value: .extended(
        .leSetExtendedScanParameters(
          {
            var parameters = HCI.ExtendedScanParameters(
              phys: .init(rawValue: 0x08), entries: [.init(isActive: true, interval: 16, window: 16)])
            parameters.ownAddressType = .resolvableOrPublic
            return parameters
          }()))),
    .init(
      source: "by hand, no PHY", octets: "01412003010000",
      value: .extended(.leSetExtendedScanParameters(.init(phys: [], entries: [])))),
    .init(
      source: "by hand, a reserved own PHY in advertising",
      octets: "01362019011300200000300000070100000000000000007f0900040500",
      value: .extended(
        .leSetExtendedAdvertisingParameters(
          {
            var parameters = HCI.ExtendedAdvertisingParameters(
              set: 1, properties: [.connectable, .scannable, .legacy], intervalMinimum: 32, intervalMaximum: 48)
            parameters.primaryPHY = .init(9)
            parameters.secondaryPHY = .init(4)
            parameters.sid = 5
            return parameters
          }()))),
  ]

  private static let both: HCI.PHYMask = [.le1M, .le2M]

  @Test("What another controller may support is held for the controller to judge", arguments: held)
  func heldCommands(_ packet: ForeignPacket<HCI.Command>) throws {
    try equal(HCI.Command(decoding: [UInt8].hex(packet.octets)), packet.value)
    equal(packet.value.h4Octets, [UInt8].hex(packet.octets))
  }

  @Test("A mask of PHYs beside the bit that voids it is not kept")
  func noPreference() throws {
    try equal(HCI.Command(decoding: [UInt8].hex("013120030307ff")), .leSetDefaultPHY(tx: nil, rx: nil))
    equal(HCI.Command.leSetDefaultPHY(tx: nil, rx: nil).h4Octets, [UInt8].hex("01312003030000"))
  }

  @Test("Commands with one entry for each PHY find it by its bit")
  func entries() throws {
    let command = try HCI.Command(decoding: [UInt8].hex("0141200d010005016000300000c0006000"))
    guard case .extended(.leSetExtendedScanParameters(let parameters)) = command else {
      return expect(false, "\(command)")
    }
    equal(parameters.entry(for: .le1M)?.interval, 96)
    equal(parameters.entry(for: .leCoded)?.interval, 192)
    expect(parameters.entry(for: .le2M) == nil)
    expect(parameters.entry(for: [.le1M, .leCoded]) == nil)
    expect(HCI.ExtendedScanParameters(phys: [.le1M, .leCoded], entries: []).entry(for: .leCoded) == nil)
  }

  @Test("An unknown opcode is other, whatever its parameters")
  func unknownOpcodes() throws {
    for packet in ["01130c03414243", "01017400", "0101fc03010203", "01ffffff" + String(repeating: "00", count: 255)] {
      let octets = [UInt8].hex(packet)
      let opcode = HCI.Opcode(rawValue: UInt16(octets[1]) | UInt16(octets[2]) << 8)
      try equal(HCI.Command(decoding: octets), .other(opcode, parameters: Array(octets.dropFirst(4))))
    }
  }

  @Test("A known command with too few or too many parameters is refused", arguments: HCIVectors.commands.map(\.octets))
  func knownCommands(_ packet: String) throws {
    let octets = [UInt8].hex(packet)
    if octets.count < 4 + 255 {
      var longer = octets + [0]
      longer[3] += 1
      #expect(throws: WireError(.trailingOctets, at: octets.count)) { try HCI.Command(decoding: longer) }
    }
    if octets[3] > 0 {
      var shorter = Array(octets.dropLast())
      shorter[3] -= 1
      #expect(throws: WireError(.truncated, at: shorter.count)) { try HCI.Command(decoding: shorter) }
    }
  }

  @Test("Data of other kinds, and flags that LE does not have, are refused with their reasons")
  func data() {
    for (packet, error) in [
      ("0240300000", WireError(.reservedBoundary, at: 2)), ("0240f00000", .init(.reservedBoundary, at: 2)),
      ("0240400000", .init(.broadcast, at: 2)), ("0240800000", .init(.broadcast, at: 2)),
      ("0240c00000", .init(.broadcast, at: 2)), ("0340000100", .init(.synchronousData, at: 0)),
      ("0640000000", .init(.unknownType, at: 0)),
      ("00", .init(.unknownType, at: 0)), ("", .init(.truncated, at: 0)),
    ] {
      #expect(throws: error, "\(packet)") { try HCI.ToHost(decoding: [UInt8].hex(packet)) }
      #expect(throws: error, "\(packet)") { try HCI.ToController(decoding: [UInt8].hex(packet)) }
      #expect(throws: error, "\(packet)") { try HCI.ToHost.messages(h4: [UInt8].hex(packet)) }
    }
    #expect(throws: WireError(.unknownType, at: 0)) { try HCI.ToHost(decoding: [0x01, 0x03, 0x0C, 0x00]) }
    #expect(throws: WireError(.unknownType, at: 0)) { try HCI.ToController(decoding: [0x04, 0x10, 0x01, 0x00]) }
  }
}
