import AppSeam
import BeamScribe
import SimKernel

/// One end of a stream as the app of its device knows it.
final class BeamStream {
  let id: ConnectionID
  unowned(unsafe) let owner: BeamDevice
  let interface: NetworkInterface
  let readyAt: SimInstant
  private(set) var isUp = true
  private(set) var endedAt: SimInstant?
  /// The owner itself finished or cancelled it.
  var wasEndedByOwner = false
  private(set) var isViable = true
  /// Since when it has been viable, or up.
  private(set) var viableSince: SimInstant
  /// The owner reads what comes.
  var isRead = true
  /// The end at the other device, once both have been seen; given up when its device forgets it (`leave`). No weak
  /// reference: every count of references to what has one takes the slow path.
  var partner: BeamStream?
  /// The device at the other end; nil: none of the run, or not known yet.
  /// Unsafe because the run's state owns all devices, and whoever has a stream has the state.
  unowned(unsafe) var peer: BeamDevice?

  // What the owner sends.

  /// Octets that were handed to the platform and are not answered yet.
  var pending: [[UInt8]] = []
  /// The platform had no room for the newest of them, and has not said that there is some again.
  var isFull = false
  /// What the platform took.
  var sent: SentFrames
  var order = SentOrder()
  /// The bodies of messages that the newest answer of the platform completed.
  var newest: [[UInt8]] = []
  /// What is wrong with the order of their packets.
  var problems: [SentOrder.Problem] = []
  /// When something was first handed over, whether the stream was viable then, and how many finals there were.
  var opening: (at: SimInstant, isViable: Bool, finals: Int)?
  /// Its first history is complete at this instant; nil: not yet.
  var openSince: SimInstant?
  /// Something was found wrong with it that would be found again and again.
  var isAccused = false
  /// Whether `readyAt` is when it became ready; otherwise it is when a capture begins to show it.
  let isFromStart: Bool

  /// What the owner has been told on it.
  var received: SentFrames
  /// How many octets the platform took from the owner, and how many came to the owner.
  var octetsTaken = 0
  private(set) var octetsReceived = 0
  private var receivedAt = SimInstant.zero
  /// Some of either are not known.
  private var hasUnknownOctets = false

  init(
    _ id: ConnectionID, owner: BeamDevice, _ interface: NetworkInterface, isFromStart: Bool, at instant: SimInstant
  ) {
    self.id = id
    self.isFromStart = isFromStart
    self.owner = owner
    self.interface = interface
    readyAt = instant
    viableSince = instant
    sent = SentFrames(owner.format, limit: Bounds.plausibleFrame)
    received = SentFrames(owner.format, limit: BeamLimits.body)
  }

  /// Octets that the owner sent are not known: the next ones begin a frame, and its packet says which number is next.
  func loseSent() {
    hasUnknownOctets = true
    pending = []
    newest = []
    problems = []
    sent = SentFrames(owner.format, limit: Bounds.plausibleFrame)
    order.lose()
  }

  /// Octets that the owner was told are not known: the next ones begin a frame.
  func loseReceived() {
    hasUnknownOctets = true
    received = SentFrames(owner.format, limit: BeamLimits.body)
  }

  /// Whether something that the owner had sent, or was refused, was still under way at an instant, so that no app could
  /// have shown it.
  /// - Parameter instant: the present one, or one since which nothing has happened but the newest record.
  func isUnderWay(at instant: SimInstant) -> Bool {
    guard let partner, !hasUnknownOctets, !partner.hasUnknownOctets else { return false }
    return !pending.isEmpty || isFull || octetsTaken > partner.octetsReceived || partner.receivedAt > instant
  }

  func receive(_ count: Int, at instant: SimInstant) {
    octetsReceived += count
    receivedAt = instant
  }

  /// Its device forgets it: neither end knows the other any more.
  func leave() {
    partner?.partner = nil
    partner = nil
  }

  func end(at instant: SimInstant) {
    guard isUp else { return }
    isUp = false
    endedAt = instant
  }

  func setViable(_ isViable: Bool, at instant: SimInstant) {
    if isViable, !self.isViable { viableSince = instant }
    self.isViable = isViable
  }

  /// Both ends are up and viable, and have been for so long.
  func hasCarried(for time: SimDuration, at now: SimInstant) -> Bool {
    guard isUp, isViable, now - viableSince >= time, let partner, partner.isUp, partner.isViable else { return false }
    return now - partner.viableSince >= time
  }
}

