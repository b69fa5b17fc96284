import AppSeam
import BluetoothWire
import SimKernel

/// Sends every ping back.
final class EchoHost: AppEngine {
  /// What a pong says that answers a ping.
  private let answer: (UInt8) -> UInt8

  init(answer: @escaping (UInt8) -> UInt8 = { $0 }) { self.answer = answer }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    switch input {
    case .launched: [.publish(EchoService.definition)] + advertise
    // The first link ends advertising; the next client wants to find the host, too.
    case .connected, .disconnected: advertise
    case .valueReceived(let link, _, let octets):
      if case .ping(let number)? = EchoPacket(octets) {
        [.notify(link, characteristic: EchoService.pong.uuid, octets: EchoPacket.pong(answer(number)).octets)]
      } else {
        []
      }
    default: []
    }
  }

  private var advertise: [AppEffect] {
    [.advertise(AdvertisementRequest(localName: "echo", serviceUUIDs: [EchoService.definition.uuid]))]
  }
}

/// Looks for a host, and calls it when its user wants to.
final class EchoClient: AppEngine {
  private var host: LinkID?
  private var hasAsked = false
  private var number: UInt8 = 0

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    switch input {
    case .launched: return [.scan(services: [EchoService.definition.uuid])]
    case .discovered(let advertisement):
      if hasAsked { return [] }
      hasAsked = true
      return [.stopScanning, .connect(advertisement.address)]
    case .connected(let link, _): return [.discover(link, service: EchoService.definition.uuid)]
    case .servicesDiscovered(let link, _, _):
      return [.subscribe(link, characteristic: EchoService.pong.uuid, true)]
    case .subscribed(let link, _, true):
      host = link
      return [.report(AppReport(EchoReport.ready))]
    case .user:
      guard let host else { return [] }
      number &+= 1
      let octets = EchoPacket.ping(number).octets
      return [.writeWithoutResponse(host, characteristic: EchoService.ping.uuid, octets: octets)]
    case .valueReceived(_, _, let octets):
      guard case .pong(let number)? = EchoPacket(octets) else { return [] }
      return [.report(AppReport(EchoReport.heard(number: Int64(number))))]
    default: return []
    }
  }
}
