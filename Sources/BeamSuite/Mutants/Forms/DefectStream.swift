import AppSeam
import BeamScribe
import SimKernel

/// One stream as the layer of a mutant knows it, with what waits to go out on it.
final class DefectStream {
  /// Octets that wait for the platform.
  struct Item {
    var octets: [UInt8]
    /// Reported when they are taken; nil: nothing is.
    var type: String?
    var taken = 0
  }

  let id: ConnectionID
  /// A host: who is at the other end.
  let peer: String
  let interface: NetworkInterface
  let since: SimInstant
  var isViable = true
  /// A host: its gate has opened. A guest: its history is complete.
  var isOpen = false

  // What comes
  /// The octets of a frame that is not whole yet; only where bodies are read.
  var held: [UInt8] = []
  /// From here on octets go through as they come.
  var isBroken = false
  /// Finds the borders of frames, for defects that work on pieces.
  var reader: FrameReader

  // What goes out
  var sorter: FrameReader
  var queue: [Item] = []
  /// Octets of the send that the platform has not answered.
  var offered: Int?
  /// The platform had no room.
  var isFull = false
  /// Sends of the inner engine that are answered when all that waits was taken.
  var owedAnswers = 0
  /// There is nothing more to send once all that waits was taken.
  var finishes = false

  /// For defects that need a word of memory.
  var count = 0
  var isMarked = false

  init(_ id: ConnectionID, peer: String, _ interface: NetworkInterface, at instant: SimInstant, _ format: Frame.Format)
  {
    self.id = id
    self.peer = peer
    self.interface = interface
    since = instant
    reader = FrameReader(format, limit: .max)
    sorter = FrameReader(format, limit: .max)
  }

  /// Whether the platform has part of a frame.
  var isWithinFrame: Bool { queue.first.map { $0.taken > 0 } ?? false }
}
