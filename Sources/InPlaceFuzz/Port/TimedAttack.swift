package import SimKernel

/// An attack of a live session, and when it began, counted from the state.
package struct TimedAttack: Hashable, Sendable {
  package var after: SimDuration
  package var attack: Attack

  package init(after: SimDuration, attack: Attack) {
    self.after = after
    self.attack = attack
  }
}
