import BabSim
import SimKernel

/// A correct engine whose requests and news are changed one by one: what most defects of advertising, discovery and
/// links need.
final class EffectMutant: MutantEngine {
  typealias Asking = (EffectMutant, AppEffect) -> [AppEffect]
  typealias Hearing = (EffectMutant, AppInput) -> [AppInput]

  private var asking: Asking = { _, effect in [effect] }
  private var hearing: Hearing = { _, input in [input] }
  /// For defects that need a word of memory.
  var count = 0
  var kept: [AppEffect] = []
  var links: [LinkID] = []

  convenience init(wrapping inner: any AppEngine, asking: @escaping Asking, hearing: @escaping Hearing) {
    self.init(wrapping: inner)
    self.asking = asking
    self.hearing = hearing
  }

  override func rewrite(_ effect: AppEffect) -> [AppEffect] { asking(self, effect) }
  override func rewrite(_ input: AppInput) -> [AppInput] { hearing(self, input) }
}

extension Mutant {
  /// A defect in what is asked of the platform, or in what the engine hears of it (`EffectMutant`).
  static func effects(
    _ name: String, _ role: AppRole, clause: String, _ summary: String,
    adjust: @escaping @Sendable (inout BabConfiguration) -> Void = { _ in },
    asking: @escaping @Sendable (EffectMutant, Dialect, AppEffect) -> [AppEffect] = { _, _, effect in [effect] },
    hearing: @escaping @Sendable (EffectMutant, Dialect, AppInput) -> [AppInput] = { _, _, input in [input] }
  ) -> Mutant {
    Mutant(
      name, role, clause: clause, summary, adjust: adjust,
      wrapped: { engine, configuration in
        let dialect = configuration.dialect
        return EffectMutant(
          wrapping: engine, asking: { asking($0, dialect, $1) }, hearing: { hearing($0, dialect, $1) })
      })
  }
}
