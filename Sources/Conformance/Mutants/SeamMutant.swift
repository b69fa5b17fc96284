import BabSim
import SimKernel

/// A correct engine whose defect is in what it is told or asks for at the app seam: its user's wishes, its timers, what
/// it shows. What it says in packets is `PacketMutant`'s.
final class SeamMutant: MutantEngine {
  /// What the inner engine is told instead of an input; the input itself to change nothing.
  typealias Hearing = (SeamMutant, AppInput) -> [AppInput]
  /// What the platform is asked instead of an effect; the effect itself to change nothing.
  typealias Asking = (SeamMutant, AppEffect) -> [AppEffect]

  private var hearing: Hearing = { _, input in [input] }
  private var asking: Asking = { _, effect in [effect] }
  private(set) var configuration: BabConfiguration?
  /// The input that is being handled.
  private(set) var input = AppInput.launched
  /// For mutants that need a word of memory.
  var memory: [String] = []
  var timers: [TimerID] = []
  var count = 0

  convenience init(
    wrapping inner: any AppEngine, configuration: BabConfiguration, hearing: @escaping Hearing, asking: @escaping Asking
  ) {
    self.init(wrapping: inner)
    self.configuration = configuration
    self.hearing = hearing
    self.asking = asking
  }

  var peerID: String { configuration?.peerID ?? "" }

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
    hearing: @escaping @Sendable (SeamMutant, AppInput) -> [AppInput] = { _, input in [input] },
    asking: @escaping @Sendable (SeamMutant, AppEffect) -> [AppEffect] = { _, effect in [effect] }
  ) -> Mutant {
    Mutant(
      name, role, clause: clause, summary,
      wrapped: { engine, configuration in
        SeamMutant(wrapping: engine, configuration: configuration, hearing: hearing, asking: asking)
      })
  }
}
