import AppSeam
import ArgumentParser
import Bench
import Campaigns
import Conformance
import Judging
import SimKernel

/// `babbench explain`: one test purpose, or anything else that reports name, as a page.
struct ExplainCommand: ExecutedCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show what a test purpose asks for, why, and how; or what a clause, oracle, rule or mutant is.",
    discussion: """
      The procedure is not a text about the case: it is what the case does, run on the reference engine just now.

      EXAMPLES:
        babbench explain \(Examples.purpose)
        babbench explain \(Examples.purpose) --dialect \(Examples.dialect)
        babbench explain \(Examples.group)
        babbench explain \(Examples.clause)
        babbench explain \(Examples.oracle)
        babbench explain RequestsGoOneByOne
        babbench explain \(Examples.mutant)
      """)

  @Argument(
    help: "A test purpose, a group of them, a clause, an oracle, a rule or a mutant; babbench list shows most.",
    completion: .explained)
  var words: [String]

  /// A clause has a blank in its name.
  private var id: String { words.joined(separator: " ") }

  @Option(help: ArgumentHelp("Run the procedure in this dialect.", valueName: "dialect"), transform: dialectName)
  var dialect: DialectName?

  func execute(for streams: OutputStreams) -> Int32 {
    guard let app = protocols.having(purpose: id), let purpose = app.purpose(id) else {
      if let page = Explained.page(id, paint: .standardOutput) {
        streams.tell(page)
        return 0
      }
      return streams.refuse(UsageProblem(Explained.refusal(id)), .usage)
    }
    let dialect = dialect ?? app.dialect(for: purpose)
    guard purpose.dialects.contains(dialect) else {
      return streams.refuse(UsageProblem("\(id) is not for dialect \(dialect.rawValue)"), .usage)
    }
    streams.tell(Page(app: app, purpose: purpose, dialect: dialect, paint: .standardOutput).text)
    return 0
  }

  /// The page of a purpose.
  struct Page {
    var app: AppProtocol
    var purpose: TestPurpose
    var dialect: DialectName
    var paint: Paint

    var text: String {
      var lines = [paint(purpose.id, .bold), purpose.purpose, ""]
      for clause in purpose.clauses {
        lines += section(clause, [app.clause(clause)?.plainText ?? "not a clause of \(app.title)"])
      }
      lines += section("initial condition", [purpose.initialCondition])
      lines += section("procedure, on the reference in dialect \(dialect.rawValue)", procedure)
      lines += section("expected", purpose.expectedOutcomes)
      lines += section("applies to", [applies])
      lines += section(
        "mutants that break one of its clauses",
        app.mutants.filter { $0.role == purpose.role && purpose.clauses.contains($0.clause) }.map(\.name))
      lines += section("repeat", ["babbench conform --iut FILE --dialect \(dialect.rawValue) --select \(purpose.id)"])
      return lines.joined(separator: "\n")
    }

    private var applies: String {
      let claims = purpose.needs.isEmpty ? "every" : "a"
      let needs = purpose.needs.isEmpty ? "" : " that claims " + purpose.needs.map(\.name).joined(separator: ", ")
      let seeds = purpose.seeds.count > 1 ? "; \(purpose.seeds.count) seeds" : ""
      let dialects = purpose.dialects.map(\.rawValue).joined(separator: ", ")
      let excludes =
        purpose.excludes.isEmpty
        ? "" : ", and does not claim " + purpose.excludes.map(\.name).joined(separator: " or ")
      return "\(claims) \(purpose.role.rawValue)\(needs)\(excludes); dialects \(dialects)\(seeds)"
    }

    /// The steps of a run on the reference, with their instants.
    private var procedure: [String] {
      let id = CaseID(purpose: purpose.id, dialect: dialect, seed: purpose.seeds[0])
      let name = AppProtocol.reference
      guard let reference = try? ImplementationUnderTest.builtIn(name, of: app, role: purpose.role) else { return [] }
      return CaseRunner.run(purpose, id, on: reference).steps.map { "\($0.instant.short)  \($0.text)" }
    }

    private func section(_ title: String, _ lines: [String]) -> [String] {
      [paint(title, .dim)] + lines.map { "  " + $0 } + [""]
    }
  }
}

/// What to say about a test purpose that does not exist.
enum UnknownCase {
  static func hint(_ id: String) -> String {
    "\(id): no such test purpose; "
      + (Suggestion.question(for: id, in: protocols.purposes.map(\.id), within: 3)
        ?? "babbench list --cases shows them")
  }
}

extension SimInstant {
  /// Seconds with three decimals, for people.
  var short: String {
    let milliseconds = nanoseconds / 1_000_000
    let fraction = String(milliseconds % 1_000)
    return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}

/// A dialect as an option takes it.
func dialectName(_ argument: String) throws -> DialectName {
  let dialects = protocols.flatMap(\.dialects)
  guard let name = dialects.first(where: { $0.rawValue == argument }) else {
    var names: [String] = []
    for dialect in dialects where !names.contains(dialect.rawValue) { names.append(dialect.rawValue) }
    let listed = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    throw ValidationError("there are the dialects \(listed), not '\(argument)'")
  }
  return name
}
