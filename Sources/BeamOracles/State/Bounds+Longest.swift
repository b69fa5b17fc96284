package import SimKernel

extension Bounds {
  /// How long after something was done to a device the last claim about it is due: its peers notice that it is gone,
  /// or it settles and finds its way back.
  static var longest: SimDuration { max(vanishingIsNoticed, settles + returns) }
}

/// What others need to know of the bounds of BeamScribe's oracles.
package enum BeamBounds {
  /// After so long without anything new every claim about a run is due.
  package static var longest: SimDuration { Bounds.longest }
}
