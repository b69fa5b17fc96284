import AppSeam
import SimKernel

/// One stream of a host, from its coming in to its end.
final class HostStream {
  enum Phase {
    /// `mpc`: nobody has asked yet.
    case uninvited
    /// `mpc`: accepted, and not yet connected.
    case invited
    /// Up, and nothing may be sent.
    case gated
    case open
    /// The event is over, or the invitation declined; what waits still goes out.
    case ending
    /// There is nothing more to send.
    case finished
  }

  /// The finals that there were when the gate opened. The event may be over, and another one begun, before all of them
  /// are sent.
  struct OwedHistory {
    var finals: [String]
    /// The number with which the next page begins.
    var next = 1
  }

  /// What the platform has to say before more can be sent.
  enum Waiting { case nothing, answer, room }

  /// A packet on its way to the platform.
  struct Outgoing {
    var octets: [UInt8]
    /// Nil for what is no packet.
    var type: BeamPacket.Kind?
    var since: SimInstant
    var taken = 0
    /// Octets of the send that has not been answered.
    var offered = 0
  }

  /// Something that waits until it was taken.
  struct Entry {
    enum Content {
      case chunk(OutgoingChunk)
      case alert(BeamAlert)
      case control(Frame.Kind)
    }

    var content: Content
    var since: SimInstant
    /// Octets of its frame.
    var octets: Int
  }

  let id: ConnectionID
  let interface: NetworkInterface
  let peer: String
  let start: SimInstant
  var phase: Phase
  /// Whether it became ready; `mpc`: connected.
  var isUp = false
  var isViable = true
  /// Its time has come while it was not viable.
  var isGateDue = false
  var timers: StreamTimers
  /// `mpc` only: what asks for a seat.
  var reader = FrameReader(.kindAndLength)

  // What goes out
  var waiting = Waiting.nothing
  var current: Outgoing?
  private var queue: [Entry] = []
  /// The entry that goes out next.
  private var head = 0
  private var queuedOctets = 0
  /// Nil once its last page has been begun.
  var history: OwedHistory?
  var historyTaken = SimInstant.zero

  init(id: ConnectionID, interface: NetworkInterface, peer: String, phase: Phase, now: SimInstant) {
    self.id = id
    self.interface = interface
    self.peer = peer
    self.phase = phase
    start = now
    timers = StreamTimers(id)
  }

  /// Whether its guest is one of those that there may be.
  var takesSeat: Bool { isUp || phase == .invited }

  /// Octets that the platform has not taken.
  var waitingOctets: Int { queuedOctets + (current.map { $0.octets.count - $0.taken } ?? 0) }

  func enqueue(_ content: Entry.Content, octets: Int, now: SimInstant) {
    queue.append(Entry(content: content, since: now, octets: octets))
    queuedOctets += octets
  }

  /// A partial that waits is not sent any more: a newer text of its number follows (BEAM 5.5.4).
  func dropWaitingPartial() {
    if head == queue.count { return }
    let place = queue[head...].lastIndex { entry in
      if case .chunk(let chunk) = entry.content { return !chunk.isFinal }
      return false
    }
    if let place { queuedOctets -= queue.remove(at: place).octets }
  }

  /// Whether what goes out next is no packet, and so goes before the history.
  var hasControlFirst: Bool {
    if head < queue.count, case .control = queue[head].content { return true }
    return false
  }

  func dequeue() -> Entry? {
    guard head < queue.count else { return nil }
    let entry = queue[head]
    head += 1
    queuedOctets -= entry.octets
    if head == queue.count {
      queue.removeAll(keepingCapacity: true)
      head = 0
    } else if head * 2 > queue.count {
      queue.removeFirst(head)
      head = 0
    }
    assert(queuedOctets >= 0 && (head < queue.count || queuedOctets == 0), "octets that wait are those of entries")
    return entry
  }
}

/// A live chunk on its way to all open streams. It says when the first of them was handed it, and the others get the
/// same octets (BEAM 9.1).
final class OutgoingChunk {
  let isFinal: Bool
  let sequence: Int
  let text: String
  private var frame: (octets: [UInt8], sentMilliseconds: Int64?)?
  private var isHandedOver = false

  init(isFinal: Bool, sequence: Int, text: String) {
    self.isFinal = isFinal
    self.sequence = sequence
    self.text = text
  }

  /// Its frame if it is handed over now, unless it has been before.
  func frame(_ format: Frame.Format, sentMilliseconds: Int64?, handsOver: Bool) -> [UInt8] {
    defer { isHandedOver = isHandedOver || handsOver }
    if let frame, isHandedOver || frame.sentMilliseconds == sentMilliseconds { return frame.octets }
    let packet = BeamPacket.LiveChunk(
      isFinal: isFinal, sentMilliseconds: sentMilliseconds, sequence: sequence, text: text)
    let octets = Frame(body: BeamPacket.liveChunk(packet).encoded()).encoded(format)
    frame = (octets, sentMilliseconds)
    return octets
  }
}
