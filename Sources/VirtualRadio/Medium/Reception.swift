/// What became of a PDU at one receiver.
enum Reception: UInt8 {
  case received
  /// Synchronised on the access address, CRC failed.
  case corrupted
  /// The access address was never found.
  case unheard

  /// The same, as the trace tells it.
  var fate: AirPDU.Fate {
    switch self {
    case .received: .received
    case .corrupted: .corrupted
    case .unheard: .unheard
    }
  }
}
