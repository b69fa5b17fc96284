import BluetoothWire
import Expectations
import Testing

@Suite("HCI packets as octets (Core Vol 4, Part E, 5.4)")
struct HCIPacketTests {
  @Test("Commands of other stacks decode and encode back", arguments: HCIVectors.commands)
  func commands(_ foreign: ForeignPacket<HCI.Command>) throws {
    let octets = [UInt8].hex(foreign.octets)
    try equal(HCI.Command(decoding: octets), foreign.value)
    equal(foreign.value.h4Octets, octets)
    equal(foreign.value.opcode.rawValue, UInt16(octets[1]) | UInt16(octets[2]) << 8)
    try equal(HCI.ToController(decoding: octets), .command(foreign.value))
    equal(HCI.ToController.command(foreign.value).h4Octets, octets)
  }

  @Test("Events of other stacks decode and encode back", arguments: HCIVectors.events)
  func events(_ foreign: ForeignPacket<HCI.Event>) throws {
    let octets = [UInt8].hex(foreign.octets)
    try equal(HCI.Event(decoding: octets), foreign.value)
    equal(foreign.value.h4Octets, octets)
    try equal(HCI.ToHost(decoding: octets), .event(foreign.value))
    equal(HCI.ToHost.event(foreign.value).h4Octets, octets)
  }

  @Test("ACL data of other stacks decodes and encodes back", arguments: HCIVectors.data)
  func data(_ foreign: ForeignPacket<HCI.ACLData>) throws {
    let octets = [UInt8].hex(foreign.octets)
    try equal(HCI.ACLData(decoding: octets), foreign.value)
    equal(foreign.value.h4Octets, octets)
    try equal(HCI.ToHost(decoding: octets), .acl(foreign.value))
    equal(HCI.ToController.acl(foreign.value).h4Octets, octets)
  }

  @Test("Isochronous data of other stacks decodes and encodes back", arguments: HCIVectors.isoData)
  func isoData(_ foreign: ForeignPacket<HCI.ISOData>) throws {
    let octets = [UInt8].hex(foreign.octets)
    try equal(HCI.ISOData(decoding: octets), foreign.value)
    equal(foreign.value.h4Octets, octets)
    try equal(HCI.ToHost(decoding: octets), .iso(foreign.value))
    try equal(HCI.ToHost.messages(h4: octets), [.iso(foreign.value)])
    try equal(HCI.ToController(decoding: octets), .iso(foreign.value))
    equal(HCI.ToHost.iso(foreign.value).h4Octets, octets)
    equal(HCI.ToController.iso(foreign.value).h4Octets, octets)
  }

  /// The lists above hold one of every modelled case; an encoder that forgot one would trap here.
  @Test("The golden packets cover every modelled command and event")
  func coverage() {
    // 38 that stand alone, 19 general, 9 of privacy, 12 extended, 19 periodic, 7 of power, 15 of streams; security
    // has its own.
    let opcodes = Set(HCIVectors.commands.map(\.value.opcode))
    equal(opcodes.count, 119)
    let events = HCIVectors.events.map { [UInt8].hex($0.octets) }.map { [$0[1], $0[1] == 0x3E ? $0[3] : 0] }
    let modelled: Set<[UInt8]> = [
      [0x05, 0], [0x0C, 0], [0x0E, 0], [0x0F, 0], [0x10, 0], [0x13, 0], [0x3E, 1], [0x3E, 2], [0x3E, 3], [0x3E, 4],
      [0x3E, 6], [0x3E, 7], [0x3E, 0x0A], [0x3E, 0x0C], [0x3E, 0x0D], [0x3E, 0x0E], [0x3E, 0x0F], [0x3E, 0x10],
      [0x3E, 0x11], [0x3E, 0x12], [0x3E, 0x13], [0x3E, 0x14], [0x3E, 0x18], [0x3E, 0x19], [0x3E, 0x1A], [0x3E, 0x1F],
      [0x3E, 0x20], [0x3E, 0x21], [0x3E, 0x23], [0x3E, 0x24], [0x3E, 0x25], [0x3E, 0x26], [0x3E, 0x27], [0x3E, 0x28],
    ]
    expect(modelled.isSubset(of: Set(events)))
  }

  static let packets: [String] =
    HCIVectors.commands.map(\.octets) + HCIVectors.events.map(\.octets) + HCIVectors.data.map(\.octets)
    + HCIVectors.isoData.map(\.octets)

  @Test("Every proper prefix is refused as truncated, and one octet more as trailing", arguments: packets)
  func lengths(_ packet: String) {
    let octets = [UInt8].hex(packet)
    for prefix in Octets.properPrefixes(octets) {
      #expect(throws: WireError(.truncated, at: prefix.count)) { try decode(prefix) }
    }
    #expect(throws: WireError(.trailingOctets, at: octets.count)) { try decode(octets + [0]) }
  }

