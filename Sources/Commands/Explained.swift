import AppSeam
import Bench
import Campaigns
import CaptureCheck
import Conformance
import Judging
import SimKernel

/// What `babbench explain` can show beside test purposes: what a thing is, where it comes from, and what uses it.
struct Explained {
  /// For messages: `clause`.
  let noun: String
  let names: [String]
  /// The sections of one of them, each with its title; the first is its text.
  let sections: (String) -> [(title: String, lines: [String])]

  /// In the order in which a name is looked for.
  static var all: [Explained] {
    [
      Explained(noun: "group", names: groups, sections: group),
      Explained(noun: "clause", names: clauses, sections: clause),
      Explained(noun: "group", names: shortGroups, sections: shortGroup),
      Explained(noun: "section", names: sections, sections: section),
      Explained(noun: "specification", names: [specification, "Core 5.4"], sections: document),
      Explained(noun: "oracle", names: protocols.flatMap(\.oracles).map(\.id), sections: oracle),
      Explained(noun: "rule", names: TrafficRules.all.map { $0.id }, sections: rule),
      Explained(noun: "mutant", names: protocols.mutants.map(\.name), sections: mutant),
    ]
  }

  /// The first parts of the ids of test purposes, shortest first.
  static var groups: [String] {
    var names: [String] = []
    for count in 1...3 {
      for purpose in protocols.purposes {
        let parts = purpose.id.split(separator: "/")
        let name = parts.prefix(count).joined(separator: "/")
        if parts.count > count, !names.contains(name) { names.append(name) }
      }
    }
    return names
  }

  private static var clauses: [String] { protocols.flatMap(\.clauses).map(\.id) }

  /// The last parts of groups: `GROUP` of `APP/ROLE/GROUP`.
  private static var shortGroups: [String] {
    var names: [String] = []
    for group in groups {
      let parts = group.split(separator: "/")
      if parts.count > 1, let last = parts.last.map(String.init), !names.contains(last) { names.append(last) }
    }
    return names
  }

