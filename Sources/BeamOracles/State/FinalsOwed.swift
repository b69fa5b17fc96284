import AppSeam
import BeamScribe
import Bench
import Conformance
import Judging
import SimKernel

/// Finals that hosts have spoken and that guests with an open stream do not show yet.
///
/// A guest owes nothing while it does not read, its stream is not viable, or the bench does something to it or its
/// host.
struct FinalsOwed {
  struct Duty {
    /// Unsafe because the run's state owns all devices.
    unowned(unsafe) var guest: BeamDevice
    var stream: BeamStream
    var sequence: Int
    var spoken: SimInstant
  }

  var due = Obligations<Duty>()

  /// The stream of this guest that carries the newest final of a host, if nothing keeps it from doing so.
  static func carries(_ end: BeamStream) -> BeamDevice? {
    guard end.isUp, end.openSince != nil, !end.wasEndedByOwner, let guest = end.peer, let other = end.partner,
      other.isUp, other.isRead, end.isViable, other.isViable
    else { return nil }
    return guest
  }

  /// Whether what a host's stream should have brought to a guest by now can be held against somebody.
  static func isOwed(_ end: BeamStream, to guest: BeamDevice, within time: SimDuration, at instant: SimInstant) -> Bool
  {
    carries(end) != nil && end.hasCarried(for: time, at: instant) && end.owner.isUndisturbed(at: instant)
      && guest.isUndisturbed(at: instant)
  }

  /// Takes out what is overdue and can be held against somebody. What is still under way at that time is due later.
  mutating func overdue(within time: SimDuration, at now: SimInstant) -> [(at: SimInstant, duty: Duty)] {
    due.overdue(at: now).filter { instant, duty in
      guard duty.stream.isUp, duty.stream.isUnderWay(at: instant) else {
        return Self.isOwed(duty.stream, to: duty.guest, within: time, at: instant)
      }
      due.add(duty, at: instant + time)
      return false
    }
  }

  mutating func isShown(by guest: BeamDevice) -> Int {
    let before = due.count
    if before == 0 { return 0 }
    due.remove { $0.guest === guest && $0.sequence <= guest.shown }
    return before - due.count
  }
}

extension OracleLedger {
  func fail(_ duty: FinalsOwed.Duty, at instant: SimInstant) {
    fail(
      at: instant, device: duty.guest.index, since: duty.spoken, unless: duty.guest.unsaid("finalShown"),
      expected: "final \(duty.sequence), spoken at \(duty.spoken) s, within \(Bounds.arrives) s",
      actual: duty.guest.shown == 0 ? "no final is shown" : "final \(duty.guest.shown) is the newest")
  }
}
