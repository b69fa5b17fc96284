/// Why a PDU did not arrive at its addressee.
public enum PDULoss: Hashable, Sendable {
  /// Its radio is off, or it has left the link.
  case receiverGone
  /// It did something else at that time, for example on another link.
  case notListening
  /// It listened at another time: since the last anchor that it heard, the two clocks have drifted apart by more than
  /// they claim, in parts per million.
  case outsideWindow(drift: Int, claimed: Int)
  /// It sent at the same time.
  case ownTransmission
  /// The level was below its sensitivity.
  case level
  /// Another device (dense index) sent on the channel, and was the strongest of what disturbed.
  case collision(with: Int)
  /// The interferer of this name was on, and was the strongest of what disturbed.
  case interferer(String)
  case noise
  /// A burst of the room's two-state model.
  case burst
  /// Noise that covers the link because somebody has ordered it.
  case covered
  /// A probability that the room gives: packet loss, bit errors, loss on a channel.
  case chance
  /// It has more octets than the addressee can take.
  case tooLong
}
