import Foundation
import Fuzzing
import InPlaceFuzz

/// Proves that the fuzzers of the product find defects: planted ones, beside what others find with the same budget.
@main
enum BugBench {
  private static let usage = """
    BugBench check [ID…]                      each defect is seen to be one, and nothing is seen without it
    BugBench list                             the defects
    BugBench hunt ID HUNTER SEED SECONDS      one hunt; HUNTER is ours, random or plain
    BugBench table [--seconds S] [--others K] [--seeds N] [--write] [ID…]
                                              all hunts, S (600) CPU seconds at most for each, and the table; where ours
                                              has found it, the others have K times what it took, a second at least

    """

  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    do {
      switch words.first {
      case "list": for defect in Defect.all { print("\(defect.id)\t\(defect.kind.rawValue)\t\(defect.commandLine)") }
      case "check": exit(try check(words.dropFirst()) ? 0 : 1)
      case "hunt": try hunt(words.dropFirst().map { $0 })
      case "table": try TableRun(words: words.dropFirst().map { $0 }, refuse: refuse).run()
      default: refuse("say check, list, hunt or table")
      }
    } catch {
      FileHandle.standardError.write(Data("BugBench: \(error)\n".utf8))
      exit(3)
    }
  }

  static func refuse(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("BugBench: \(reason)\n\(usage)".utf8))
    exit(64)
  }

  static func defect(_ id: String) -> Defect {
    guard let defect = Defect.all.first(where: { $0.id == id }) else { refuse("no defect is called \(id)") }
    return defect
  }

  private static func check(_ ids: ArraySlice<String>) throws -> Bool {
    let defects = ids.isEmpty ? Defect.all : ids.map { defect($0) }
    var isSound = true
    var worlds: [String: Campaign] = [:]
    for defect in defects {
      let (shows, remark) = try witness(of: defect, &worlds)
      print("\(shows ? "shown" : "NOT SHOWN")\t\(defect.kind.rawValue)\t\(defect.id)\t\(remark)")
      isSound = isSound && shows
    }
    print("\(defects.count) defects")
    return isSound
  }

  private static func witness(
    of defect: Defect, _ worlds: inout [String: Campaign]
  ) throws -> (shows: Bool, remark: String) {
    switch defect.hunt {
    case .parser(let parser, let grammar):
      let seen = ParserHunt(parser, grammar: grammar, budget: 10).isWitnessed()
      return (seen.planted && !seen.sound, seen.sound ? "seen without the defect too" : "")
    case .world(let target):
      let (planted, sound) = try WorldHunt(target: target, budget: 10).witnessed(&worlds)
      return (!planted.isEmpty && sound.isEmpty, sound.isEmpty ? planted.first ?? "" : "without it: \(sound[0])")
    }
  }

  private static func hunt(_ words: [String]) throws {
    guard words.count == 4, let hunter = Hunter(rawValue: words[1]), let seed = UInt64(words[2]),
      let seconds = Double(words[3])
    else { refuse("hunt takes a defect, ours, random or plain, a seed and CPU seconds") }
    let trial = try trial(of: defect(words[0]), hunter, seed: seed, seconds: seconds)
    print(trial.line)
  }

  private static func trial(of defect: Defect, _ hunter: Hunter, seed: UInt64, seconds: Double) throws -> Trial {
    switch defect.hunt {
    case .world(let target): return try WorldHunt(target: target, budget: seconds).hunt(hunter, seed: seed)
    case .parser(let parser, let grammar):
      let hunt = ParserHunt(parser, grammar: grammar, budget: seconds)
      if hunter != .plain { return hunt.hunt(hunter, seed: seed) }
      return try LibFuzzerHunt(parser: parser, limit: hunt.grammar.limit, budget: seconds).hunt(seed: seed)
    }
  }
}
