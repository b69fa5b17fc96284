import AppSeam
import BabSim
import Conformance
import SimKernel

/// A correct engine with one clause broken: everything passes through except what a subclass changes.
///
/// A subclass may drop a transmission; the inner engine is then told what the platform would have said, in order with
/// the answers to what was not dropped, so that it goes on as if the value had gone out.
class MutantEngine: AppEngine {
  private enum Pending {
    case passed
    case dropped(AppInput)
  }

  private struct LinkAnswers {
    var link: LinkID
    var pending: [Pending] = []
  }

  private let inner: any AppEngine
  private var answers: [LinkAnswers] = []
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
    forgetAnswered(input)
    for effect in inner.handle(input, at: now) {
      let rewritten = rewrite(effect)
      note(effect, isDropped: rewritten.isEmpty)
      effects += rewritten
    }
    while let answer = nextDroppedAnswer() { feed(answer, &effects) }
  }

  /// An answer of the platform is for the oldest value of its link that was not dropped.
  private func forgetAnswered(_ input: AppInput) {
    switch input {
    case .submitted(let link, _, _), .writeCompleted(let link, _, _):
      guard let index = answers.firstIndex(where: { $0.link == link }), case .passed? = answers[index].pending.first
      else { return }
      answers[index].pending.removeFirst()
    case .disconnected(let link, _): answers.removeAll { $0.link == link }
    default: break
    }
  }

  private func note(_ effect: AppEffect, isDropped: Bool) {
    switch effect {
    case .notify(let link, let characteristic, _), .writeWithoutResponse(let link, let characteristic, _):
      note(link, isDropped ? .dropped(.submitted(link, characteristic: characteristic, accepted: true)) : .passed)
    case .write(let link, let characteristic, _):
      note(link, isDropped ? .dropped(.writeCompleted(link, characteristic: characteristic, error: nil)) : .passed)
    default: break
    }
  }

  private func note(_ link: LinkID, _ pending: Pending) {
    if let index = answers.firstIndex(where: { $0.link == link }) {
      answers[index].pending.append(pending)
    } else {
      answers.append(LinkAnswers(link: link, pending: [pending]))
    }
  }

  private func nextDroppedAnswer() -> AppInput? {
    for index in answers.indices {
      guard case .dropped(let answer)? = answers[index].pending.first else { continue }
      answers[index].pending.removeFirst()
      return answer
    }
    return nil
  }
}
