import BluetoothWire
import SimKernel

/// What the digest takes from the app seam: kinds, links, sizes, and every word an app shows. Octets on the air are in
/// the radio world's digest already.
extension TraceDigest {
  private mutating func begin(_ code: UInt64, _ device: Int, _ now: SimInstant) {
    combine(UInt64(bitPattern: now.nanoseconds))
    combine(code << 32 | UInt64(device))
  }

  mutating func combine(_ input: AppInput, device: Int, at now: SimInstant) {
    switch input {
    case .launched: begin(1, device, now)
    case .radioPower(let isOn): begin(isOn ? 2 : 3, device, now)
    case .background(let isBack): begin(isBack ? 4 : 5, device, now)
    case .advertisingStarted(let isOn): begin(isOn ? 6 : 7, device, now)
    case .discovered(let advertisement):
      begin(8, device, now)
      combine(advertisement.address.bits)
      combine(text: advertisement.localName ?? "")
    case .connected(let link, let peer):
      begin(9, device, now)
      combine(UInt64(link.rawValue))
      combine(peer.bits)
    case .connectFailed(let peer, let reason):
      begin(10, device, now)
      combine(peer.bits << 8 | UInt64(reason.rawValue))
    case .disconnected(let link, let reason):
      begin(11, device, now)
      combine(UInt64(link.rawValue) << 8 | UInt64(reason.rawValue))
    case .attMTU(let link, let mtu):
      begin(12, device, now)
      combine(UInt64(link.rawValue) << 16 | UInt64(mtu))
    case .servicesDiscovered(let link, _, let characteristics):
      begin(13, device, now)
      combine(UInt64(link.rawValue) << 16 | UInt64(characteristics.count))
    case .subscribed(let link, _, let isOn):
      begin(14, device, now)
      combine(UInt64(link.rawValue) << 1 | (isOn ? 1 : 0))
    case .valueReceived(let link, _, let octets):
      begin(15, device, now)
      combine(UInt64(link.rawValue) << 16 | UInt64(octets.count))
    case .valueRead(let link, _, let octets):
      begin(16, device, now)
      combine(UInt64(link.rawValue) << 16 | UInt64(octets?.count ?? 0))
    case .submitted(let link, _, let accepted):
      begin(17, device, now)
      combine(UInt64(link.rawValue) << 1 | (accepted ? 1 : 0))
    case .readyToSend(let link):
      begin(18, device, now)
      combine(UInt64(link.rawValue))
    case .writeCompleted(let link, _, let error):
      begin(19, device, now)
      combine(UInt64(link.rawValue) << 8 | UInt64(error ?? 0))
    case .timer(let timer):
      begin(20, device, now)
      combine(UInt64(truncatingIfNeeded: timer.rawValue))
    case .user(let action):
      begin(21, device, now)
      combine(text: String(describing: action))
    }
  }

  mutating func combine(_ effect: AppEffect, device: Int, at now: SimInstant) {
    switch effect {
    case .notify(let link, _, let octets):
      begin(40, device, now)
      combine(UInt64(link.rawValue) << 16 | UInt64(octets.count))
    case .writeWithoutResponse(let link, _, let octets):
      begin(41, device, now)
      combine(UInt64(link.rawValue) << 16 | UInt64(octets.count))
    case .write(let link, _, let octets):
      begin(42, device, now)
      combine(UInt64(link.rawValue) << 16 | UInt64(octets.count))
    case .setTimer(let timer, let instant):
      begin(43, device, now)
      combine(UInt64(truncatingIfNeeded: timer.rawValue))
      combine(UInt64(bitPattern: instant.nanoseconds))
    case .cancelTimer(let timer):
      begin(44, device, now)
      combine(UInt64(truncatingIfNeeded: timer.rawValue))
    case .report(let report): combine(report, device: device, at: now)
    default:
      begin(45, device, now)
      combine(text: String(describing: effect))
    }
  }

  mutating func combine(_ report: AppReport, device: Int, at now: SimInstant) {
    switch report {
    case .packetSent(let link, let type, let sequence, let fragments):
      begin(60, device, now)
      combine(UInt64(link.rawValue) << 32 | UInt64(truncatingIfNeeded: sequence) << 8 | UInt64(fragments & 0xFF))
      combine(text: type)
    case .packetReceived(let link, let type, _, let json):
      begin(61, device, now)
      combine(UInt64(link.rawValue))
      combine(text: type)
      combine(text: json)
    case .vectorClock(let entries):
      begin(62, device, now)
      for entry in entries {
        combine(text: entry.peerID)
        combine(UInt64(bitPattern: entry.count))
      }
    default:
      begin(63, device, now)
      combine(text: String(describing: report))
    }
  }

  mutating func combine(_ fault: FaultEvent, device: Int, at now: SimInstant) {
    begin(80, device, now)
    combine(text: String(describing: fault))
  }
}
