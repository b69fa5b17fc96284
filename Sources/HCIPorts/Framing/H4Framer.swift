/// Cuts a stream of octets into whole H4 packets, however it was cut on its way.
///
/// Total: any octets may come, in any pieces. At most one packet of `limit` octets is kept. What cannot be a packet (an
/// indicator that the sender may not use, a length beyond the limit) is loss of step: it is told once, and from there
/// on the stream is searched for what puts both sides in step again. A half packet waits as long as it takes.
///
/// Spec: Core v5.4, Vol 4, Part A, 2 (packet indicators) and 4 (error recovery); Part E, 5.4 (headers).
public struct H4Framer: Sendable {
  public enum Sender: Hashable, Sendable {
    /// Sends commands (01), ACL data (02), synchronous data (03) and ISO data (05). In step again at HCI_Reset.
    case host
    /// Sends events (04), ACL data, synchronous data and ISO data. In step again after the Command Complete event of
    /// HCI_Reset.
    case controller
    /// A program for the air (ADR 0044): `41 | code: 1 | length: 2`. Never in step again.
    case linkLayer
  }

  public enum Piece: Hashable, Sendable {
    /// A whole packet, indicator included.
    case packet([UInt8])
    /// Loss of step: the octets that cannot begin a packet (the indicator, or indicator and header).
    case outOfStep([UInt8])
    /// In step again, after this many octets that were no packet, those of `outOfStep` included. From a host the
    /// HCI_Reset follows as a packet; the Command Complete event of a controller does not.
    case inStep(skipped: Int)
  }

  private let sender: Sender
  private let limit: Int
  /// The beginning of a packet; out of step, the last octets in which the sign is looked for.
  private var partial: [UInt8] = []
  private var isInStep = true
  private var skipped = 0

  /// - Parameter limit: the longest packet that is taken, indicator included.
  public init(sender: Sender, limit: Int = 5 + 0xFFFF) {
    self.sender = sender
    self.limit = limit
  }

  /// Octets that are no packet yet: of a half one, or out of step all that were skipped so far.
  public var waiting: Int { isInStep ? partial.count : skipped }

  /// Takes the next octets of the stream and hands out what they complete, in order.
  public mutating func feed(_ octets: UnsafeRawBufferPointer, _ body: (Piece) -> Void) {
    var rest = octets[...]
    while !rest.isEmpty {
      if isInStep { takeInStep(&rest, body) } else { search(&rest, body) }
    }
  }

  /// As above, for octets that are an array already.
  public mutating func feed(_ octets: [UInt8], _ body: (Piece) -> Void) {
    octets.withUnsafeBytes { feed($0, body) }
  }

  private mutating func takeInStep(_ rest: inout Slice<UnsafeRawBufferPointer>, _ body: (Piece) -> Void) {
    if partial.isEmpty {
      switch H4Framer.length(of: rest, sender: sender, limit: limit) {
      case .whole(let length) where rest.count >= length:
        body(.packet([UInt8](rest.prefix(length))))
        rest = rest.dropFirst(length)
      case .impossible(let length):
        lose(Array(rest.prefix(length)), body)
        rest = rest.dropFirst(length)
      case .whole, .unknown:
        partial.append(contentsOf: rest)
        assert(partial.count < max(limit, 5), "at most one packet is kept")
        rest = rest.dropFirst(rest.count)
      }
      return
    }
    switch H4Framer.length(of: partial[...], sender: sender, limit: limit) {
    case .whole(let length):
      let missing = rest.prefix(length - partial.count)
      partial.append(contentsOf: missing)
      rest = rest.dropFirst(missing.count)
      if partial.count == length {
        body(.packet(partial))
        partial.removeAll(keepingCapacity: true)
      }
    case .unknown:
      // One octet of the header at a time, so that nothing after it is taken before its length is known.
      partial.append(rest.first!)
      rest = rest.dropFirst()
      switch H4Framer.length(of: partial[...], sender: sender, limit: limit) {
      case .impossible: lose(partial, body)
      case .whole(partial.count):
        body(.packet(partial))
        partial.removeAll(keepingCapacity: true)
      case .whole, .unknown: break
      }
    case .impossible: preconditionFailure("an impossible beginning is never kept")
    }
  }

  private mutating func lose(_ octets: [UInt8], _ body: (Piece) -> Void) {
    isInStep = false
    skipped = 1
    partial.removeAll(keepingCapacity: true)
    body(.outOfStep(octets))
    // The sign may begin within a header that was none.
    feed(Array(octets.dropFirst()), body)
  }

  /// Goes on octet by octet until the last ones are the sign; `partial` keeps at most as many as the sign has.
  private mutating func search(_ rest: inout Slice<UnsafeRawBufferPointer>, _ body: (Piece) -> Void) {
    if sender == .linkLayer {
      skipped += rest.count
      rest = rest.dropFirst(rest.count)
      return
    }
    let sign = sender == .host ? H4Framer.reset : H4Framer.resetComplete
    while let octet = rest.popFirst() {
      skipped += 1
      if partial.count == sign.count { partial.removeFirst() }
      partial.append(octet)
      guard partial.count == sign.count, zip(partial, sign).allSatisfy({ $1 == nil || $0 == $1 }) else { continue }
      isInStep = true
      let packet = partial
      partial.removeAll(keepingCapacity: true)
      body(.inStep(skipped: skipped - packet.count))
      skipped = 0
      if sender == .host { body(.packet(packet)) }
      return
    }
  }

  /// HCI_Reset as a packet.
  private static let reset: [UInt8?] = [0x01, 0x03, 0x0C, 0x00]
  /// Its Command Complete event, with any number of allowed commands and any status.
  private static let resetComplete: [UInt8?] = [0x04, 0x0E, 0x04, nil, 0x03, 0x0C, nil]

  enum Length {
    /// So many octets, indicator included.
    case whole(Int)
    /// The header is not there yet.
    case unknown
    /// No packet begins so; so many octets say it.
    case impossible(Int)
  }

  static func length<C: RandomAccessCollection<UInt8>>(of head: C, sender: Sender, limit: Int) -> Length
  where C.Index == Int {
    guard let indicator = head.first else { return .unknown }
    let base = head.startIndex
    let header: Int
    switch (indicator, sender) {
    case (0x41, .linkLayer): header = 4
    case (_, .linkLayer): return .impossible(1)
    case (0x01, .host), (0x03, _): header = 4
    case (0x04, .controller): header = 3
    case (0x02, _), (0x05, _): header = 5
    default: return .impossible(1)
    }
    guard head.count >= header else { return .unknown }
    let length =
      switch indicator {
      case 0x01, 0x03: Int(head[base + 3])
      case 0x04: Int(head[base + 2])
      case 0x41: Int(head[base + 2]) | Int(head[base + 3]) << 8
      case 0x02: Int(head[base + 3]) | Int(head[base + 4]) << 8
      // The two highest bits are reserved for future use.
      default: Int(head[base + 3]) | Int(head[base + 4] & 0x3F) << 8
      }
    return header + length <= limit ? .whole(header + length) : .impossible(header)
  }
}
