import BluetoothWire
import Judging
import SimKernel

/// Spec: Core v5.4, Vol 3, Part C, 11.
final class AdvertisingStructuresFit: TrafficRule {
  static let id = "AdvertisingStructuresFit"
  static let claim = "No AD structure reaches past the end of its advertising data."
  static let clause = "Core v5.4, Vol 3, Part C, 11"
  static let leavesOpen =
    "a controller reports it: some report scan requests of others as advertising; data that it cut is left alone"

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .advertisements

  func observe(_ event: TrafficEvent) {
    guard case .advertisement(let advertisement) = event.kind, !advertisement.isTruncated else { return }
    let data = advertisement.data
    var offset = 0
    while offset < data.count {
      let length = Int(data.octet(at: offset))
      // Early termination: zeros after it do not count.
      if length == 0 { break }
      if offset + 1 + length > data.count {
        if advertisement.heardBy != nil { return ledger.open += 1 }
        return fail(
          event, nil, expected: "AD structures that end within \(CountedNoun.text(data.count, "octet"))",
          actual:
            "\(advertisement.address) advertises one of \(CountedNoun.text(1 + length, "octet")) at offset \(offset)")
      }
      offset += 1 + length
    }
    ledger.judged += 1
  }
}

/// Spec: Core v5.4, Vol 6, Part B, 2.3.1.
final class AdvertisingDataFits31: TrafficRule {
  static let id = "AdvertisingDataFits31"
  static let claim = "Legacy advertising and scan response data is at most 31 octets long."
  static let clause = "Core v5.4, Vol 6, Part B, 2.3.1"
  static let leavesOpen = "nothing"

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .advertisements

  func observe(_ event: TrafficEvent) {
    guard case .advertisement(let advertisement) = event.kind, !advertisement.isExtended else { return }
    if advertisement.data.count <= LL.maximumAdvertisingData { return ledger.judged += 1 }
    fail(
      event, nil, expected: "at most 31 octets",
      actual: "\(advertisement.address) advertises \(advertisement.data.count)")
  }
}

/// Spec: Core v5.4, Vol 6, Part B, 1.3.2.
final class RandomAddressesAreDefined: TrafficRule {
  static let id = "RandomAddressesAreDefined"
  static let claim = "A random address has a defined subtype, and a random part that is neither all zeros nor all ones."
  static let clause = "Core v5.4, Vol 6, Part B, 1.3.2"
  static let leavesOpen = "nothing"

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .advertisements

  func observe(_ event: TrafficEvent) {
    guard case .advertisement(let advertisement) = event.kind, advertisement.address.kind == .random else { return }
    let bits = advertisement.address.bits
    let expected: String
    switch bits >> 46 {
    case 0b10: expected = "00, 01 or 11 as the two most significant bits"
    case 0b01:
      // The upper half of a resolvable address is the random one.
      let random = bits >> 24 & 0x3F_FFFF
      if random != 0, random != 0x3F_FFFF { return ledger.judged += 1 }
      expected = "a random part of 22 bits that are not all equal"
    default:
      let random = bits & 0x3FFF_FFFF_FFFF
      if random != 0, random != 0x3FFF_FFFF_FFFF { return ledger.judged += 1 }
      expected = "a random part of 46 bits that are not all equal"
    }
    fail(event, nil, expected: expected, actual: "\(advertisement.address) advertises")
  }
}
