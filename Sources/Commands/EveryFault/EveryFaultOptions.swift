import Bench
import Explore
import SimKernel

/// What `--every-fault` was asked for.
struct EveryFaultOptions: Sendable {
  /// How far it goes.
  enum Budget: Equatable, Sendable {
    case worlds(Int)
    case time(SimDuration)

    /// Nil: no time was given.
    var time: SimDuration? { if case .time(let span) = self { span } else { nil } }

    /// The option that asks for it.
    var words: [String] {
      switch self {
      case .worlds(let count): ["--worlds", String(count)]
      case .time(let span): ["--budget", BaseScenario.words(span)]
      }
    }
  }

  /// As written on the command line.
  var scenario: String
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
    var words = ["babbench", "explore", "--every-fault", scenario, "--seed", String(seed)]
    if kinds != FaultKind.allCases { words += ["--faults", kinds.map(\.rawValue).joined(separator: ",")] }
    words += settings.flatMap { ["--set", $0] }
    if let world { return words + ["--world", String(world + 1)] }
    if let budget { words += budget.words }
    if let pairs { words += ["--pairs", String(pairs)] }
    return words
  }
}
