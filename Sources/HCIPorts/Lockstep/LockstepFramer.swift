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

  private let sender: H4Framer.Sender
  private let limit: Int
  private var partial: [UInt8] = []
  private var isRefused = false

  /// - Parameters:
  ///   - sender: whose packets come.
  ///   - limit: the longest packet that is taken, indicator included.
  public init(sender: H4Framer.Sender = .host, limit: Int = 5 + 0xFFFF) {
    self.sender = sender
    self.limit = limit
  }

  /// Octets of a packet or message that is not whole yet.
  public var waiting: Int { partial.count }

  /// Takes the next octets of the stream and hands out what they complete, in order.
  public mutating func feed(_ octets: [UInt8], _ body: (Piece) -> Void) {
    var rest = octets[...]
    while !rest.isEmpty, !isRefused {
      // One octet of a header at a time, so that nothing after it is taken before its length is known.
      var missing = 1
      if case .whole(let whole) = length { missing = whole - partial.count }
      partial.append(contentsOf: rest.prefix(missing))
      rest = rest.dropFirst(missing)
      switch length {
      case .whole(partial.count):
        complete(body)
        partial.removeAll(keepingCapacity: true)
      case .impossible: refuse(body)
      case .whole, .unknown: break
      }
    }
  }

  private mutating func complete(_ body: (Piece) -> Void) {
    if partial[0] != LockstepMessage.indicator { return body(.packet(partial)) }
    guard let message = LockstepMessage.ofHost(code: partial[1], partial[3...]) else { return refuse(body) }
    body(.message(message))
  }

  private mutating func refuse(_ body: (Piece) -> Void) {
    isRefused = true
    body(.refused(partial))
    partial.removeAll(keepingCapacity: true)
  }

  /// What the octets that are there say of the length of the whole.
  private var length: H4Framer.Length {
    guard partial.first == LockstepMessage.indicator else {
      return H4Framer.length(of: partial[...], sender: sender, limit: limit)
    }
    guard partial.count >= 3 else { return .unknown }
    let whole = 3 + Int(partial[2])
    return whole <= limit ? .whole(whole) : .impossible(3)
  }
}
