import AppSeam
import SimKernel

/// One stream of a guest, from the attempt to its end.
final class GuestStream {
  let id: ConnectionID
  /// Opened over a better path while another stream is up (BEAM 5.11.3).
  let isSecond: Bool
  /// Known once it is ready.
  var interface: NetworkInterface?
  /// Ready; `mpc`: connected.
  var isUp = false
  var reader: FrameReader
  var timers: StreamTimers
  /// `mpc`: the platform did not take the invitation.
  var owesInvitation = false

  // The history
  /// As its first page says.
  var upTo: Int?
  /// The number with which the next page begins.
  var nextOfHistory = 1
  var isComplete = false

  // What does not come
  /// Since when nothing can pass; nil while it is viable.
  var deadSince: SimInstant?
  /// When the frame that has begun last grew; later by the time in which nothing could pass.
  var lastGrowth = SimInstant.zero

  init(id: ConnectionID, isSecond: Bool, reader: FrameReader) {
    self.id = id
    self.isSecond = isSecond
    self.reader = reader
    timers = StreamTimers(id)
  }
}