/// The messages of what one end of a stream has sent or received, and the first thing that is wrong with them.
struct SentFrames {
  private var reader: FrameReader
  private(set) var problem: String?
  private(set) var octets = 0

  /// Whether a frame has begun and is not complete.
  var isWithinFrame: Bool { reader.isWithinFrame }
  /// What the header of the frame that has begun says.
  var promisedLength: Int? { reader.length }

  /// Nothing is read from now on.
  mutating func stop(_ problem: String) { self.problem = problem }

  init(_ format: Frame.Format, limit: Int) { reader = FrameReader(format, limit: limit) }

  /// Takes octets; nothing is read after a problem.
  /// - Returns: the bodies of the messages that they complete.
  mutating func take(_ piece: [UInt8], _ memory: PieceMemory) -> [[UInt8]] {
    octets += piece.count
    if problem != nil { return [] }
    let isAtBorder = !reader.isWithinFrame
    if isAtBorder, let bodies = memory.bodies(of: piece, reader.format, limit: reader.limit) { return bodies }
    var rest = piece[...]
    var bodies: [[UInt8]] = []
    do throws(FrameRefusal) {
      while let frame = try reader.next(&rest) { if case .message = frame.kind { bodies.append(frame.body) } }
    } catch {
      switch error {
      case .empty: problem = "a frame of no octets"
      case .tooLong(let length): problem = "a frame's length of \(length)"
      case .unknownKind(let kind): problem = "a frame of the unknown kind \(kind)"
      }
    }
    if isAtBorder, problem == nil, !reader.isWithinFrame { memory.keep(piece, reader.format, bodies) }
    return bodies
  }
}

/// The order of what was sent on a stream: the history, and then numbers one by one (BEAM 5.6.1, 5.6.3).
struct SentOrder {
  struct Problem {
    var clause: String
    var expected: String
    var actual: String
  }

  /// The newest final.
  private(set) var number = 0
  /// What the history says that it reaches; nil: there is none yet.
  private(set) var upTo: Int?
  private(set) var problems: [Problem] = []
  /// What came before the next packet is not known.
  private var isLost = false

  var isComplete: Bool { upTo.map { $0 <= number } ?? false }

  /// Takes the next packet; its problems are those of this packet.
  mutating func take(_ packet: BeamPacket) {
    if !problems.isEmpty { problems = [] }
    if isLost { return find(packet) }
    switch packet {
    case .fullHistory(let history): take(history)
    case .liveChunk(let chunk):
      if !isComplete {
        find("BEAM 5.6.1", "the history first", "a live chunk with number \(chunk.sequence)")
      } else if chunk.sequence != number + 1 {
        find(
          chunk.isFinal ? "BEAM 5.6.3" : "BEAM 5.5.2", "a chunk with number \(number + 1)", "number \(chunk.sequence)")
      }
      if chunk.isFinal { number = chunk.sequence }
    case .alert: if !isComplete { find("BEAM 5.6.1", "the history first", "an alert") }
    }
  }

  mutating func lose() {
    isLost = true
    problems = []
  }

  /// The first packet after what is not known is believed.
  private mutating func find(_ packet: BeamPacket) {
    switch packet {
    case .fullHistory(let history):
      number = history.chunks.last?.sequence ?? history.upToSequence
      upTo = history.upToSequence
    case .liveChunk(let chunk):
      number = chunk.isFinal ? chunk.sequence : chunk.sequence - 1
      upTo = min(upTo ?? number, number)
    case .alert: return
    }
    isLost = false
  }

  private mutating func take(_ history: BeamPacket.History) {
    if isComplete { return find("BEAM 5.6.11", "one history on a stream", "another one") }
    if let upTo, upTo != history.upToSequence {
      find("BEAM 5.6.2", "a page of the history up to \(upTo)", "one of a history up to \(history.upToSequence)")
    }
    for chunk in history.chunks {
      if chunk.sequence != number + 1 {
        find("BEAM 5.6.2", "chunk \(number + 1) of the history", "chunk \(chunk.sequence)")
      }
      number = chunk.sequence
    }
    upTo = history.upToSequence
  }

  private mutating func find(_ clause: String, _ expected: String, _ actual: String) {
    problems.append(Problem(clause: clause, expected: expected, actual: actual))
  }
}
