import Foundation

@testable import Conformance

/// Captures that others made, and what the rules say of them.
enum RuleCaptures {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  static let folder =
    ProcessInfo.processInfo.environment["BABBENCH_SHARED"].map { $0 + "/captures" } ?? root + "/../shared/captures"

  static let areAvailable: Bool = {
    if FileManager.default.fileExists(atPath: folder + "/INDEX.tsv") { return true }
    print("SKIPPED: no shared captures at \(folder) (set BABBENCH_SHARED); rules are not held against real traffic")
    return false
  }()

  static func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != "INDEX.tsv" }.sorted()
  }

  /// What the rules say of one capture; nil when it is refused.
  static func judge(_ path: String) throws -> [OracleResult]? {
    do {
      return try Checker(paths: [path]).report().rules
    } catch is CaptureRefusal {
      return nil
    }
  }

  /// `rule at packet, packet …`, those beyond the limit as `+ n`.
  static func lines(_ results: [OracleResult]) -> [String] {
    results.filter { !$0.findings.isEmpty }.map { result in
      let packets = result.findings.map { "\(PacketPlace(record: $0.record ?? 0).number)" }.joined(separator: " ")
      return "\(result.id) at \(packets)" + (result.suppressedFindings > 0 ? " + \(result.suppressedFindings)" : "")
    }
  }
}
