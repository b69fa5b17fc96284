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

/// Rows of the tables of mutants: defects in what an app is told or asks for (`SeamMutant`).
extension Mutant {
  /// A defect that needs more than one of the forms below.
  ///
  /// - Parameters:
  ///   - whenTold: what the mutant notes or does as well, before the inner engine is told something.
  ///   - hearing: what the inner engine is told in place of an input.
  ///   - whenAsking: what the mutant notes or does as well, before something is asked of the platform.
  ///   - asking: what is asked in place of an effect.
  static func seam(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String,
    whenTold: @escaping @Sendable (SeamMutant, AppInput) -> Void = { _, _ in },
    hearing: @escaping @Sendable (SeamMutant, AppInput) -> [AppInput] = { _, input in [input] },
    whenAsking: @escaping @Sendable (SeamMutant, AppEffect) -> Void = { _, _ in },
    asking: @escaping @Sendable (SeamMutant, AppEffect) -> [AppEffect] = { _, effect in [effect] }
  ) -> Mutant {
    Mutant(
      name, role, clause: clause, summary,
      wrapped: { engine, configuration in
        SeamMutant(
          wrapping: engine, configuration: configuration,
          hearing: { m, input in
            whenTold(m, input)
            return hearing(m, input)
          },
          asking: { m, effect in
            whenAsking(m, effect)
            return asking(m, effect)
          })
      })
  }

  /// Hears something else in place of inputs.
  static func told(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String,
    _ hearing: @escaping @Sendable (SeamMutant, AppInput) -> [AppInput]
  ) -> Mutant {
    seam(name, role, clause, summary, hearing: hearing)
  }

  /// Does something else as well when it is told something.
  static func whenTold(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String,
    _ act: @escaping @Sendable (SeamMutant, AppInput) -> Void
  ) -> Mutant {
    seam(name, role, clause, summary, whenTold: act)
  }

  /// Is never told certain things.
  static func misses(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String,
    _ isMissed: @escaping @Sendable (AppInput) -> Bool
  ) -> Mutant {
    seam(name, role, clause, summary, hearing: { _, input in isMissed(input) ? [] : [input] })
  }

  /// Asks for something else, or shows something else.
  static func asks(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String,
    _ asking: @escaping @Sendable (SeamMutant, AppEffect) -> [AppEffect]
  ) -> Mutant {
    seam(name, role, clause, summary, asking: asking)
  }

  /// Keeps certain requests or news to itself.
  static func keeps(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String,
    _ isKept: @escaping @Sendable (AppEffect) -> Bool
  ) -> Mutant {
    seam(name, role, clause, summary, asking: { _, effect in isKept(effect) ? [] : [effect] })
  }

  /// The reference with something else told to it of its game.
  static func set(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String,
    _ adjust: @escaping @Sendable (inout BabConfiguration) -> Void
  ) -> Mutant {
    Mutant(name, role, clause: clause, summary, adjust: adjust)
  }

  /// The reference with a layer around it.
  static func engine(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String,
    _ layer: @escaping @Sendable (any AppEngine) -> any AppEngine
  ) -> Mutant {
    Mutant(name, role, clause: clause, summary, wrapped: { engine, _ in layer(engine) })
  }
}
