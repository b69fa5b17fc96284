package import SimKernel

/// How packets of a path are lost (NET 5.2).
package enum LossLaw: Hashable, Sendable {
  case none
  /// Each attempt on its own.
  case independent(Ratio)
  /// Every n-th packet of a direction, whatever the medium repeats; n is at least 1.
  case every(Int)
  /// Good and bad times in turn, of exponential length (Gilbert–Elliott).
  case bursts(meanGood: SimDuration, meanBad: SimDuration, lossInGood: Ratio, lossInBad: Ratio)
}

/// What a path from one device to another adds to its medium (NET 5.1).
package struct PathRules: Hashable, Sendable {
  /// One way, on top of what the medium takes.
  package var delay = SimDuration.zero
  package var loss = LossLaw.none
  /// IP headers count; nil: what the medium has.
  package var bitsPerSecond: Int64?

  package init(delay: SimDuration = .zero, loss: LossLaw = .none, bitsPerSecond: Int64? = nil) {
    self.delay = delay
    self.loss = loss
    self.bitsPerSecond = bitsPerSecond
  }
}
