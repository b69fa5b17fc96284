import BluetoothWire
import CaptureFormats
import CaptureTestSupport
import Expectations
import Foundation
import Judging
import SimKernel
import Testing
import VirtualRadio

@testable import CaptureCheck

/// Captures of our own conforming runs, damaged as sniffers and loggers damage them: no device is guilty of anything
/// in any of them. All 200 with `BABBENCH_PROOFS=1`.
@Suite("Guilty only where proven")
struct GuiltyOnlyWhereProvenTests {
  private static let cases = SnifferDamage.allCases
  private static let seeds: [UInt64] = Array(1...UInt64(Part.isAll ? 200 : cases.count))

  @Test("Unharmed, the runs have nothing wrong, and much is judged", arguments: [1, 2, 3])
  func unharmed(seed: UInt64) {
    let results = RuleScript.judge(AirRecords.records(ConformingTalk.air(seed: seed, isPlain: seed != 3)))
    equal(RuleCaptures.lines(results), [])
    for id in ["RequestsGoOneByOne", "ResponsesAnswerRequests", "PayloadsFitDataLength", "PDUsFitATTMTU"] {
      expect((results.first { $0.id == id }?.judged ?? 0) > 10, "\(id)")
    }
  }

  @Test("Nor have runs on LE Coded", arguments: [1, 2, 3])
  func unharmedCoded(seed: UInt64) {
    let air = ConformingTalk.air(seed: seed, isPlain: seed != 3, isCoded: true)
    let results = RuleScript.judge(AirRecords.records(air))
    equal(RuleCaptures.lines(results), [])
    expect((results.first { $0.id == "PayloadsFitDataLength" }?.judged ?? 0) > 10 && air.contains { $0.phy.isCoded })
  }

  @Test("Nor have runs of subrated links, and as much is judged there", arguments: [1, 2, 3])
  func unharmedSubrated(seed: UInt64) {
    let air = ConformingTalk.air(seed: seed, isPlain: seed != 3, subrates: true)
    let results = RuleScript.judge(AirRecords.records(air))
    equal(RuleCaptures.lines(results), [])
    for id in ["RequestsGoOneByOne", "PayloadsFitDataLength", "AirParametersAreInRange", "ProceduresEndInTime"] {
      expect((results.first { $0.id == id }?.judged ?? 0) > 5, "\(id)")
    }
    expect(air.contains { $0.pdu.count == 13 && $0.pdu[0] & 3 == 3 && $0.pdu[2] == LL.ControlOpcode.subrateInd })
  }

  @Test("Nor have runs with isochronous streams", arguments: [1, 2, 3])
  func unharmedStreams(seed: UInt64) {
    let air = ConformingTalk.air(seed: seed, isPlain: seed != 3, hasStreams: true)
    equal(RuleCaptures.lines(RuleScript.judge(AirRecords.records(air))), [])
    expect(Set(air.map(\.accessAddress)).count >= 4)
  }

  @Test("No finding against a device, whatever a sniffer does to the capture", arguments: seeds)
  func damaged(seed: UInt64) { judgeDamaged(seed: seed, isCoded: false) }

  @Test("Nor on LE Coded", arguments: seeds)
  func damagedCoded(seed: UInt64) { judgeDamaged(seed: seed, isCoded: true) }

  @Test("Nor on subrated links", arguments: seeds)
  func damagedSubrated(seed: UInt64) { judgeDamaged(seed: seed, isCoded: false, subrates: true) }

  @Test("Nor with isochronous streams beside the link", arguments: seeds)
  func damagedStreams(seed: UInt64) { judgeDamaged(seed: seed, isCoded: false, hasStreams: true) }

  private func judgeDamaged(seed: UInt64, isCoded: Bool, subrates: Bool = false, hasStreams: Bool = false) {
    var random = RandomStream(seed: seed, component: "test", purpose: "damage")
    let first = Self.cases[Int(seed) % Self.cases.count]
    let second = Self.cases[Int(random.next() % UInt64(Self.cases.count))]
    var damages = random.next() % 2 == 0 || first == second ? [first] : [first, second]
    // What is damaged cannot be decrypted.
    if damages.contains(.missingDecryption) { damages.removeAll { $0 == .badMarkedGood } }
    let isPlain = damages.contains(.missingDecryption) || random.next() % 2 == 0
    let air = ConformingTalk.air(
      seed: seed, isPlain: isPlain, isCoded: isCoded, subrates: subrates, hasStreams: hasStreams)
    var records = Self.styled(air, Int(random.next() % 4))
    let count = records.count
    for damage in damages { records = damage.apply(to: records, &random) }
    let results = RuleScript.judge(records)
    equal(RuleCaptures.lines(results), [], "seed \(seed), \(damages), \(count): \(results.flatMap(\.findings))")
  }

  /// As different sniffers write it: all is said; the CRC is not checked; directions are not told; events are counted.
  private static func styled(_ pdus: [AirPDU], _ style: Int) -> [CaptureRecord] {
    var records = AirRecords.records(pdus, tellsDirection: style != 2, checksCRC: style != 1)
    guard style == 3 else { return records }
    let counters = AirLog.reading(records).air.map(\.eventCounter)
    for (index, counter) in counters.enumerated() {
      records[index] = SnifferDamage.altered(records[index]) { $0.eventCounter = counter }
    }
    return records
  }

  @Test("A log of a host that begins late, or whose clock steps", arguments: [1, 2, 3, 4])
  func hosts(seed: UInt64) {
    var random = RandomStream(seed: seed, component: "test", purpose: "damage")
    let records = RuleScript.cleanHost.records
    for _ in 0..<40 {
      var damaged = Array(records.dropFirst(Int(random.next() % UInt64(records.count))))
      damaged = SnifferDamage.clockSteps.apply(to: damaged, &random)
      let results = RuleScript.judge(damaged)
      equal(RuleCaptures.lines(results), [], "\(results.flatMap(\.findings))")
    }
  }
}
