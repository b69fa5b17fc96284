import AppSeam
import BabSim
import Conformance
import SimKernel

/// A correct engine whose defect is in what it is told or asks for at the app seam: advertising, discovery, links, its
/// user's wishes, its timers, what it shows. What it says in packets is `PacketMutant`'s.
final class SeamMutant: MutantEngine {
  /// What the inner engine is told instead of an input; the input itself to change nothing.
  typealias Hearing = (SeamMutant, AppInput) -> [AppInput]
  /// What the platform is asked instead of an effect; the effect itself to change nothing.
  typealias Asking = (SeamMutant, AppEffect) -> [AppEffect]

  let configuration: BabConfiguration
  private let hearing: Hearing
  private let asking: Asking
  /// The input that is being handled.
  private(set) var input = AppInput.launched
  /// For mutants that need a word of memory.
  var memory: [String] = []
  var timers: [TimerID] = []
  var count = 0
  var kept: [AppEffect] = []
  var links: [LinkID] = []

  init(
    wrapping inner: any AppEngine, configuration: BabConfiguration, hearing: @escaping Hearing, asking: @escaping Asking
  ) {
    self.configuration = configuration
    self.hearing = hearing
    self.asking = asking
    super.init(wrapping: inner)
  }

  var peerID: String { configuration.peerID }
  var dialect: Dialect { configuration.dialect }

  override func rewrite(_ input: AppInput) -> [AppInput] {
    self.input = input
    return hearing(self, input)
  }

  override func rewrite(_ effect: AppEffect) -> [AppEffect] { asking(self, effect) }
}

extension Mutant {
  /// A defect in what an app is told or asks for (`SeamMutant`).
  static func seam(
    _ name: String, _ role: AppRole, clause: String, _ summary: String,
    adjust: @escaping @Sendable (inout BabConfiguration) -> Void = { _ in },
    hearing: @escaping @Sendable (SeamMutant, AppInput) -> [AppInput] = { _, input in [input] },
    asking: @escaping @Sendable (SeamMutant, AppEffect) -> [AppEffect] = { _, effect in [effect] }
  ) -> Mutant {
    Mutant(
      name, role, clause: clause, summary, adjust: adjust,
      wrapped: { engine, configuration in
        SeamMutant(wrapping: engine, configuration: configuration, hearing: hearing, asking: asking)
      })
  }

  /// An app that is never told certain things.
  static func seam(
    _ name: String, _ role: AppRole, clause: String, _ summary: String,
    missing isMissed: @escaping @Sendable (AppInput) -> Bool
  ) -> Mutant {
    seam(name, role, clause: clause, summary, hearing: { _, input in isMissed(input) ? [] : [input] })
  }

  /// An app that keeps certain requests or news to itself.
  static func seam(
    _ name: String, _ role: AppRole, clause: String, _ summary: String,
    keeping isKept: @escaping @Sendable (AppEffect) -> Bool
  ) -> Mutant {
    seam(name, role, clause: clause, summary, asking: { _, effect in isKept(effect) ? [] : [effect] })
  }
}
