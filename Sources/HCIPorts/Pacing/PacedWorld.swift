public import SimKernel
public import VirtualRadio

/// A world that is run by the wall clock, to which the ports belong.
///
/// All calls come from one thread. Time passes only in `advance`; `enter` happens at `now`.
public protocol PacedWorld: AnyObject {
  var now: SimInstant { get }
  /// When something happens next if nothing enters; nil when nothing ever would.
  var nextInstant: SimInstant? { get }
  /// The instant at which the world ends; nil as long as it is open.
  var endInstant: SimInstant? { get }
  /// Lets everything up to and including `instant` happen. Not before `now`.
  func advance(to instant: SimInstant)
  /// Something comes in from outside at a seat.
  func enter(_ event: ForeignEvent, device: Int)
  /// The next H4 packet that leaves through a seat, in the order in which they left.
  func popOutward() -> (device: Int, packet: [UInt8])?
}
