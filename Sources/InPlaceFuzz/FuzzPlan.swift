package import Bench
package import Conformance
package import SimKernel

/// What is fuzzed, where and how far.
package struct FuzzPlan: Sendable {
  /// Milliseconds.
  package static let usualPatience: UInt32 = 20_000
  /// Mebibytes.
  package static let usualMemory = 512
  /// How long an execution is looked at before it is known whether it is worth its whole span.
  package static let usualLook = SimDuration.milliseconds(250)

  package var scenario: Scenario
  package var seed: UInt64
  package var seam: FuzzSeam
  /// The hostile device.
  package var device: Int
  /// The state at which it becomes hostile.
  package var condition: Condition
  /// Simulated time of an execution after the state.
  package var span = SimDuration.seconds(2)
  /// Simulated time after which an execution of a campaign goes on only where it has shown something; zero, or as long
  /// as the whole: each goes on.
  package var look = Self.usualLook
  /// Events of an execution after the state.
  package var events = 200_000
  /// A net for what events do not count, wall-clock milliseconds.
  package var patience = Self.usualPatience
  /// Units that attacks may be made of, besides those that pass before the state.
  package var seeds: [[UInt8]] = []
  /// How much memory an execution may add, mebibytes.
  package var memory = Self.usualMemory
  /// Programs under test, by the device whose app each is; a world with one begins at the beginning each time.
  package var programs: [Int: ImplementationUnderTest] = [:]
  /// Makes a defect for a world; nil: nothing is planted.
  package var planted: (@Sendable () -> any PlantedDefect)?

  package init(scenario: Scenario, seed: UInt64, seam: FuzzSeam, device: Int, condition: Condition) {
    self.scenario = scenario
    self.seed = seed
    self.seam = seam
    self.device = device
    self.condition = condition
  }
}

extension FuzzPlan {
  /// What an answer to the last stroke of an attack needs: some connection intervals.
  private static let echo = SimDuration.milliseconds(100)

  /// Whether executions of a campaign are looked at first. The way of a program to the state costs more than all that
  /// comes after it.
  var hasLook: Bool { look > .zero && look < span && programs.isEmpty }

  /// How long an attack is looked at: until others have had time to answer the last stroke that has a time of its own.
  func look(at attack: Attack) -> SimDuration {
    let last = attack.strokes.map(\.manner.wait).max() ?? .zero
    return min(span, max(look, last + Self.echo))
  }
}

/// Why nothing can be fuzzed.
package enum FuzzObstacle: Error, Hashable, Sendable, CustomStringConvertible {
  /// The scenario was over before the condition held.
  case conditionNeverHeld(SimInstant, detail: String)
  /// The hostile device has sent nothing at the seam, so that it has no way to send something of its own.
  case nothingSent(device: String, seam: String)
  case noPackets(device: String)
  /// A program under test has ended, or answers no more, and nobody had attacked it.
  case programBroke(device: String, detail: String)
  /// A program under test does not do the same thing twice.
  case wentAstray(device: String)
  /// Nothing happens after the state for as long as it is played.
  case nothingFollows(SimDuration)
  /// The limit of events ends what follows the state, though nobody has attacked.
  case tooFewEvents(Int, SimDuration)
  case system(String)

  package var description: String {
    switch self {
    case .conditionNeverHeld(let end, let detail):
      "the condition of --when never held: the scenario was over at \(end) s"
        + (detail.isEmpty ? "" : ", when \(detail)")
    case .nothingSent(let device, let seam):
      "\(device) has sent nothing at the seam \(seam) before the state; choose a later state or another seam"
    case .noPackets(let device):
      "the app of \(device) has no packets of its own; choose the seam fragment, att, l2cap or hci"
    case .programBroke(let device, let detail): "\(device) broke before the state, without an attack: \(detail)"
    case .wentAstray(let device):
      "the program at \(device) did not reach the same state twice; only one that does can be fuzzed"
    case .nothingFollows(let span):
      "nothing happens in the \(span) s after the state, so nobody would answer an attack; make --for longer"
    case .tooFewEvents(let count, let span):
      "--events \(count) ends what follows the state before its \(span) s are over, without any attack, so nothing could"
        + " be judged; make --events larger or --for shorter"
    case .system(let text): text
    }
  }
}
