package import SimKernel

extension Bounds {
  /// How long after something was done to a device the last claim about it is due: its peers notice by the supervision
  /// timeout, and it tries to come back, gives up and says so; or it comes back promptly and resumes. Where no chance
  /// is open meanwhile, what is due later stays open.
  static var longest: SimDuration {
    supervisionTimeout + max(reconnectWindow + givesUp, promptReturn + resumes)
  }
}

/// What others need to know of the bounds of Bab's oracles.
package enum BabBounds {
  /// After so long without anything new every claim about a run is due.
  package static var longest: SimDuration { Bounds.longest }
}
