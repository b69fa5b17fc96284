import BluetoothWire

/// What an app is told of Generic Access that asks in `GAPEffect`.
public enum GAPInput: Hashable, Sendable {
  /// As `AppInput.discovered`, with the octets that were heard.
  case heard(HeardAdvertiser)
  /// The answer to `GAPEffect.pair`: the link is encrypted, or why it is not, by the reason of a Pairing Failed PDU
  /// (Core v5.4, Vol 3, Part H, 3.5.5), 0x08 for any other cause.
  case paired(LinkID, error: UInt8?)
}

extension GAPInput: AppStatement {
  public static let words: [GAPInput] = [
    .heard(
      HeardAdvertiser(
        Advertisement(address: BluetoothAddress(kind: .random, bits: 0), localName: nil, serviceUUIDs: [], rssi: 0))),
    .paired(LinkID(0), error: nil),
  ]

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    guard case .heard(var heard) = self else {
      guard case .paired(var link, var error) = self else { return }
      try visitor.word("gap.paired")
      try visitor.field("link", &link)
      try visitor.field("error", &error)
      self = .paired(link, error: error)
      return
    }
    let before = heard.advertisement.address.description
    var address = before
    try visitor.word("gap.heard")
    try visitor.field("address", &address)
    try visitor.field("localName", &heard.advertisement.localName)
    try visitor.field("services", &heard.advertisement.serviceUUIDs)
    try visitor.field("rssi", &heard.advertisement.rssi)
    try visitor.field("data", &heard.data)
    try visitor.field("scanResponse", &heard.scanResponse)
    try visitor.field("connectable", &heard.isConnectable)
    // The text does not say the kind; peers of the bench have random addresses.
    if address != before, let bits = BluetoothAddress.bits(of: address) {
      heard.advertisement.address = BluetoothAddress(kind: .random, bits: bits)
    }
    self = .heard(heard)
  }
}
