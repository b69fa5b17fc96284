import AppSeam
import SimKernel

/// A link as one of its ends had it.
struct LinkSpan: Sendable {
  var device: Int
  var peer: Int
  var link: LinkID
  var begin: SimInstant
  /// Nil: it lasts to the end of the run.
  var end: SimInstant?
}
