import AppSeam
import BluetoothWire
import Platform
import SimKernel

/// What the digest takes from the app seam: kinds, links, sizes, and every word an app shows. Octets on the air are in
/// the radio world's digest already. Codes and fields are numbers and texts of this file and of the words themselves,
/// so that moving or renaming a type moves no digest.
extension TraceDigest {
  mutating func begin(_ code: UInt64, _ device: Int, _ now: SimInstant) {
    combine(UInt64(bitPattern: now.nanoseconds))
    combine(code << 32 | UInt64(device))
  }

  private mutating func combine(_ uuid: BluetoothUUID) {
    combine(uuid.high)
    combine(uuid.low)
  }

  private mutating func combine(_ link: LinkID) { combine(UInt64(link.rawValue)) }

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
      combine(link)
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
      combine(link)
    case .writeCompleted(let link, _, let error):
      begin(19, device, now)
      combine(UInt64(link.rawValue) << 8 | UInt64(error ?? 0))
    case .timer(let timer):
      begin(20, device, now)
      combine(UInt64(truncatingIfNeeded: timer.rawValue))
    case .user(let action):
      begin(21, device, now)
      action.mix(into: &self)
    case .gatt(let input):
      begin(22, device, now)
      input.mix(into: &self)
    case .channel(let input):
      begin(23, device, now)
      input.mix(into: &self)
    case .gap(let input):
      begin(24, device, now)
      input.mix(into: &self)
    case .network(let input): combine(input, device: device, at: now)
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
    case .gatt(let effect):
      begin(59, device, now)
      effect.mix(into: &self)
    case .channel(let effect):
      begin(61, device, now)
      effect.mix(into: &self)
    case .gap(let effect):
      begin(62, device, now)
      effect.mix(into: &self)
    case .network(let effect): combine(effect, device: device, at: now)
    default: combinePresence(effect, device: device, at: now)
    }
  }

  /// Effects that are few in a run.
  private mutating func combinePresence(_ effect: AppEffect, device: Int, at now: SimInstant) {
    switch effect {
    case .publish(let service):
      begin(45, device, now)
      combine(service.uuid)
      combine(UInt64(service.characteristics.count))
      for characteristic in service.characteristics {
        combine(characteristic.uuid)
        combine(UInt64(characteristic.properties.rawValue))
      }
    case .advertise(let request):
      begin(46, device, now)
      combine(text: request.localName)
      for service in request.serviceUUIDs { combine(service) }
    case .stopAdvertising: begin(47, device, now)
    case .scan(let services):
      begin(48, device, now)
      for service in services { combine(service) }
    case .stopScanning: begin(49, device, now)
    case .connect(let address):
      begin(50, device, now)
      combine(address.bits)
    case .cancelConnect(let address):
      begin(51, device, now)
      combine(address.bits)
    case .disconnect(let link):
      begin(52, device, now)
      combine(link)
    case .exchangeMTU(let link, let attMTU):
      begin(53, device, now)
      combine(UInt64(link.rawValue) << 16 | UInt64(attMTU & 0xFFFF))
    case .discover(let link, let service):
      begin(54, device, now)
      combine(link)
      combine(service)
    case .subscribe(let link, let characteristic, let isOn):
      begin(55, device, now)
      combine(UInt64(link.rawValue) << 1 | (isOn ? 1 : 0))
      combine(characteristic)
    case .read(let link, let characteristic):
      begin(56, device, now)
      combine(link)
      combine(characteristic)
    case .setValue(let characteristic, let octets):
      begin(57, device, now)
      combine(characteristic)
      combine(octets: octets)
    case .keep(let octets):
      begin(58, device, now)
      combine(octets: octets)
    case .keepMore(let octets):
      begin(59, device, now)
      combine(octets: octets)
    case .notify, .write, .writeWithoutResponse, .setTimer, .cancelTimer, .report: break
    case .gatt, .gap, .channel, .network: break
    }
  }

  mutating func combine(_ report: AppReport, device: Int, at now: SimInstant) {
    begin(60, device, now)
    report.mix(into: &self)
  }

  mutating func combine(_ fault: FaultEvent, device: Int, at now: SimInstant) {
    switch fault {
    case .vanish: begin(80, device, now)
    case .appear: begin(81, device, now)
    case .radioOff: begin(82, device, now)
    case .radioOn: begin(83, device, now)
    case .kill: begin(84, device, now)
    case .relaunch: begin(85, device, now)
    case .reclaim: begin(92, device, now)
    case .background: begin(86, device, now)
    case .foreground: begin(87, device, now)
    case .screenOff: begin(95, device, now)
    case .screenOn: begin(96, device, now)
    case .disconnect(let link):
      begin(88, device, now)
      combine(link)
    case .move(let x, let y, let z):
      begin(89, device, now)
      for place in [x, y, z] { combine(UInt64(bitPattern: Int64(place))) }
    case .network(let fault):
      begin(91, device, now)
      combine(fault)
    case .forgetBonds(let peer):
      begin(94, device, now)
      combine(UInt64(bitPattern: Int64(peer ?? -1)))
    case .failure(let operation, let link, let asker, let code):
      begin(93, device, now)
      combine(text: operation.rawValue)
      combine(UInt64(bitPattern: Int64(link?.rawValue ?? -1)))
      combine(text: asker.rawValue)
      combine(UInt64(code))
    case .message(let fault, let link, let characteristic, let octets):
      begin(90, device, now)
      combine(text: fault.rawValue)
      combine(link)
      combine(characteristic)
      combine(octets: octets)
    }
  }
}
