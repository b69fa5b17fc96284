import AppSeam
import Bench
import Conformance
import Platform
import SimKernel
import VirtualRadio

/// Writes the run of one attack as `babbench run --out` writes `air.pcapng`, with comments on the packets that carry a
/// stroke, and on the packet at which the finding showed.
///
/// What comes after the state is kept in memory until its marks are known.
final class MarkedCapture: TraceReader {
  private let plan: FuzzPlan
  private let attack: Attack
  private let air: AirCaptureReader
  private var records: [TraceRecord] = []
  private var deeds: [UnitTrail.Deed] = []
  private var isOn = false
  /// Records that were read, in memory that outlives this process.
  private let count: UnsafeMutablePointer<UInt64>
  /// Asked after each record.
  var hasBreakdown: () -> Bool = { false }
  private var breakdown: Int?
  private var goodbye: Int?
  /// After so many records somebody else takes over, who ends the process; nil: at no record.
  private let limit: UInt64?
  var isAtLimit: () -> Void = {}

  init(
    _ plan: FuzzPlan, _ attack: Attack, path: String, count: UnsafeMutablePointer<UInt64>, limit: UInt64?
  ) throws {
    self.plan = plan
    self.attack = attack
    self.count = count
    self.limit = limit
    air = try AirCaptureReader(path: path)
  }

  var wantsAir: Bool { true }

  func begin(_ header: TraceHeader) { air.begin(header) }

  /// The state is there.
  func turn() {
    isOn = true
    air.annotate("from here on \(plan.scenario.devices[plan.device].name) is hostile")
    if let limit, count.pointee >= limit { isAtLimit() }
  }

  func note(_ stroke: Int, _ unit: TappedUnit?) {
    deeds.append(UnitTrail.Deed(stroke: stroke, unit: unit, place: records.count))
  }

  func read(_ record: TraceRecord) {
    count.pointee += 1
    guard isOn else { return air.read(record) }
    switch record.event {
    case .input(.disconnected) where record.device != plan.device: goodbye = record.sequence
    case .radio(.air), .fault, .platform, .step, .expectation: records.append(record)
    default: break
    }
    if breakdown == nil, hasBreakdown() { breakdown = record.sequence - 1 }
    if count.pointee == limit { isAtLimit() }
  }

  /// Writes what was kept, with its marks, and completes the file.
  func complete(_ finding: Execution.Finding?, digest: String?) throws {
    var comments: [Int: [String]] = [:]
    var trail = UnitTrail(records, device: plan.device, seam: plan.seam)
    for mark in deeds.flatMap({ trail.marks(of: $0) }) {
      let stroke = AttackFile.text(of: attack.strokes[mark.stroke])
      let text = "hostile: stroke \(mark.stroke + 1) of \(attack.strokes.count) " + stroke
      comments[mark.record, default: []].append(mark.remark.isEmpty ? text : "\(text) (\(mark.remark))")
    }
    let pdus = records.indices.filter { if case .radio(.air) = records[$0].event { true } else { false } }
    if let finding {
      let text = "finding \(finding.cause.name): \(finding.text)"
      let last = place(of: finding)
      if let shown = pdus.last(where: { records[$0].sequence <= last }) ?? pdus.first {
        comments[shown, default: []].append(text + " (seen after this packet)")
      } else {
        air.annotate(text)
      }
    }
    for (index, record) in records.enumerated() {
      for comment in comments[index] ?? [] { air.annotate(comment) }
      air.read(record)
    }
    if let digest { air.annotate("digest \(digest)") }
    try air.close()
  }

  /// The record after which a finding was seen; the last one where nobody can tell.
  private func place(of finding: Execution.Finding) -> Int {
    let known =
      switch finding.cause.oracle {
      case Execution.Cause.breakdown: breakdown
      case Execution.Cause.servesTheOthers: goodbye
      default: finding.record
      }
    return known ?? .max
  }
}
