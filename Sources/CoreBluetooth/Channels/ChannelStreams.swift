/// The incoming half of a channel: octets wait in memory until the app reads them.
///
/// Events come to the stream's delegate when octets arrive; run loops are not used.
final class ChannelInputStream: InputStream {
  private var waiting: [UInt8] = []
  private var isEnded = false
  private var status = Stream.Status.notOpen
  private weak var listener: (any StreamDelegate)?

  init() { super.init(data: Data()) }

  override var delegate: (any StreamDelegate)? {
    get { listener }
    set { listener = newValue }
  }
  override var streamStatus: Stream.Status { status }
  override var streamError: (any Error)? { nil }
  override var hasBytesAvailable: Bool { !waiting.isEmpty }

  override func open() {
    status = .open
    listener?.stream(self, handle: .openCompleted)
    if !waiting.isEmpty { listener?.stream(self, handle: .hasBytesAvailable) }
  }

  override func close() { status = .closed }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
    let count = min(len, waiting.count)
    for index in 0..<count { buffer[index] = waiting[index] }
    waiting.removeFirst(count)
    return count
  }

  override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {}
  override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {}

  func received(_ octets: [UInt8]) {
    waiting += octets
    if status == .open { listener?.stream(self, handle: .hasBytesAvailable) }
  }

  func ended() {
    isEnded = true
    if status == .open {
      status = .atEnd
      listener?.stream(self, handle: .endEncountered)
    }
  }
}

/// The outgoing half of a channel: what is written is sent at once, as long as not too much is under way.
final class ChannelOutputStream: OutputStream {
  /// Octets that may be under way (*Decision*: phones do not say).
  static let capacity = 65_536

  private let send: ([UInt8]) -> Void
  private var underWay = 0
  /// The app was told that there is no space, or has filled it.
  private var owesSpace = false
  private var status = Stream.Status.notOpen
  private weak var listener: (any StreamDelegate)?

  init(send: @escaping ([UInt8]) -> Void) {
    self.send = send
    super.init(toMemory: ())
  }

  required init(toMemory: ()) {
    send = { _ in }
    super.init(toMemory: ())
  }

  override var delegate: (any StreamDelegate)? {
    get { listener }
    set { listener = newValue }
  }
  override var streamStatus: Stream.Status { status }
  override var streamError: (any Error)? { nil }
  override var hasSpaceAvailable: Bool { status == .open && underWay < Self.capacity }

  override func open() {
    status = .open
    listener?.stream(self, handle: .openCompleted)
    listener?.stream(self, handle: .hasSpaceAvailable)
  }

  override func close() { status = .closed }

  override func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int {
    guard status == .open else { return -1 }
    let count = min(len, Self.capacity - underWay)
    underWay += count
    owesSpace = underWay >= Self.capacity
    if count > 0 { send(Array(UnsafeBufferPointer(start: buffer, count: count))) }
    return count
  }

  /// So many octets have gone.
  func sent(_ count: Int) {
    underWay = max(0, underWay - count)
    guard owesSpace, underWay < Self.capacity else { return }
    owesSpace = false
    if status == .open { listener?.stream(self, handle: .hasSpaceAvailable) }
  }

  override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {}
  override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {}

  func ended() {
    if status == .open {
      status = .atEnd
      listener?.stream(self, handle: .endEncountered)
    }
  }
}
