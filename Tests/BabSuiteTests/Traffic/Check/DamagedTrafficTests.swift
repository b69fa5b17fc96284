import AppSeam
import BabSim
import Bench
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

/// Captures that others made, damaged: whatever the octets of a file are, nothing traps, and what is told holds
/// together.
@Suite("Damaged captures, from the octets of the file to the verdicts", .enabled(if: !SharedTraffic.files.isEmpty))
struct DamagedTrafficTests {
  /// What an observer is told, as far as it can be held against the whole file or against itself.
  private final class Story: TrafficObserver {
    var att: [String] = []
    var open: Set<Int> = []
    var opened = 0
    /// Numbers of packets in the order of the events, and whether a closed link spoke.
    var newest = 0
    var faults: [String] = []
    let interests: TrafficEvent.Interests = [
      .links, .att, .frames, .fragments, .gaps, .commands, .events, .advertisements, .air, .asides,
    ]

    func observe(_ event: TrafficEvent) {
      see(event.place)
      switch event.kind {
      case .linkOpened(let link):
        opened += 1
        if link.index != opened - 1 { faults.append("link \(link.index) opened as number \(opened)") }
        open.insert(link.index)
      case .linkClosed(let link, _):
        if open.remove(link.index) == nil { faults.append("link \(link.index) closed twice, or never opened") }
      default: break
      }
    }

    func observe(att pdu: TrafficPDU) {
      see(pdu.place)
      att.append("\(pdu.place.number) \(pdu.link.index) \(pdu.fromCentral) \(Array(pdu.octets))")
      if !open.contains(pdu.link.index) { faults.append("link \(pdu.link.index) speaks, and is not open") }
      if pdu.octets.isEmpty { faults.append("an ATT PDU without octets at packet \(pdu.place.number)") }
    }

    func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) { see(pdu.place) }

    private func see(_ place: PacketPlace) {
      if place.number < newest { faults.append("packet \(place.number) behind \(newest)") }
      newest = place.number
    }
  }

  private struct Outcome {
    var story: Story
    var records: Int
    var refusal: CaptureError?
    var rules: [OracleResult]
    var bab: TrafficJudgement
  }

  /// The whole way of `check`, without the file system.
  private func read(_ octets: [UInt8]) -> Outcome {
    let story = Story()
    let rules = RuleBook()
    let bab = BabTraffic(dialect: nil, session: TrafficSession(captures: ["damaged"]))
    let traffic = TrafficReader(observers: [story, rules, bab])
    var reader = CaptureReader()
    reader.append(octets)
    var records = 0
    var refusal: CaptureError?
    var first: Int64?
    do {
      while let record = try reader.next() {
        records += 1
        let start = first ?? record.nanoseconds
        first = start
        let (time, overflows) = record.nanoseconds.subtractingReportingOverflow(start)
        traffic.read(
          record, file: 0, at: SimInstant(nanoseconds: !overflows ? time : start < 0 ? Int64.max : Int64.min))
      }
      try reader.finish()
    } catch {
      refusal = error
    }
    traffic.finish()
    return Outcome(story: story, records: records, refusal: refusal, rules: rules.results(), bab: bab.results)
  }

  private func expectSound(_ outcome: Outcome, _ what: String) {
    let story = outcome.story
    expect(story.faults.isEmpty, "\(what): \(story.faults.prefix(3))")
    expect(story.open.isEmpty, "\(what): links \(story.open.sorted().prefix(3)) never closed")
    expect(story.newest <= outcome.records, "\(what)")
    equal(outcome.rules.count, TrafficRules.all.count, "\(what)")
    for result in outcome.rules + outcome.bab.oracles {
      for record in result.findings.compactMap(\.record) {
        let number = PacketPlace(record: record).number
        expect((1...max(1, outcome.records)).contains(number), "\(what): \(result.id) at packet \(number)")
      }
    }
    expect(outcome.bab.notes.allSatisfy { ($0.place?.number ?? 0) <= outcome.records }, "\(what)")
  }

  private func octets(_ number: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: try required(SharedTraffic.path(number)))))
  }

  static let files = ["02", "07", "10", "31", "36"]

  @Test("The front of a file tells what the whole file tells up to there", arguments: files)
  func prefixes(number: String) throws {
    let octets = try octets(number)
    let whole = read(octets)
    expectSound(whole, "whole")
    expect(whole.refusal == nil)
    expect(whole.story.att.count > 10)
    var random = RandomStream(seed: 1, component: "test", purpose: "damaged")
    let lengths = [0, 1, 12, 13, 23, 24, 28, octets.count - 1]
    for length in lengths + (0..<12).map({ _ in Int(random.next() % UInt64(octets.count)) }) {
      let part = read(Array(octets[..<length]))
      expectSound(part, "\(length) octets")
      expect(part.records <= whole.records)
      equal(part.story.att, Array(whole.story.att.prefix(part.story.att.count)), "\(length) octets")
      // Too short to tell the format is all that can be wrong with it.
      equal((part.refusal != nil), (length < 13), "\(length) octets: \(part.refusal.map { "\($0)" } ?? "read")")
    }
  }

  @Test("One octet of a file is another one", arguments: files)
  func changes(number: String) throws {
    let octets = try octets(number)
    var random = RandomStream(seed: 2, component: "test", purpose: "damaged")
    var differing = 0
    let whole = read(octets).story.att
    for index in 0..<32 {
      // The headers of the file and its first records, then anywhere.
      let place = index < 8 ? Int(random.next() % 96) : Int(random.next() % UInt64(octets.count))
      var changed = octets
      changed[place] ^= [0x01, 0x80, 0xFF, 0x10][index % 4]
      let outcome = read(changed)
      expectSound(outcome, "octet \(place)")
      if outcome.story.att != whole { differing += 1 }
    }
    // A sweep that changes nothing that matters shows nothing.
    expect(differing > 0)
  }
}
