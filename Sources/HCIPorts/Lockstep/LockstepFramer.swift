/// Cuts the stream of a host in lockstep into H4 packets and messages about time, however it was cut on its way.
///
/// Total: any octets may come, in any pieces. At most one packet of `limit` octets is kept. Octets that are neither a
/// packet nor a message of a host are refused once, and nothing after them is read: a socket loses no octets, so there
/// is no step to find again.
public struct LockstepFramer: Sendable {
  public enum Piece: Hashable, Sendable {
    /// A whole H4 packet, indicator included.
    case packet([UInt8])
    /// A message of a host.
    case message(LockstepMessage)
    /// Octets that begin neither. The last piece of the stream.
    case refused([UInt8])
  }

  private let limit: Int
  private var partial: [UInt8] = []
  private var isRefused = false

  /// - Parameter limit: the longest packet that is taken, indicator included.
  public init(limit: Int = 5 + 0xFFFF) { self.limit = limit }

  /// Octets of a packet or message that is not whole yet.
  public var waiting: Int { partial.count }

  /// Takes the next octets of the stream and hands out what they complete, in order.
  public mutating func feed(_ octets: [UInt8], _ body: (Piece) -> Void) {
    var rest = octets[...]
    while !rest.isEmpty, !isRefused {
      // Up to the end of the header first, so that nothing after it is taken before its length is known.
      let wanted = LockstepFramer.length(of: partial, limit: limit)
      let taken = rest.prefix(max(wanted - partial.count, 1))
      partial.append(contentsOf: taken)
      rest = rest.dropFirst(taken.count)
      complete(body)
    }
  }

  private mutating func complete(_ body: (Piece) -> Void) {
    switch LockstepFramer.state(of: partial, limit: limit) {
    case .open: return
    case .refused:
      isRefused = true
      body(.refused(partial))
    case .whole:
      if partial[0] != LockstepMessage.indicator {
        body(.packet(partial))
      } else if let message = LockstepMessage.ofHost(code: partial[1], partial[3...]) {
        body(.message(message))
      } else {
        isRefused = true
        body(.refused(partial))
      }
    }
    partial.removeAll(keepingCapacity: true)
  }

  private enum State { case open, whole, refused }

  private static func state(of head: [UInt8], limit: Int) -> State {
    guard let header = headerLength(of: head) else { return .refused }
    guard head.count >= header else { return .open }
    let length = length(of: head, limit: limit)
    return length > limit ? .refused : head.count == length ? .whole : .open
  }

  /// How many octets must be there before more can be said: the header's, or the whole.
  private static func length(of head: [UInt8], limit: Int) -> Int {
    guard !head.isEmpty, let header = headerLength(of: head) else { return 1 }
    guard head.count >= header else { return header }
    switch head[0] {
    case LockstepMessage.indicator: return header + Int(head[2])
    case 0x01, 0x03: return header + Int(head[3])
    case 0x02: return header + (Int(head[3]) | Int(head[4]) << 8)
    default: return header + (Int(head[3]) | Int(head[4] & 0x3F) << 8)
    }
  }

  private static func headerLength(of head: [UInt8]) -> Int? {
    switch head.first {
    case LockstepMessage.indicator: 3
    case 0x01, 0x03: 4
    case 0x02, 0x05: 5
    default: nil
    }
  }
}