  /// The first parts of the numbers of clauses and of what rules come from: `APP 5.1`, and without the document `5.1.6`
  /// and `5.1`; `Core 5.4` is the core specification.
  private static var sections: [String] {
    var names: [String] = []
    for id in clauses {
      guard let blank = id.lastIndex(of: " ") else { continue }
      let parts = id[id.index(after: blank)...].split(separator: ".")
      for count in 1...max(1, parts.count) {
        let number = parts.prefix(count).joined(separator: ".")
        if count < parts.count { names.append("\(id[..<blank]) \(number)") }
        names.append(number)
      }
    }
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  // MARK: What each shows

  private static func shortGroup(_ name: String) -> [(title: String, lines: [String])] {
    let mine = groups.filter { $0.hasSuffix("/" + name) }
    return [("", mine)] + mine.flatMap { group($0).filter { !$0.title.isEmpty } }
  }

  /// The clauses of a section, which may be a single one.
  private static func members(of section: String) -> [String] {
    clauses.filter { id in
      id.hasPrefix(section + ".") || id.hasSuffix(" " + section) || id.contains(" " + section + ".")
    }
  }

  private static func section(_ name: String) -> [(title: String, lines: [String])] {
    let mine = members(of: name)
    let texts = mine.map { id in
      (title: id, lines: protocols.compactMap { $0.clause(id) }.prefix(1).map(\.plainText))
    }
    return [("", [CountedNoun.text(mine.count, "clause")])] + texts
  }

  private static func document(_ name: String) -> [(title: String, lines: [String])] {
    let mine = TrafficRules.all.filter { $0.clause.hasPrefix(specification) }
    return [("", [CountedNoun.text(mine.count, "rule")]), ("rules", mine.map { "\($0.id)  \($0.clause)" })]
  }

  /// As rules name it.
  private static let specification = "Core v5.4"

  private static func group(_ name: String) -> [(title: String, lines: [String])] {
    let mine = protocols.purposes.filter { $0.id.hasPrefix(name + "/") }
    return [
      ("", [CountedNoun.text(mine.count, "test purpose")]),
      ("test purposes", mine.map { "\($0.id)  \($0.purpose)" }),
      ("run", ["babbench conform --iut FILE --select \(name)", "babbench selftest --select \(name)"]),
    ]
  }

  private static func clause(_ id: String) -> [(title: String, lines: [String])] {
    guard let app = protocols.first(where: { $0.clause(id) != nil }), let clause = app.clause(id) else { return [] }
    return [
      ("", [clause.plainText]), ("where it comes from", [origin(clause)]),
      ("test purposes", app.purposes.filter { $0.clauses.contains(id) }.map { "\($0.id)  \($0.purpose)" }),
      ("oracles", app.oracles.filter { $0.clause == id }.map { "\($0.id)  \($0.claim)" }),
      ("mutants that break it", app.mutants.filter { $0.clause == id }.map { "\($0.name)  \($0.summary)" }),
      ("why nothing judges it", app.exemptions.filter { $0.clause == id }.map(\.reason)),
    ]
  }

  private static func origin(_ clause: ClauseText) -> String {
    "Docs/\(clause.document)" + (clause.origin.words.isEmpty ? "" : "; " + clause.origin.words)
  }

  /// Apps may have claims of one name, and each is told.
  private static func oracle(_ id: String) -> [(title: String, lines: [String])] {
    var sections: [(title: String, lines: [String])] = []
    for app in protocols {
      guard let oracle = app.oracles.first(where: { $0.id == id }) else { continue }
      sections += [
        ("", [oracle.claim]), (oracle.clause, clauseLines(oracle.clause, of: app)),
        ("mutants that it fails", app.mutants.filter { $0.oracle == id }.map { "\($0.name)  \($0.summary)" }),
        ("judges", ["every run of \(app.title), and captures where they show it; Docs/\(oraclePage(app))"]),
      ]
    }
    return sections
  }

  /// The table of an app's oracles; that of the first app has no name in its name.
  private static func oraclePage(_ app: AppProtocol) -> String {
    app.name == protocols.first?.name ? "Oracles.md" : "Oracles-\(app.name).md"
  }

  private static func rule(_ id: String) -> [(title: String, lines: [String])] {
    guard let rule = TrafficRules.all.first(where: { $0.id == id }) else { return [] }
    return [
      ("", [rule.claim]), ("where it comes from", [rule.clause]), ("leaves open", [rule.leavesOpen]),
      ("judges", ["every capture of babbench check; Docs/Rules.md"]),
    ]
  }

  private static func mutant(_ name: String) -> [(title: String, lines: [String])] {
    guard let app = protocols.first(where: { $0.mutant(name) != nil }), let mutant = app.mutant(name) else { return [] }
    let fitting = app.purposes.filter { $0.role == mutant.role && $0.clauses.contains(mutant.clause) }
    let outcomes = Selftest.run(.search(mutant, among: fitting), of: app)
    let killer = outcomes.last { $0.verdict == .fail }?.purpose
    let how = "babbench conform --iut \(name) --role \(mutant.role.rawValue)"
    return [
      ("", [mutant.summary]), ("role", [mutant.role.rawValue]), (mutant.clause, clauseLines(mutant.clause, of: app)),
      ("fails, by a run just now", [killer ?? "no test purpose of its clause; babbench selftest --mutant \(name)"]),
      ("fails in a whole game", mutant.oracle.map { [$0] } ?? []),
      ("run", [how + (killer.map { " --select \($0)" } ?? "")]),
    ]
  }

  private static func clauseLines(_ id: String, of app: AppProtocol) -> [String] {
    guard let clause = app.clause(id) else { return ["not a clause of \(app.title)"] }
    return [clause.plainText, origin(clause)]
  }
}

extension Explained {
  /// The page of a name; nil: it is the name of nothing.
  static func page(_ name: String, paint: Paint) -> String? {
    guard let kind = all.first(where: { $0.names.contains(name) }) else { return nil }
    let parts = kind.noun == "section" ? members(of: name) : []
    if parts.count == 1, parts[0] != name { return page(parts[0], paint: paint) }
    var lines = [paint("\(kind.noun) \(name)", .bold)]
    for (title, text) in kind.sections(name) where !text.isEmpty {
      if title.isEmpty {
        lines += text + [""]
      } else {
        lines += [paint(title, .dim)] + text.map { "  " + $0 } + [""]
      }
    }
    return lines.dropLast().joined(separator: "\n")
  }

  /// What to say about a name of nothing.
  static func refusal(_ name: String) -> String {
    let known = [("test purpose", protocols.purposes.map(\.id))] + all.map { ($0.noun, $0.names) }
    var nouns: [String] = []
    for noun in known.map(\.0) where !nouns.contains(noun) { nouns.append(noun) }
    let words = Suggestion.alternatives(nouns)
    if name.allSatisfy(\.isWhitespace) { return "write the name of a \(words); babbench list shows most of them" }
    return "\(name): no such \(words); "
      + (Suggestion.question(for: name, in: known.flatMap(\.1), within: 2) ?? "babbench list shows most of them")
  }
}
