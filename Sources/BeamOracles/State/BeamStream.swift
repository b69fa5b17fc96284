import AppSeam
import BeamScribe
import SimKernel

/// One end of a stream as the app of its device knows it.
final class BeamStream {
  let id: ConnectionID
  let owner: BeamDevice
  let interface: NetworkInterface
  let readyAt: SimInstant
  private(set) var isUp = true
  private(set) var endedAt: SimInstant?
  /// The owner itself finished or cancelled it.
  var wasEndedByOwner = false
  var isViable = true
  /// The owner reads what comes.
  var isRead = true
  /// The end at the other device, once both have been seen.
  weak var partner: BeamStream?
  /// The device at the other end; nil: none of the run, or not known yet.
  weak var peer: BeamDevice?

  // What the owner sent, and the platform took.

  /// Octets that were handed to the platform and are not answered yet.
  var pending: [[UInt8]] = []
  var sent: SentFrames
  /// The frames that the newest answer of the platform completed.
  var newest: [Frame] = []
  /// Its first history is complete at this instant; nil: not yet.
  var openSince: SimInstant?

  init(_ id: ConnectionID, owner: BeamDevice, _ interface: NetworkInterface, at instant: SimInstant) {
    self.id = id
    self.owner = owner
    self.interface = interface
    readyAt = instant
    sent = SentFrames(owner.format)
  }

  func end(at instant: SimInstant) {
    guard isUp else { return }
    isUp = false
    endedAt = instant
  }
}

/// The frames of what one end of a stream has sent, and the first thing that is wrong with them.
struct SentFrames {
  private var reader: FrameReader
  private(set) var problem: String?
  private(set) var octets = 0

  init(_ format: Frame.Format) { reader = FrameReader(format, limit: .max) }

  /// Whether a frame has begun and is not complete.
  var isWithinFrame: Bool { reader.isWithinFrame }

  /// Takes octets that were sent.
  /// - Returns: the frames that they complete.
  mutating func take(_ piece: [UInt8]) -> [Frame] {
    octets += piece.count
    if problem != nil { return [] }
    var rest = piece[...]
    var frames: [Frame] = []
    do {
      while let frame = try reader.next(&rest) { frames.append(frame) }
    } catch {
      switch error {
      case .empty: problem = "a frame of no octets"
      case .tooLong(let length): problem = "a length of \(length)"
      case .unknownKind(let kind): problem = "a frame of the unknown kind \(kind)"
      }
    }
    return frames
  }
}
