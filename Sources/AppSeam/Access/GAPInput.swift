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
    // The text does not say the kind; peers of the bench have random addresses.
    if address != before, let read = BluetoothAddress(randomText: address) { heard.advertisement.address = read }
    self = .heard(heard)
  }
}

extension BluetoothAddress {
  /// A random address by its text, `E3:9B:B0:26:94:01`; nil: it is none.
  fileprivate init?(randomText text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 6 else { return nil }
    var bits: UInt64 = 0
    for part in parts {
      guard part.utf8.count == 2, let octet = UInt8(part, radix: 16) else { return nil }
      bits = bits << 8 | UInt64(octet)
    }
    self.init(kind: .random, bits: bits)
  }
}
