import BeamOracles
import BeamScribe
import Bench
import CaptureCheck
import CaptureFormats
import CaptureTestSupport
import Conformance
import Foundation
import Judging
import SimKernel

/// Runs that are judged live, and again from what the interfaces of their network saw.
struct CapturedWorld {
  var live: Judgement
  var records: [CaptureRecord]

  /// - Parameters: as `JudgedWorld.judge`.
  init(
    _ scenario: String, host: String = AppProtocol.reference, guest: String = AppProtocol.reference,
    rude: String = AppProtocol.reference, seed: UInt64 = 1
  ) throws {
    let folder = try CaptureFolder()
    let network = NetworkCaptureReader(path: folder.path + "/network.pcapng")
    live = try JudgedWorld.judge(scenario, host: host, guest: guest, rude: rude, seed: seed, readers: [network])
    try network.close()
    records = try Self.records(folder.names.isEmpty ? [] : folder.octets("network.pcapng"))
  }

  static func records(_ file: [UInt8]) throws -> [CaptureRecord] {
    if file.isEmpty { return [] }
    var reader = CaptureReader()
    reader.append(file)
    var records: [CaptureRecord] = []
    while let record = try reader.next() { records.append(record) }
    try reader.finish()
    return records
  }

  var judgement: TrafficJudgement { Self.judge(records) }

  /// What the protocol says of records, whatever file they are from.
  static func judge(_ records: [CaptureRecord], dialect: String? = nil) -> TrafficJudgement {
    let beam = BeamTraffic(dialect: dialect, session: TrafficSession(captures: ["network.pcapng"]))
    let reader = TrafficReader(observers: [beam])
    let start = records.first?.nanoseconds ?? 0
    for record in records {
      let (since, overflows) = record.nanoseconds.subtractingReportingOverflow(start)
      reader.read(record, file: 0, at: SimInstant(nanoseconds: overflows ? .max / 4 : since))
    }
    reader.finish()
    return beam.results
  }

  /// Oracles that accuse somebody, each with its first finding.
  static func accusations(_ judgement: TrafficJudgement) -> [String] {
    judgement.oracles.filter { $0.verdict >= .fail }.map { result in
      let first = result.findings.first { $0.verdict >= .fail }
      let text = first.map { "\($0.instant) s, record \($0.record ?? -1): \($0.expected); \($0.actual)" }
      return "\(result.id) \(text ?? "")"
    }
  }

  /// Verdicts of oracles, for whoever reads a failed test.
  static func summary(_ judgement: TrafficJudgement) -> String {
    judgement.oracles.filter { $0.verdict != .none }.map { result in
      let first = result.findings.first.map { " [\($0.instant) s: \($0.expected); \($0.actual)]" } ?? ""
      return "\(result.id) \(result.verdict.name) \(result.judged)/\(result.open)\(first)"
    }.joined(separator: "\n")
  }

  static func verdict(_ judgement: TrafficJudgement, _ oracle: String) -> Verdict? {
    judgement.oracles.first { $0.id == oracle }?.verdict
  }
}
