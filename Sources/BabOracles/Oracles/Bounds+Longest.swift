package import SimKernel

extension Bounds {
  /// How long after something was done to a device the last claim about it is due: its peers notice by the supervision
  /// timeout, and it tries to come back, gives up and says so; or it comes back promptly and resumes; or a value that
  /// was accepted just before arrives.
  static var longest: SimDuration {
    max(
      supervisionTimeout + reconnectWindow + givesUp, supervisionTimeout + promptReturn + resumes,
      supervisionTimeout + valueArrives)
  }
}

/// What others need to know of the bounds of Bab's oracles.
package enum BabBounds {
  /// After so long without anything new every claim about a run is due.
  package static var longest: SimDuration { Bounds.longest }
}
