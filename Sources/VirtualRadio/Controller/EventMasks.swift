import BluetoothWire

/// Which events a host wants (Vol 4, Part E, 7.3.1, 7.3.69, 7.8.1).
struct EventMasks {
  /// The defaults of the three commands: no LE event passes before the host has set the first mask.
  var page1: UInt64 = 0x1FFF_FFFF_FFFF
  var page2: UInt64 = 0
  var le: UInt64 = 0x1F

  /// Whether an event goes to the host. Answers to commands and Number Of Completed Packets cannot be masked.
  func admit(_ event: HCI.Event) -> Bool {
    switch event {
    case .commandComplete, .commandStatus, .numberOfCompletedPackets: return true
    default: break
    }
    let code = event.code
    // Events of a vendor (Vol 4, Part E, 5.4.4) have no bit.
    if code == 0xFF { return true }
    if code == 0x3E {
      return event.subevent.map(admits(le:)) ?? false
    }
    if code >= 0x40 { return code < 0x80 && page2 >> UInt64(code - 0x40) & 1 == 1 }
    return code >= 1 && page1 >> UInt64(code - 1) & 1 == 1
  }

  /// Whether an LE event goes to the host, by its subevent code.
  func admits(le subevent: UInt8) -> Bool {
    guard subevent >= 1, subevent <= 64 else { return false }
    return page1 >> 61 & 1 == 1 && le >> UInt64(subevent - 1) & 1 == 1
  }
}
