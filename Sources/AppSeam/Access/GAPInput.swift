public import BluetoothWire

/// What an app is told of Generic Access that asks in `GAPEffect`.
public enum GAPInput: Hashable, Sendable {
  /// As `AppInput.discovered`, with the octets that were heard.
  case heard(HeardAdvertiser)
  /// The same of an extended advertisement, to those that scan for it (`GAPEffect.scanExtended`): its primary and its
  /// secondary PHY, 1 LE 1M, 2 LE 2M, 3 LE Coded, and the number that its advertiser gives the set, 0 … 15.
  case heardExtended(HeardAdvertiser, primaryPHY: UInt8, secondaryPHY: UInt8, sid: UInt8)
  /// The answer to `GAPEffect.pair`: the link is encrypted, or why it is not, by the reason of a Pairing Failed PDU
  /// (Core v5.4, Vol 3, Part H, 3.5.5), 0x08 for any other cause.
  case paired(LinkID, error: UInt8?)
  /// The bond with a device is another one, whoever began it; to those who watch (`GAPEffect.watch`).
  case bond(BluetoothAddress, BondState)
  /// Another connection interval holds, in units of 1.25 ms, latency in events and supervision timeout in units of
  /// 10 ms; to those who watch.
  case parameters(LinkID, interval: UInt16, latency: UInt16, timeout: UInt16)
  /// The PHYs of a link: 1 LE 1M, 2 LE 2M, 3 LE Coded. The answer to `GAPEffect.preferPHY`, with an error of HCI when
  /// nothing has changed; to those who watch also when they have changed otherwise.
  case phy(LinkID, tx: UInt8, rx: UInt8, error: UInt8?)
  /// The answer to `GAPEffect.advertiseSet`: whether the set with a number is on the air.
  case setStarted(UInt8, Bool)
  /// A connection has ended the set with a number; `AppInput.connected` comes next. The app advertises again where it
  /// wants to, from the same address.
  case setEnded(UInt8)
}

/// How far a bond is.
public enum BondState: String, Hashable, Sendable, CaseIterable {
  case none
  /// Two devices are pairing.
  case pairing
  case bonded
}

extension GAPInput: AppStatement {
  public static let words: [GAPInput] = [
    .heard(
      HeardAdvertiser(
        Advertisement(address: BluetoothAddress(kind: .random, bits: 0), localName: nil, serviceUUIDs: [], rssi: 0))),
    .paired(LinkID(0), error: nil), .bond(BluetoothAddress(kind: .random, bits: 0), .none),
    .parameters(LinkID(0), interval: 0, latency: 0, timeout: 0), .phy(LinkID(0), tx: 0, rx: 0, error: nil),
    .setStarted(0, false), .setEnded(0),
    .heardExtended(
      HeardAdvertiser(
        Advertisement(address: BluetoothAddress(kind: .random, bits: 0), localName: nil, serviceUUIDs: [], rssi: 0)),
      primaryPHY: 1, secondaryPHY: 1, sid: 0),
  ]

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .heard(var heard):
      try visitor.word("gap.heard")
      try visit(&heard, &visitor)
      self = .heard(heard)
    case .heardExtended(var heard, var primary, var secondary, var sid):
      try visitor.word("gap.heardExtended")
      try visit(&heard, &visitor)
      try visitor.field("primaryPHY", &primary)
      try visitor.field("secondaryPHY", &secondary)
      try visitor.field("sid", &sid)
      self = .heardExtended(heard, primaryPHY: primary, secondaryPHY: secondary, sid: sid)
    case .paired(var link, var error):
      try visitor.word("gap.paired")
      try visitor.field("link", &link)
      try visitor.field("error", &error)
      self = .paired(link, error: error)
    case .bond(var address, var state):
      var text = state.rawValue
      try visitor.word("gap.bond")
      try visitor.peer(&address)
      try visitor.field("state", &text)
      state = BondState(rawValue: text) ?? .none
      self = .bond(address, state)
    case .parameters(var link, var interval, var latency, var timeout):
      try visitor.word("gap.parameters")
      try visitor.field("link", &link)
      try visitor.field("interval", &interval)
      try visitor.field("latency", &latency)
      try visitor.field("timeout", &timeout)
      self = .parameters(link, interval: interval, latency: latency, timeout: timeout)
    case .phy(var link, var tx, var rx, var error):
      try visitor.word("gap.phy")
      try visitor.field("link", &link)
      try visitor.field("tx", &tx)
      try visitor.field("rx", &rx)
      try visitor.field("error", &error)
      self = .phy(link, tx: tx, rx: rx, error: error)
    case .setStarted(var set, var isStarted):
      try visitor.word("gap.setStarted")
      try visitor.field("set", &set)
      try visitor.field("started", &isStarted)
      self = .setStarted(set, isStarted)
    case .setEnded(var set):
      try visitor.word("gap.setEnded")
      try visitor.field("set", &set)
      self = .setEnded(set)
    }
  }

  private func visit<Visitor: WordVisitor>(
    _ heard: inout HeardAdvertiser, _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.peer(&heard.advertisement.address)
    try visitor.field("localName", &heard.advertisement.localName)
    try visitor.field("services", &heard.advertisement.serviceUUIDs)
    try visitor.field("rssi", &heard.advertisement.rssi)
    try visitor.field("data", &heard.data)
    try visitor.field("scanResponse", &heard.scanResponse)
    try visitor.field("connectable", &heard.isConnectable)
  }
}
