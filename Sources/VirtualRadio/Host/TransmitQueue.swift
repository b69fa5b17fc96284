import BluetoothWire

/// L2CAP frames of one link that wait for controller buffers, first in, first out.
struct TransmitQueue {
  enum Kind {
    /// A notification or write command: counted against the configured depth.
    case value
    /// The answer to a request; a client has one at most.
    case response
    /// A K-frame of a credit based channel; its channels hold back what is too much.
    case channel
    case other
  }

  private struct Entry {
    var octets: [UInt8]
    var kind: Kind
  }

  /// Frames other than values and K-frames that may wait; a well-behaved peer never causes so many.
  static let otherLimit = 16

  private var entries: [Entry] = []
  private var head = 0
  /// Octets of the first frame that were handed to the controller already.
  private var sent = 0
  private(set) var values = 0
  private(set) var responses = 0
  private(set) var channelFrames = 0
  private(set) var others = 0

  var isEmpty: Bool { head == entries.count }

  /// There are frames, and all are K-frames.
  var hasChannelFramesOnly: Bool { channelFrames > 0 && channelFrames == entries.count - head }

  mutating func append(_ octets: [UInt8], _ kind: Kind) {
    entries.append(Entry(octets: octets, kind: kind))
    count(kind, 1)
    assert(isCounted, "each frame that waits is counted once")
  }

  private var isCounted: Bool { values + responses + channelFrames + others == entries.count - head }

  private mutating func count(_ kind: Kind, _ change: Int) {
    switch kind {
    case .value: values += change
    case .response: responses += change
    case .channel: channelFrames += change
    case .other: others += change
    }
  }

  /// Takes the next packet of at most `limit` octets.
  /// - Precondition: the queue is not empty.
  mutating func takeFragment(_ limit: Int) -> (octets: [UInt8], boundary: HCI.ACLData.Boundary) {
    let frame = entries[head].octets
    let boundary: HCI.ACLData.Boundary = sent == 0 ? .firstNonFlushable : .continuing
    if sent == 0, frame.count <= limit {
      finishFirst()
      return (frame, boundary)
    }
    let end = min(sent + limit, frame.count)
    let fragment = Array(frame[sent..<end])
    if end == frame.count { finishFirst() } else { sent = end }
    return (fragment, boundary)
  }

  private mutating func finishFirst() {
    count(entries[head].kind, -1)
    entries[head].octets = []
    head += 1
    sent = 0
    // Shifting is paid for by the frames that went since the last time.
    if head == entries.count {
      entries.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 64, head * 2 >= entries.count {
      entries.removeSubrange(..<head)
      head = 0
    }
    assert(isCounted, "each frame that waits is counted once")
  }
}

/// The controller's ACL buffers, shared by all links (Vol 4, Part E, 4.1.1).
struct CreditPool {
  /// LE_ACL_Data_Packet_Length, octets.
  var packetLength = 27
  /// All buffers, and those that are free.
  var packets = 0
  var free = 0
  /// Links of which the controller holds nothing; each of them has one buffer kept for it, so that a link whose peer is
  /// silent cannot starve the others.
  var idleLinks = 0

  init() {}

  init(packetLength: Int, packets: Int) {
    self.packetLength = packetLength
    self.packets = packets
    free = packets
  }

  /// Packets that a link may hand down now.
  func available(outstanding: Int) -> Int {
    outstanding == 0 ? max(min(free, 1), free - (idleLinks - 1)) : max(0, free - idleLinks)
  }
}
