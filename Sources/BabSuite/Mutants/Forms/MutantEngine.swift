import AppSeam
import BabSim
import Conformance
import SimKernel

/// A correct engine with one clause broken: everything passes through except what a subclass changes.
///
/// A subclass may drop a transmission; the inner engine is then told what the platform would have said, in order with
/// the answers to what was not dropped, so that it goes on as if the value had gone out.
class MutantEngine: AppEngine {
  private let inner: any AppEngine
  private var ledger = AnswerLedger()
  private(set) var now = SimInstant.zero
  /// Effects of the mutant's own, after those of the inner engine.
  var added: [AppEffect] = []

  init(wrapping inner: any AppEngine) { self.inner = inner }

  /// What the inner engine is told in place of `input`; itself by default, nothing to keep it back.
  func rewrite(_ input: AppInput) -> [AppInput] { [input] }

  /// What the platform is asked in place of `effect`; itself by default, nothing to drop it.
  func rewrite(_ effect: AppEffect) -> [AppEffect] { [effect] }

  final func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    self.now = now
    var effects: [AppEffect] = []
    _ = ledger.isForLayer(input)
    for passed in rewrite(input) { feed(passed, &effects) }
    effects += added
    added.removeAll()
    return effects
  }

  /// Whether the inner engine claims a packet that was dropped: a mutant breaks one clause and not two.
  final func isClaim(_ effect: AppEffect, of types: [PacketType], where isDropped: (LinkID) -> Bool) -> Bool {
    guard case .packetSent(let link, let type, _, _)? = effect.bab else { return false }
    return isDropped(link) && types.contains { $0.rawValue == type }
  }

  private func feed(_ input: AppInput, _ effects: inout [AppEffect]) {
    for effect in inner.handle(input, at: now) {
      let rewritten = rewrite(effect)
      if rewritten.isEmpty { ledger.noteKeptBack(effect) } else { ledger.note(effect) }
      effects += rewritten
    }
    while let answer = ledger.nextKeptBack() { feed(answer, &effects) }
  }
}
