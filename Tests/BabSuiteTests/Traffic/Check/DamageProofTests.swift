import BabSim
import BabSuite
import Bench
import Bystanders
import CaptureFormats
import CaptureTestSupport
import Expectations
import Foundation
import SimKernel
import Testing

@testable import BabOracles
@testable import CaptureCheck
@testable import Conformance
@testable import Judging

/// Whatever ordinary damage does to a capture that has no finding, it has none afterwards: damaged files say less, and
/// accuse nobody.
///
/// Everyday runs take a part. With `BABBENCH_PROOFS=1` there are more than 300 captures: of runs that conform, on the
/// air and at the HCI of every device, and those that others made.
@Suite("Damage proof: what capturers lose, cut and set accuses nobody")
struct DamageProofTests {
  /// Rooms that are over soon, one for each seed in turn.
  private static let rooms = [
    "lobby/two-peers", "faults/host-vanishes", "guests/pair", "lobby/late-joiner", "rooms/two-lobbies",
  ]

  @Test("Captures of runs that conform", arguments: 1...UInt64(Part.isAll ? 75 : 3))
  func own(seed: UInt64) throws {
    let room = Self.rooms[Int(seed - 1) % Self.rooms.count]
    let folder = try Self.captures(of: room, seed)
    var proof = DamageProof(protocolType: SpokenProtocol(BabTraffic.self))
    for (index, name) in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().enumerated() {
      guard name.hasSuffix(".btsnoop") || name.hasSuffix(".pcapng") else { continue }
      let octets = try Self.written(try folder.octets(name), seed + UInt64(index))
      let isSubject = proof.take(octets, "\(room) seed \(seed) \(name)")
      expect(isSubject, "a run that conforms has a finding: \(room) seed \(seed) \(name)")
      proof.damage(times: Part.isAll ? 4 : 1)
      if proof.isOfAir { proof.deleteEach(of: Part.isAll ? 240 : 60, pairs: Part.isAll ? 60 : 12) }
    }
    print("damage proof, \(room) seed \(seed): \(proof.captures) captures, \(proof.runs) damaged ones")
    expect(proof.captures > 1 && proof.runs > 20)
    equal(proof.accusations, [])
  }

  /// What the proof found once: places of packets in the air capture of a late joiner's lobby, counted from 1.
  @Test(
    "Damage that accused somebody accuses nobody any more",
    arguments: [
      // A PDU with a wrong CRC, and the two after it: its repeat and the answer.
      (44, [153, 154], false), (64, [109, 110], false),
      // A request whose answer was heard, and which came again.
      (34, [2457], false),
      // A request after its answer.
      (59, [2597, 2598], true),
    ])
  func regressions(seed: UInt64, packets: [Int], swapped: Bool) throws {
    let folder = try Self.captures(of: "lobby/late-joiner", seed)
    var proof = DamageProof(protocolType: SpokenProtocol(BabTraffic.self))
    let isSubject = proof.take(try folder.octets("air.pcapng"), "seed \(seed)")
    expect(isSubject)
    // In front of the packets the file has its two headers.
    let pieces = packets.map { $0 + 1 }
    if swapped { proof.swap(pieces[0], pieces[1]) } else { proof.delete(pieces, .none) }
    expect(proof.accusations == [] && proof.runs == 1)
  }

  /// The air of a shipped scenario, and the HCI of every device.
  private static func captures(of room: String, _ seed: UInt64) throws -> CaptureFolder {
    let folder = try CaptureFolder()
    let air = try AirCaptureReader(path: folder.path + "/air.pcapng")
    let hci = try HCICaptureReader(folder: folder.path + "/hci")
    _ = try World.run(
      try CapturedRun.scenario(room), options: RunOptions(seed: seed), readers: [air, hci],
      engines: [AppProtocol.bab, .bystander].engines)
    try air.close()
    try hci.close()
    return folder
  }

  /// The same capture in one of the formats and link types that people have.
  private static func written(_ file: [UInt8], _ turn: UInt64) throws -> [UInt8] {
    var reader = CaptureReader()
    reader.append(file)
    var records: [CaptureRecord] = []
    while let record = try reader.next() { records.append(record) }
    let isOfAir = records.first.map { if case .air = $0.body { true } else { false } } ?? false
    let forms: [(CaptureFormat, CaptureLink)] =
      isOfAir
      ? [(.pcapng, .leLinkLayerWithHeader), (.pcap, .leLinkLayerWithHeader)]
      : [
        (.btsnoop, .h4), (.btsnoop, .linuxMonitor), (.btsnoop, .hciUnencapsulated), (.pcap, .h4WithDirection),
        (.pcapng, .linuxMonitor), (.packetLogger, .packetLogger), (.pcapng, .h4WithDirection),
      ]
    let (format, link) = forms[Int(turn % UInt64(forms.count))]
    var writer = CaptureWriter(format: format, link: link, application: "tests")
    var octets: [UInt8] = []
    for record in records { try writer.append(record, to: &octets) }
    writer.finish(into: &octets)
    return octets
  }

  @Test(
    "Captures that others made", .enabled(if: !SharedTraffic.files.isEmpty, "no captures at \(SharedTraffic.folder)"))
  func others() throws {
    var proof = DamageProof(protocolType: nil)
    for name in Part.of(SharedTraffic.files, 12, number: 1) {
      let octets = [UInt8](try Data(contentsOf: URL(fileURLWithPath: SharedTraffic.folder + "/" + name)))
      guard proof.take(octets, name) else { continue }
      proof.damage(times: Part.isAll ? 12 : 2)
      if proof.isOfAir { proof.deleteEach(of: Part.isAll ? 600 : 60, pairs: Part.isAll ? 100 : 12) }
    }
    print("damage proof, captures of others: \(proof.captures) captures, \(proof.runs) damaged ones")
    expect(proof.captures > 3)
    equal(proof.accusations, [])
  }

  @Test("The proof sees what damage would do if nothing were made of it")
  func proofSees() throws {
    // A request of which nobody says that its answer is missing.
    var file: [UInt8] = []
    BTSnoop.appendHeader(to: &file)
    let opened = "043e1301000100000066554433221118000000c80000"
    let packets: [(String, Bool)] = [
      (opened, true), ("0201000700030004000a0100", false), ("0201200600020004000b01", true),
      ("0201000700030004000a0200", false), ("0201200600020004000b02", true),
    ]
    for (index, packet) in packets.enumerated() {
      let octets = stride(from: 0, to: packet.0.count, by: 2).map { place in
        UInt8(packet.0.dropFirst(place).prefix(2), radix: 16) ?? 0
      }
      BTSnoop.appendRecord(
        octets, nanoseconds: Int64(index) * 1_000_000, isReceived: packet.1, isCommandOrEvent: index == 0, to: &file)
    }
    var proof = DamageProof(protocolType: nil)
    let isTaken = proof.take(file, "by hand")
    expect(isTaken)
    proof.delete([2], .none)
    equal(proof.accusations.count, 1)
    proof.delete([2], .inPlace)
    expect(proof.runs == 2 && proof.accusations.count == 1)
    // In pcapng, behind its two headers.
    let isTakenAgain = proof.take(try Self.written(file, 4), "by hand, pcapng")
    expect(isTakenAgain)
    proof.delete([4], .none)
    equal(proof.accusations.count, 2)
    proof.delete([4], .atEnd)
    expect(proof.runs == 4 && proof.accusations.count == 2)
  }
}
