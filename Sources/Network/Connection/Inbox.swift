/// What has come on a connection and was not given to the app: messages, of which the last one may still grow.
///
/// A stream without a framer is one message, complete at the FIN; a datagram is a message; a framer makes its own.
struct Inbox {
  struct Message {
    var octets = Data()
    var isComplete = false
    /// Nothing follows.
    var isFinal = false
    var metadata: [NWProtocolMetadata] = []
  }

  /// What one `receive` is given.
  struct Portion {
    var octets: Data
    var isComplete: Bool
    var isFinal: Bool
    var metadata: [NWProtocolMetadata]
  }

  private var messages: [Message] = []
  private(set) var count = 0
  /// The end was given to the app; nothing follows.
  private(set) var isOver = false

  /// Octets of the message that grows, or of a new one.
  mutating func append(_ octets: Data, metadata: [NWProtocolMetadata] = [], completes: Bool = false) {
    if messages.last.map({ $0.isComplete }) ?? true { messages.append(Message()) }
    let last = messages.count - 1
    messages[last].octets.append(octets)
    if !metadata.isEmpty { messages[last].metadata = metadata }
    if completes { messages[last].isComplete = true }
    count += octets.count
  }

  /// Nothing more comes.
  mutating func end() {
    if messages.last.map({ $0.isComplete }) ?? true { messages.append(Message()) }
    messages[messages.count - 1].isComplete = true
    messages[messages.count - 1].isFinal = true
  }

  /// The next portion of at least and at most so many octets; nil: it is not there yet.
  mutating func portion(_ minimum: Int, _ maximum: Int) -> Portion? {
    guard let first = messages.first else { return nil }
    guard first.isComplete || first.octets.count >= max(1, minimum) else { return nil }
    let size = min(first.octets.count, maximum)
    return take(size, completes: first.isComplete && size == first.octets.count)
  }

  /// The next whole message; nil: it is not there yet.
  mutating func message() -> Portion? {
    guard let first = messages.first, first.isComplete else { return nil }
    return take(first.octets.count, completes: true)
  }

  private mutating func take(_ size: Int, completes: Bool) -> Portion {
    let first = messages[0]
    let portion = Portion(
      octets: Data(first.octets.prefix(size)), isComplete: completes, isFinal: first.isFinal, metadata: first.metadata)
    count -= size
    if completes {
      messages.removeFirst()
      isOver = first.isFinal
    } else {
      messages[0].octets = Data(first.octets.dropFirst(size))
    }
    return portion
  }
}
