import CaptureFormats
import CaptureTestSupport
import SimKernel

@testable import CaptureCheck
@testable import Judging

/// Damages captures that have no finding, judges what is left, and keeps whoever is accused.
struct DamageProof {
  private let protocolType: SpokenProtocol?
  private var subject: RawCapture?
  private var name = ""
  private(set) var isOfAir = false
  private(set) var captures = 0
  private(set) var runs = 0
  /// A line for each rule or oracle that finds something in a damaged capture.
  private(set) var accusations: [String] = []

  init(protocolType: SpokenProtocol?) { self.protocolType = protocolType }

  /// Takes a capture. - Returns: false of one that has findings, is none, or ends inside a record.
  mutating func take(_ octets: [UInt8], _ name: String) -> Bool {
    guard let raw = RawCapture(octets), raw.octets == octets, let (findings, isOfAir) = judge(raw), findings.isEmpty
    else { return false }
    (subject, self.name, self.isOfAir) = (raw, name, isOfAir)
    captures += 1
    return true
  }

  /// Every kind of damage that the file can have, drawn so many times.
  mutating func damage(times: Int) {
    guard let subject else { return }
    for loss in CaptureLoss.allCases where loss.applies(to: subject, isOfAir: isOfAir) {
      for time in 0..<times {
        var random = RandomStream(seed: UInt64(time), component: name, purpose: loss.rawValue)
        var damaged = subject
        loss.apply(to: &damaged, &random)
        hold(damaged, "\(loss.rawValue) \(time)")
      }
    }
  }

  /// Each packet of the first so many is missing, each two neighbours, and each pair of the first `pairs`.
  mutating func deleteEach(of count: Int, pairs: Int) {
    guard let subject else { return }
    let packets = Array(subject.packets.prefix(count))
    for (place, index) in packets.enumerated() {
      delete([index], .none)
      if place + 1 < packets.count { delete([index, packets[place + 1]], .none) }
    }
    for place in 0..<min(pairs, packets.count) {
      for other in (place + 1)..<max(place + 1, min(pairs, packets.count)) {
        delete([packets[place], packets[other]], .none)
      }
    }
  }

  /// Takes packets out, by their places among the pieces of the file.
  mutating func delete(_ places: [Int], _ declaration: RawCapture.Declaration) {
    guard var damaged = subject else { return }
    damaged.lose(declaration) { places.contains($0) }
    hold(damaged, "without the pieces \(places)")
  }

  /// Two pieces have changed their places, and keep their times.
  mutating func swap(_ one: Int, _ other: Int) {
    guard var damaged = subject else { return }
    damaged.pieces.swapAt(one, other)
    hold(damaged, "with the pieces \(one) and \(other) in each other's place")
  }

  private mutating func hold(_ capture: RawCapture, _ what: String) {
    runs += 1
    guard let (findings, _) = judge(capture) else { return accusations.append("\(name), \(what): cannot be read") }
    accusations += findings.map { "\(name), \(what): \($0)" }
  }

  private func judge(_ capture: RawCapture) -> (findings: [String], isOfAir: Bool)? {
    var reader = CaptureReader()
    reader.append(capture.octets)
    let checker = LiveChecker(path: name, judges: true, protocolType: protocolType, observers: [])
    var isOfAir = false
    do {
      while let record = try reader.next() {
        if case .air = record.body { isOfAir = true }
        checker.read(record)
      }
      try reader.finish()
    } catch {
      return nil
    }
    let report = checker.report(format: reader.format, interfaceDrops: reader.interfaceDrops)
    let results = report.rules + (report.judgement?.oracles ?? [])
    let findings = results.flatMap(\.findings).filter { $0.verdict == .fail }.map { finding in
      "\(finding.oracle) at packet \(finding.record.map { PacketPlace(record: $0).number } ?? 0): "
        + "expected \(finding.expected), \(finding.actual)"
    }
    return (findings, isOfAir)
  }
}
