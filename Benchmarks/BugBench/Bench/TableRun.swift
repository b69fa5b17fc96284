import Foundation

/// All hunts, each in a process of its own, and the table of what they came to.
struct TableRun {
  private var seconds = 600.0
  private var seeds: UInt64 = 5
  /// CPU time of the two others in multiples of what ours took where it has found it; nil: as much as ours may take.
  private var multiple: Double?
  private var writes = false
  private var defects: [Defect] = []
  private var words: [String]

  init(words: [String], refuse: (String) -> Never) {
    self.words = words
    var rest = words[...]
    func number<Number: LosslessStringConvertible>(_ name: String) -> Number {
      guard let word = rest.popFirst(), let number = Number(word) else { refuse("\(name) takes a number") }
      return number
    }
    while let word = rest.popFirst() {
      switch word {
      case "--seconds": seconds = number(word)
      case "--seeds": seeds = number(word)
      case "--others": multiple = number(word)
      case "--write": writes = true
      default: defects.append(BugBench.defect(word))
      }
    }
    if defects.isEmpty { defects = Defect.all }
  }

  func run() throws {
    try LibFuzzerHunt.build()
    var rows: [(Defect, [Hunter: Summary])] = []
    for defect in defects {
      var summaries: [Hunter: Summary] = [:]
      for hunter in Hunter.allCases {
        let budget = budget(of: hunter, ours: summaries[.ours])
        var trials: [Trial] = []
        // Once most seeds have found nothing, the median is known.
        for seed in 1...seeds where trials.count(where: { !$0.isFound }) <= seeds / 2 {
          trials.append(try trial(of: defect, hunter, seed: seed, budget))
        }
        summaries[hunter] = Summary(trials: trials)
      }
      rows.append((defect, summaries))
      print(BugTable.line(defect, summaries))
      fflush(nil)
    }
    let table = BugTable(rows: rows, seconds: seconds, seeds: Int(seeds), words: words)
    print(table.totals)
    if writes { try table.write() }
  }

  /// The others have a second at least.
  private func budget(of hunter: Hunter, ours: Summary?) -> Double {
    guard let multiple, let ours, ours.isFound, hunter != .ours else { return seconds }
    return min(seconds, max(1, multiple * ours.seconds))
  }

  private func trial(
    of defect: Defect, _ hunter: Hunter, seed: UInt64, _ seconds: Double
  ) throws -> Trial {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    process.arguments = ["hunt", defect.id, hunter.rawValue, String(seed), String(seconds)]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard let trial = said.split(separator: "\n").last.flatMap({ Trial(line: String($0)) }) else {
      throw LibFuzzerHunt.Problem(description: "\(defect.id), \(hunter.rawValue), seed \(seed): no answer")
    }
    return trial
  }
}

/// Several seeds of one hunt.
struct Summary {
  let found: Int
  let count: Int
  /// Medians; of those that found nothing: what they had.
  let executions: Int
  let seconds: Double

  init(trials: [Trial]) {
    found = trials.count { $0.isFound }
    count = trials.count
    // Those that found nothing come last: a median among them is a bound.
    let ordered = trials.sorted { ($0.isFound ? 0 : 1, $0.executions) < ($1.isFound ? 0 : 1, $1.executions) }
    executions = ordered[ordered.count / 2].executions
    seconds =
      trials.sorted { ($0.isFound ? 0 : 1, $0.seconds) < ($1.isFound ? 0 : 1, $1.seconds) }[ordered.count / 2].seconds
  }

  /// Whether the medians are of hunts that found it.
  var isFound: Bool { 2 * found > count }
}
