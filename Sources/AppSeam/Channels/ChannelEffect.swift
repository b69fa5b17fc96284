/// A channel of an app: the platform's number, never used twice.
public struct ChannelID: Hashable, Sendable {
  public var rawValue: Int
  public init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// What an app asks of LE credit-based channels (Core v5.4, Vol 3, Part A, 10.1), each a stream of octets each way.
public enum ChannelEffect: Hashable, Sendable {
  /// Listens on a PSM of the platform's choice; answered by `published`.
  case publish(isEncrypted: Bool)
  /// Listens no more; open channels stay. Answered by `unpublished`.
  case unpublish(psm: UInt16)
  /// Answered by `opened`.
  case open(LinkID, psm: UInt16)
  /// Octets of the stream; answered by `sent`.
  case send(ChannelID, octets: [UInt8])
  /// Both ends are told by `closed`.
  case close(ChannelID)
}

extension ChannelEffect: AppStatement {
  public static let words: [ChannelEffect] = [
    .publish(isEncrypted: false), .unpublish(psm: 0), .open(LinkID(0), psm: 0), .send(ChannelID(0), octets: []),
    .close(ChannelID(0)),
  ]

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .publish(var isEncrypted):
      try visitor.word("l2cap.publish")
      try visitor.field("encrypted", &isEncrypted)
      self = .publish(isEncrypted: isEncrypted)
    case .unpublish(var psm):
      try visitor.word("l2cap.unpublish")
      try visitor.field("psm", &psm)
      self = .unpublish(psm: psm)
    case .open(var link, var psm):
      try visitor.word("l2cap.open")
      try visitor.field("link", &link)
      try visitor.field("psm", &psm)
      self = .open(link, psm: psm)
    case .send(var channel, var octets):
      try visitor.word("l2cap.send")
      try visitor.field("channel", &channel.rawValue)
      try visitor.field("octets", &octets)
      self = .send(channel, octets: octets)
    case .close(var channel):
      try visitor.word("l2cap.close")
      try visitor.field("channel", &channel.rawValue)
      self = .close(channel)
    }
  }
}
