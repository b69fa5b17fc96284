import AppSeam
import BeamScribe
import SimKernel

/// A reference engine of which something is changed at the seam: what it hears, and what it asks for and shows.
///
/// What it drops of the inner engine's sending is answered as if it had been taken; answers to what it sends by itself
/// stay with it.
final class SeamMutant: AppEngine {
  typealias Hearing = @Sendable (AppInput, inout SeamNotes) -> [AppInput]
  typealias Asking = @Sendable (AppEffect, inout SeamNotes) -> [AppEffect]

  private let inner: any AppEngine
  private let hearing: Hearing
  private let asking: Asking
  private var notes: SeamNotes
  /// Who waits for an answer of the platform, by connection, the first first.
  private var waiting: [ConnectionID: [Bool]] = [:]
  private var inputs: [AppInput] = []

  init(
    _ configuration: BeamConfiguration, _ inner: any AppEngine, hearing: @escaping Hearing, asking: @escaping Asking
  ) {
    self.inner = inner
    self.hearing = hearing
    self.asking = asking
    notes = SeamNotes(configuration)
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    notes.now = now
    if case .network(.submitted(let id, _)) = input, !isForInner(id) { return [] }
    notes.follow(input)
    inputs = hearing(input, &notes)
    var effects: [AppEffect] = []
    takeNotes(&effects)
    var place = 0
    while place < inputs.count {
      for effect in inner.handle(inputs[place], at: now) { pass(effect, &effects) }
      place += 1
      takeNotes(&effects)
    }
    return effects
  }

  /// Takes out who is answered.
  private func isForInner(_ id: ConnectionID) -> Bool {
    guard var list = waiting[id], !list.isEmpty else { return true }
    let isInner = list.removeFirst()
    waiting[id] = list
    return isInner
  }

  private func pass(_ effect: AppEffect, _ effects: inout [AppEffect]) {
    notes.follow(effect)
    let rewritten = asking(effect, &notes)
    var isAnswered = true
    if case .network(.send(let id, _)) = effect {
      isAnswered = rewritten.contains { if case .network(.send(id, _)) = $0 { true } else { false } }
      if !isAnswered { inputs.append(.network(.submitted(id, accepted: true))) }
    }
    add(rewritten, isInner: isAnswered, &effects)
  }

  private func add(_ list: [AppEffect], isInner: Bool, _ effects: inout [AppEffect]) {
    var isInner = isInner
    for effect in list {
      if case .network(.send(let id, _)) = effect {
        waiting[id, default: []].append(isInner)
        isInner = false
      }
      effects.append(effect)
    }
  }

  private func takeNotes(_ effects: inout [AppEffect]) {
    add(notes.added, isInner: false, &effects)
    notes.added = []
    inputs += notes.fed
    notes.fed = []
  }
}
