import AppSeam
import BluetoothWire

/// A broken stack at work.
struct ActiveMessageFault {
  var rule: MessageFaultRule
  var seen = 0
  var hits = 0
  /// A value that waits to be overtaken by the next one of its link and characteristic.
  var held: (link: LinkID, characteristic: BluetoothUUID, octets: [UInt8])?

  /// Whether this value is hit; counts it.
  mutating func strikes() -> Bool {
    if let count = rule.count, hits >= count { return false }
    seen += 1
    guard seen % max(1, rule.everyNth) == 0 else { return false }
    hits += 1
    return true
  }
}
