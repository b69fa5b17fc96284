import AppSeam
import Foundation

/// An earlier `result.json` to compare with: what got worse, better, came and went.
///
/// A baseline never changes a verdict; the exit code follows it where a run fails on regressions only.
public struct Baseline: Hashable, Sendable {
  public struct Entry: Hashable, Sendable {
    public var key: CaseKey
    public var assessment: Assessment
  }

  /// One case that is not what it was.
  public struct Change: Hashable, Sendable {
    public var key: CaseKey
    public var was: Assessment
    public var now: Assessment
  }

  public struct Comparison: Hashable, Sendable {
    /// Passed before and does not now.
    public var regressions: [Change] = []
    /// Did not pass before and does now.
    public var repairs: [Change] = []
    /// In this run and not in the baseline.
    public var new: [CaseKey] = []
    /// In the baseline and, though selected, not in this run.
    public var vanished: [CaseKey] = []
    /// Implementations of the baseline that were not tested now; their cases count as nothing.
    public var otherImplementations: [String] = []
  }

  /// Where it was read from, for people.
  public var path: String
  public var entries: [Entry]

  public init(path: String, entries: [Entry]) {
    self.path = path
    self.entries = entries
  }

  public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    public var path: String
    public var reason: String
    public var description: String { "\(path): \(reason)" }
  }

  /// - Parameter octets: a `result.json` of `conform`, Docs/Formats/report.md.
  public init(path: String, octets: [UInt8]) throws(Refusal) {
    guard let file = try? JSONDecoder().decode(File.self, from: Data(octets)) else {
      throw Refusal(path: path, reason: "this is no result.json of babbench conform")
    }
    // Version 1 called cases inconclusive that are blocked.
    guard (1...SuiteResultReport.version).contains(file.version) else {
      throw Refusal(
        path: path, reason: "written in version \(file.version); this babbench reads \(SuiteResultReport.version)")
    }
    var entries: [Entry] = []
    for row in file.cases where row.isSecondPass != true {
      guard let assessment = Assessment(rawValue: row.assessment), let seed = UInt64(row.seed) else {
        throw Refusal(path: path, reason: "\(row.purpose): \(row.assessment), seed \(row.seed) says nothing known")
      }
      let key = CaseKey(implementation: row.implementation, purpose: row.purpose, dialect: row.dialect, seed: seed)
      entries.append(Entry(key: key, assessment: assessment))
    }
    self.init(path: path, entries: entries)
  }

  private struct File: Decodable {
    struct Row: Decodable {
      var implementation: String
      var purpose: String
      var dialect: String
      var seed: String
      var assessment: String
      var isSecondPass: Bool?
    }

    var version: Int
    var cases: [Row]
  }

  public func compared(with run: SuiteRun) -> Comparison {
    var comparison = Comparison()
    let before = Dictionary(entries.map { ($0.key, $0.assessment) }) { first, _ in first }
    var now: Set<CaseKey> = []
    for report in run.cases where !report.isSecondPass {
      let key = run.key(of: report)
      now.insert(key)
      let assessment = report.assessment
      guard let was = before[key] else {
        comparison.new.append(key)
        continue
      }
      let change = Change(key: key, was: was, now: assessment)
      if was.isPassing, !assessment.isPassing { comparison.regressions.append(change) }
      if !was.isPassing, assessment.isPassing { comparison.repairs.append(change) }
    }
    for entry in entries {
      let name = entry.key.implementation
      guard let implementation = run.implementations.first(where: { $0.name == name }) else {
        if !comparison.otherImplementations.contains(name) { comparison.otherImplementations.append(name) }
        continue
      }
      let isWanted =
        run.selection.contains(entry.key.purpose)
        && implementation.dialects.contains { $0.rawValue == entry.key.dialect }
      if isWanted, !now.contains(entry.key) { comparison.vanished.append(entry.key) }
    }
    return comparison
  }
}
