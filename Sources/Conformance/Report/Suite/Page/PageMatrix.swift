import AppSeam
import Judging

/// The matrix of the report: test purposes down, implementations and dialects across.
struct PageMatrix {
  struct Column: Hashable {
    var implementation: Int
    var dialect: DialectName
  }

  private let run: SuiteRun
  let columns: [Column]
  /// In the order of the run.
  let purposes: [TestPurpose]
  /// Indices into the run's cases, by purpose.
  private var casesOf: [String: [Int]] = [:]

  init(_ run: SuiteRun) {
    self.run = run
    var columns: [Column] = []
    var purposes: [TestPurpose] = []
    for (index, report) in run.cases.enumerated() {
      let column = Column(implementation: report.implementation, dialect: report.result.id.dialect)
      if !columns.contains(column) { columns.append(column) }
      if casesOf[report.purpose.id] == nil { purposes.append(report.purpose) }
      casesOf[report.purpose.id, default: []].append(index)
    }
    let dialects = run.protocols.flatMap(\.dialects)
    self.columns = columns.sorted { a, b in
      (a.implementation, order(a.dialect)) < (b.implementation, order(b.dialect))
    }
    self.purposes = purposes
    func order(_ dialect: DialectName) -> Int { dialects.firstIndex(of: dialect) ?? 0 }
  }

  /// One table body for each feature and role.
  var groups: [[String: Any]] {
    var names: [String] = []
    for purpose in purposes where !names.contains(name(purpose)) { names.append(name(purpose)) }
    return names.map { group in
      let mine = purposes.filter { name($0) == group }
      let all = mine.flatMap { casesOf[$0.id] ?? [] }.map { run.cases[$0].assessment }
      let summary = Assessment.allCases.compactMap { kind -> [String: Any]? in
        let count = all.count { $0 == kind }
        return count == 0 ? nil : ["kind": kind.rawValue, "symbol": kind.symbol, "count": count]
      }
      return [
        "name": group, "title": Self.titles.first { $0.group == mine[0].group }?.title ?? "",
        "span": columns.count + 1, "summary": summary, "rows": mine.map(row),
      ]
    }
  }

  private func name(_ purpose: TestPurpose) -> String {
    purpose.id.split(separator: "/").dropLast().joined(separator: "/")
  }

  private func row(_ purpose: TestPurpose) -> [String: Any] {
    let mine = casesOf[purpose.id] ?? []
    var kinds: [String] = []
    for index in mine where !kinds.contains(run.cases[index].assessment.rawValue) {
      kinds.append(run.cases[index].assessment.rawValue)
    }
    let cells = columns.map { column in
      let marks = mine.filter {
        run.cases[$0].implementation == column.implementation && run.cases[$0].result.id.dialect == column.dialect
      }
      return ["marks": marks.map(mark)] as [String: Any]
    }
    return [
      "short": purpose.id.split(separator: "/").last.map(String.init) ?? purpose.id, "sentence": purpose.purpose,
      "search": Self.search(purpose), "kinds": kinds.joined(separator: " "), "cells": cells,
    ]
  }

  private func mark(_ index: Int) -> [String: Any] {
    let report = run.cases[index]
    var title = "\(report.assessment.words): \(run.key(of: report).text)\(report.help)"
    if let finding = report.result.finding { title += " – expected \(finding.expected), saw \(finding.actual)" }
    if let reason = report.result.notApplicable { title += " – \(reason)" }
    return [
      "kind": report.assessment.rawValue, "symbol": report.assessment.symbol, "anchor": SuitePage.anchor(index),
      "title": title,
    ]
  }

  /// What the filter looks into.
  static func search(_ purpose: TestPurpose) -> String {
    ([purpose.id, purpose.purpose] + purpose.clauses).joined(separator: " ").lowercased()
  }

  private static let titles: [(group: String, title: String)] = [
    ("ADV", "advertising and discovery"), ("GATT", "services and characteristics"), ("MTU", "ATT_MTU"),
    ("FRAG", "fragments"), ("WIRE", "packets on the wire"), ("LOBBY", "lobby"), ("ROLE", "roles"),
    ("START", "start of the game"), ("TURN", "turns"), ("VOTE", "votes"), ("SCORE", "points and ranking"),
    ("SYNC", "clocks, snapshots and late joiners"), ("LINK", "loss and return"), ("LOAD", "back-pressure and load"),
    ("AUTH", "authority"), ("ROBUST", "robustness"),
  ]
}