  @Test("Parameters cut or stretched together with their length octet are refused or other", arguments: packets)
  func parameterLengths(_ packet: String) {
    let octets = [UInt8].hex(packet)
    let lengthAt = octets[0] == 4 ? 2 : 3
    if octets[0] == 2 || octets[0] == 5 { return }
    for count in 0..<min(256, octets.count - lengthAt + 3) {
      var changed = Array(octets.prefix(lengthAt)) + [UInt8(count)] + octets.dropFirst(lengthAt + 1)
      changed = Array((changed + [0, 0, 0, 0]).prefix(lengthAt + 1 + count))
      guard let again = try? encodedAgain(changed) else { continue }
      equal(again.count, changed.count)
    }
  }

  @Test("Damaged packets are refused or encode to as many octets", arguments: packets)
  func damaged(_ packet: String) {
    for octets in Octets.damaged([UInt8].hex(packet)) {
      guard let again = try? encodedAgain(octets) else { continue }
      equal(again.count, octets.count)
    }
  }

  @Test("What a field cannot count is cut")
  func cut() throws {
    let long = [UInt8](repeating: 9, count: 400)
    let packets = [
      HCI.Command.leSetAdvertisingData(long).h4Octets,
      HCI.Command.other(.init(rawValue: 0xFFFF), parameters: long).h4Octets,
      HCI.Event.other(code: 0xFF, parameters: long).h4Octets,
      HCI.Event.commandComplete(.readBDADDR, status: .success, returnParameters: long).h4Octets,
      HCI.Event.numberOfCompletedPackets(
        [HCI.CompletedPackets](repeating: .init(handle: 1, count: 1), count: 100)
      ).h4Octets,
      HCI.Command.extended(.leSetExtendedAdvertisingData(.init(set: 0, data: long))).h4Octets,
      HCI.Command.extended(
        .leSetExtendedAdvertisingEnable(true, [HCI.AdvertisingSetEnable](repeating: .init(set: 0), count: 300))
      ).h4Octets,
      HCI.Command.extended(
        .leSetExtendedScanParameters(
          .init(phys: .le1M, entries: Array(repeating: .init(isActive: true, interval: 4, window: 4), count: 99)))
      ).h4Octets,
      HCI.Command.general(
        .hostNumberOfCompletedPackets(Array(repeating: .init(handle: 1, count: 1), count: 300))
      ).h4Octets,
      HCI.Command.privacy(
        .leAddDeviceToResolvingList(
          .init(peer: .init(kind: .random, bits: 1), peerIRK: long, localIRK: []))
      ).h4Octets,
      HCI.Event.extended(
        .leExtendedAdvertisingReport(.init(type: .advInd, address: .init(kind: .random, bits: 1), rssi: 0, data: long))
      ).h4Octets,
      HCI.Command.periodic(
        .leSetPeriodicAdvertisingSubeventData(
          0, [.init(subevent: 0, data: [1, 2, 3])] + Array(repeating: .init(subevent: 0, data: long), count: 300))
      ).h4Octets,
      HCI.Command.periodic(
        .leSetPeriodicAdvertisingResponseData(
          .init(handle: 0, requestEvent: 0, requestSubevent: 0, subevent: 0, slot: 0, data: long))
      ).h4Octets,
      HCI.Command.periodic(.leSetPeriodicSyncSubevent(.init(handle: 0, subevents: long))).h4Octets,
      HCI.Event.periodic(
        .lePeriodicAdvertisingReportV2(
          .init(.init(handle: 0, rssi: 0, status: .complete, data: long), eventCounter: 0, subevent: 0))
      ).h4Octets,
      HCI.Event.periodic(
        .lePeriodicAdvertisingResponseReport(
          {
            var report = HCI.SubeventResponses(set: 0, subevent: 0)
            report.responses = Array(repeating: .init(slot: 0, status: .missed), count: 300)
            report.responses[20].data = long
            return report
          }())
      ).h4Octets,
      HCI.Event.leAdvertisingReport(
        .init(kind: .advInd, address: .init(kind: .random, bits: 1), data: long, rssi: 0)
      ).h4Octets,
    ]
    for packet in packets {
      let lengthAt = packet[0] == 4 ? 2 : 3
      equal(packet.count, lengthAt + 1 + Int(packet[lengthAt]))
      #expect(throws: Never.self) { try decode(packet) }
    }
  }

  private func decode(_ octets: [UInt8]) throws {
    switch octets.first {
    case 0x04: _ = try HCI.ToHost(decoding: octets)
    default: _ = try HCI.ToController(decoding: octets)
    }
  }

  private func encodedAgain(_ octets: [UInt8]) throws -> [UInt8] {
    switch octets.first {
    case 0x04: try HCI.ToHost(decoding: octets).h4Octets
    default: try HCI.ToController(decoding: octets).h4Octets
    }
  }
}
