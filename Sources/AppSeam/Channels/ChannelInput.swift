/// What an app is told about its channels.
public enum ChannelInput: Hashable, Sendable {
  /// Answer to `publish`; refused: the PSM says nothing.
  case published(psm: UInt16, isRefused: Bool)
  /// Answer to `unpublish`.
  case unpublished(psm: UInt16)
  /// Answer to `open`, nil: refused; or a channel that the peer opened on a PSM of this app.
  case opened(LinkID, psm: UInt16, ChannelID?)
  /// Octets of the stream, in order.
  case received(ChannelID, octets: [UInt8])
  /// So many octets of `send` have gone to the stack, in order; the app may have more of them under way.
  case sent(ChannelID, count: Int)
  /// The last input about a channel: either end closed it, or its link ended.
  case closed(ChannelID)
}

extension ChannelInput: AppStatement {
  public static let words: [ChannelInput] = [
    .published(psm: 0, isRefused: false), .unpublished(psm: 0), .opened(LinkID(0), psm: 0, nil),
    .received(ChannelID(0), octets: []), .sent(ChannelID(0), count: 0), .closed(ChannelID(0)),
  ]

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .published(var psm, var isRefused):
      try visitor.word("l2cap.published")
      try visitor.field("psm", &psm)
      try visitor.field("refused", &isRefused)
      self = .published(psm: psm, isRefused: isRefused)
    case .unpublished(var psm):
      try visitor.word("l2cap.unpublished")
      try visitor.field("psm", &psm)
      self = .unpublished(psm: psm)
    case .opened(var link, var psm, let channel):
      // A refusal is the channel −1.
      var number = channel?.rawValue ?? -1
      try visitor.word("l2cap.opened")
      try visitor.field("link", &link)
      try visitor.field("psm", &psm)
      try visitor.field("channel", &number)
      self = .opened(link, psm: psm, number < 0 ? nil : ChannelID(number))
    case .received(var channel, var octets):
      try visitor.word("l2cap.received")
      try visitor.field("channel", &channel.rawValue)
      try visitor.field("octets", &octets)
      self = .received(channel, octets: octets)
    case .sent(var channel, var count):
      try visitor.word("l2cap.sent")
      try visitor.field("channel", &channel.rawValue)
      try visitor.field("count", &count)
      self = .sent(channel, count: count)
    case .closed(var channel):
      try visitor.word("l2cap.closed")
      try visitor.field("channel", &channel.rawValue)
      self = .closed(channel)
    }
  }
}
