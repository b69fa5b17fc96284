import BluetoothWire

/// What an app is told of Generic Access that asks in `GAPEffect`.
public enum GAPInput: Hashable, Sendable {
  /// As `AppInput.discovered`, with the octets that were heard.
  case heard(HeardAdvertiser)
}

extension GAPInput: AppStatement {
  public static let words: [GAPInput] = [
    .heard(
      HeardAdvertiser(
        Advertisement(address: BluetoothAddress(kind: .random, bits: 0), localName: nil, serviceUUIDs: [], rssi: 0)))
  ]

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    guard case .heard(var heard) = self else { return }
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
