import BluetoothWire
import Judging
import SimKernel

/// Spec: Core v5.4, Vol 3, Part H, 2.3.5.1, 3.5.1 and 3.5.6 to 3.5.8.
final class SecureConnectionsAreAgreed: TrafficRule {
  static let id = "SecureConnectionsAreAgreed"
  static let claim =
    "Public keys, DHKey checks and keypresses come only in a pairing for which both ends offered Secure Connections."
  static let clause = "Core v5.4, Vol 3, Part H, 2.3.5.1"
  static let leavesOpen =
    "octets are missing since the pairing began, or the capture begins in the middle of the link; or, of keypresses, "
    + "both ends have offered these alone"

  private enum Code {
    static let request: UInt8 = 0x01
    static let response: UInt8 = 0x02
    static let publicKey: UInt8 = 0x0C
    static let dhKeyCheck: UInt8 = 0x0D
    static let keypress: UInt8 = 0x0E
  }

  /// Bits of AuthReq.
  private enum Offer {
    static let secureConnections: UInt8 = 0x08
    static let keypress: UInt8 = 0x10
  }

  private struct Pairing {
    var hasBegun = false
    /// AuthReq of each end; nil: not seen.
    var offers = PerSide(UInt8?.none)
  }

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.frames, .gaps]
  @exclusivity(unchecked) private var links = PerLink(Pairing())

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    // A request of the central begins another pairing.
    case .gap(let link, let fromCentral, _): if fromCentral != false { links[link].offers = PerSide(nil) }
    case .frame(let link, let fromCentral, .securityManager, let pdu):
      if let code = pdu.first { follow(event, link, fromCentral: fromCentral, code, pdu) }
    default: break
    }
  }

  private func follow(
    _ event: TrafficEvent, _ link: TrafficLink, fromCentral: Bool, _ code: UInt8, _ pdu: ArraySlice<UInt8>
  ) {
    switch code {
    case Code.request, Code.response:
      guard pdu.count == 7 else { return links[link].offers = PerSide(nil) }
      if code == Code.request { links[link] = Pairing(hasBegun: true) }
      links[link].offers[isCentral: code == Code.request] = pdu.octet(at: 3)
    case Code.publicKey, Code.dhKeyCheck, Code.keypress: judge(event, link, fromCentral: fromCentral, code)
    default: break
    }
  }

  private func judge(_ event: TrafficEvent, _ link: TrafficLink, fromCentral: Bool, _ code: UInt8) {
    let pairing = links[link]
    let offers = [pairing.offers.central, pairing.offers.peripheral]
    let isRefused = offers.contains { $0.map { $0 & Offer.secureConnections == 0 } ?? false }
    if !isRefused {
      if !offers.contains(nil) { ledger.judged += 1 } else if pairing.hasBegun || !link.isFromStart { leaveOpen(link) }
      return
    }
    if code == Code.keypress, offers.allSatisfy({ $0.map { $0 & Offer.keypress != 0 } ?? true }) {
      return leaveOpen(link)
    }
    let lacking = pairing.offers.central.map { $0 & Offer.secureConnections == 0 } ?? false
    fail(
      event, link, expected: "LE legacy pairing, because \(RuleText.side(fromCentral: lacking)) offers nothing else",
      actual: "\(RuleText.side(fromCentral: fromCentral)) sends code \(hexNumber(code, digits: 2))")
  }
}
