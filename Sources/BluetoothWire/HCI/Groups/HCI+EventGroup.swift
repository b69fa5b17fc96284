/// Events of one topic in an enumeration of their own, as `HCICommandGroup` has the commands.
protocol HCIEventGroup {
  /// The event code; 0x3E for LE events.
  var code: UInt8 { get }
  /// The LE subevent code, nil for the others.
  var subevent: UInt8? { get }
  /// What follows the code, the length and the subevent code.
  func appendParameters(to octets: inout [UInt8])
  /// Reads the parameters of an event of this group; nil for another one. `subevent` has been read.
  init?(code: UInt8, subevent: UInt8?, _ reader: inout OctetReader) throws(WireError)
}

extension HCI.Event {
  var group: (any HCIEventGroup)? {
    switch self {
    case .encryption(let event): event
    case .extended(let event): event
    default: nil
    }
  }

  static func grouped(code: UInt8, subevent: UInt8?, _ reader: inout OctetReader) throws(WireError) -> HCI.Event? {
    if let event = try HCI.EncryptionEvent(code: code, subevent: subevent, &reader) { return .encryption(event) }
    if let event = try HCI.ExtendedEvent(code: code, subevent: subevent, &reader) { return .extended(event) }
    return nil
  }
}
