import ArgumentParser
import Campaigns
import Conformance
import VirtualRadio

/// `babbench list`: what can be named in a scenario and on the command line.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract:
      "Show what is shipped: scenarios, test purposes, ICS items, profiles, steps, oracles, mutants, phones, radios.",
    discussion: """
      EXAMPLES:
        babbench list
        babbench list --oracles
        babbench list --cases
        for s in $(babbench list --scenarios --plain); do babbench run $s; done
      """)

  enum Kind: String, EnumerableFlag {
    case scenarios, cases, ics, profiles, steps, oracles, mutants, phones, radios

    static func help(for value: Kind) -> ArgumentHelp? {
      switch value {
      case .cases: "Only test purposes."
      case .ics: "Only ICS items: what an implementation may claim."
      case .profiles: "Only profiles: published variants of a protocol."
      case .steps: "Only steps that the bench can take for an implementation."
      default: ArgumentHelp("Only \(value.rawValue).")
      }
    }
  }

  @Flag
  var kinds: [Kind] = []

  @Flag(help: "Names only, one per line, for scripts.")
  var plain = false

  func run() throws {
    Console.resultOrEnd(text)
  }

  private var text: String {
    let kinds = self.kinds.isEmpty ? Kind.allCases : self.kinds
    var lines: [String] = []
    for (index, kind) in kinds.enumerated() {
      let rows = Catalogue.rows(of: kind, bench: .real, isPlain: plain)
      if plain {
        lines += rows.map(\.name)
        continue
      }
      if index > 0 { lines.append("") }
      lines.append(kind.rawValue)
      let width = rows.map(\.name.count).max() ?? 0
      for row in rows {
        let gap = String(repeating: " ", count: width - row.name.count + 2)
        lines.append("  " + row.name + (row.text.isEmpty ? "" : gap + row.text))
      }
      if rows.isEmpty { lines.append("  none found") }
    }
    return lines.map { $0 + "\n" }.joined()
  }
}
