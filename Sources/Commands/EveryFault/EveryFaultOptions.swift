import Bench
import EveryFault
import SimKernel

/// What `--every-fault` was asked for.
struct EveryFaultOptions: Sendable {
  /// How far it goes.
  enum Budget: Equatable, Sendable {
    case worlds(Int)
    case time(SimDuration)

    /// `5000`, or `5min`.
    init?(_ text: String) {
      if let worlds = Int(text) {
        guard worlds > 0 else { return nil }
        self = .worlds(worlds)
      } else {
        guard let span = SimDuration(scenarioText: text), span > .zero else { return nil }
        self = .time(span)
      }
    }

    var words: String {
      switch self {
      case .worlds(let count): String(count)
      case .time(let span): BaseScenario.words(span)
      }
    }
  }

  /// As written on the command line.
  var scenario: String
  /// The words of the command before the scenario.
  var call: [String]
  var seed: UInt64?
  /// `key=value`, in order.
  var settings: [String] = []
  /// Only these.
  var kinds = FaultKind.allCases
  /// Nil: all worlds with one fault.
  var budget: Budget?
  /// Worlds with two faults; nil: none, or with a budget as many as it has room for.
  var pairs: Int?
  var jobs = 1
  /// Each world begins at the beginning.
  var isFresh = false
  /// Wall-clock milliseconds of a world.
  var patience: UInt32 = 120_000
  var out: String?
  /// Only this world, from 1.
  var world: Int?
  /// Where the scenario of that world is written.
  var file: String?

  /// The line that repeats it, or one world of it.
  func repeatLine(seed: UInt64, world: Int? = nil) -> [String] {
    var words = call + [scenario, "--seed", String(seed)]
    if kinds != FaultKind.allCases { words += ["--faults", kinds.map(\.rawValue).joined(separator: ",")] }
    words += settings.flatMap { ["--set", $0] }
    if let world { return words + ["--world", String(world + 1)] }
    if let budget { words += ["--budget", budget.words] }
    if let pairs { words += ["--pairs", String(pairs)] }
    return words
  }
}
