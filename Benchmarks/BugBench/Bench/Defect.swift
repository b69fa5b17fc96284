import InPlaceFuzz
import PlantedParsers

/// One planted defect, with what is known of it and how it is hunted.
struct Defect: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case parser
    case hostStack = "host stack"
    case controller
    case engine
  }

  let id: String
  let kind: Kind
  /// What is wrong, in one line.
  let summary: String
  /// Where the like of it was seen in products; nil: nowhere in particular.
  var seen: String?
  /// What the judge sees of it.
  let shows: String
  let hunt: Hunt

  enum Hunt: Sendable {
    /// The grammar is that of a row of the table of decoders.
    case parser(PlantedParser, grammar: String)
    case world(HuntedWorld)
  }

  static let all: [Defect] = parsers + hostStack + controllers + engines

  /// The command line of the product that hunts it.
  var commandLine: String {
    switch hunt {
    case .parser(let parser, let grammar):
      "BUGBENCH_DEFECT=\(parser.id) babbench fuzz parser --target planted.so --grammar \(grammar) --until-found"
    case .world(let target): target.commandLine
    }
  }
}
