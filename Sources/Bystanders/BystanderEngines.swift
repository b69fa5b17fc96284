import AppSeam
import BluetoothWire
import SimKernel

/// Advertises without end, as a beacon or a television does.
final class PlainAdvertiser: AppEngine {
  private let name: String

  init(name: String) { self.name = name }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    switch input {
    case .launched, .radioPower(true):
      [.advertise(AdvertisementRequest(localName: name, serviceUUIDs: [BluetoothUUID(0xFEAA)]))]
    default: []
    }
  }
}

/// Scans without end and takes nobody.
final class IdleScanner: AppEngine {
  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    switch input {
    case .launched, .radioPower(true), .background(false): [.scan(services: [])]
    default: []
    }
  }
}

/// The service of a headset and its player; the two load the air, nobody listens.
private enum BusyService {
  static let uuid = BluetoothUUID(0xFDF0)
  static let music = ServiceDefinition.Characteristic(uuid: BluetoothUUID(0xFDF1), properties: .writeWithoutResponse)
  static let levels = ServiceDefinition.Characteristic(uuid: BluetoothUUID(0xFDF2), properties: .notify)
  static let definition = ServiceDefinition(uuid: uuid, characteristics: [music, levels])
  /// 200 octets every 20 ms are 80 kbit/s, as a coded voice of good quality has.
  static let value = [UInt8](repeating: 0x5A, count: 200)
  static let pause = SimDuration.milliseconds(20)
  static let levelPause = SimDuration.milliseconds(100)
  static let timer = TimerID(1)
}

/// Is found by a player, and tells it levels ten times a second.
final class BusyHeadset: AppEngine {
  private let name: String
  private var listener: LinkID?

  init(name: String) { self.name = name }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    switch input {
    case .launched, .radioPower(true): return [.publish(BusyService.definition)] + advertise
    case .connected: return [.stopAdvertising]
    case .subscribed(let link, _, true):
      listener = link
      return [.setTimer(BusyService.timer, at: now + BusyService.levelPause)]
    case .disconnected(let link, _):
      if link == listener { listener = nil }
      return [.cancelTimer(BusyService.timer)] + advertise
    case .timer:
      guard let listener else { return [] }
      return [
        .notify(listener, characteristic: BusyService.levels.uuid, octets: [0x5A, 0x5A]),
        .setTimer(BusyService.timer, at: now + BusyService.levelPause),
      ]
    default: return []
    }
  }

  private var advertise: [AppEffect] {
    [.advertise(AdvertisementRequest(localName: name, serviceUUIDs: [BusyService.uuid]))]
  }
}

/// A peripheral to one peer and a central to another at the same time: what comes from its player's side keeps the link
/// to its own headset busy too. It never takes itself or its player for a headset, because neither is in its scan.
final class BusyRelay: AppEngine {
  private let headset: BusyHeadset
  private let player: BusyPlayer
  private var asked: BluetoothAddress?
  /// Links that the player's side has made.
  private var outgoing: [LinkID] = []
  private static let playerTimer = TimerID(2)

  init(_ configuration: AppConfiguration) {
    headset = BusyHeadset(name: configuration.displayName)
    player = BusyPlayer(configuration)
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    switch input {
    case .connected(let link, let peer) where peer == asked:
      outgoing.append(link)
      return toPlayer(input, now)
    case .timer(Self.playerTimer): return toPlayer(.timer(BusyService.timer), now)
    case .timer: return headset.handle(input, at: now)
    case .discovered, .connectFailed: return toPlayer(input, now)
    case .launched, .radioPower, .background: return headset.handle(input, at: now) + toPlayer(input, now)
    default:
      guard let link = Self.link(of: input) else { return [] }
      return outgoing.contains(link) ? toPlayer(input, now) : headset.handle(input, at: now)
    }
  }

  private func toPlayer(_ input: AppInput, _ now: SimInstant) -> [AppEffect] {
    player.handle(input, at: now).map { effect in
      switch effect {
      case .connect(let address):
        asked = address
        return effect
      case .setTimer(_, let instant): return .setTimer(Self.playerTimer, at: instant)
      case .cancelTimer: return .cancelTimer(Self.playerTimer)
      default: return effect
      }
    }
  }

  private static func link(of input: AppInput) -> LinkID? {
    switch input {
    case .connected(let link, _), .disconnected(let link, _), .attMTU(let link, _),
      .servicesDiscovered(let link, _, _), .subscribed(let link, _, _), .valueReceived(let link, _, _),
      .submitted(let link, _, _), .readyToSend(let link):
      link
    default: nil
    }
  }
}

/// Connects to the first headset it finds and streams to it; what its queue refuses is lost, as music is.
final class BusyPlayer: AppEngine {
  /// The headsets that direct their advertising at this device.
  private let known: [BluetoothAddress]
  private var link: LinkID?
  private var isConnecting = false

  init(_ configuration: AppConfiguration) { known = configuration.knownPeers.map(\.address) }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    switch input {
    case .launched, .radioPower(true): return scan
    case .discovered(let advertisement):
      let isHeadset =
        advertisement.serviceUUIDs.contains(BusyService.uuid) || known.contains(advertisement.address)
      guard link == nil, !isConnecting, isHeadset else { return [] }
      isConnecting = true
      return [.stopScanning, .connect(advertisement.address)]
    case .connected(let link, _):
      isConnecting = false
      self.link = link
      return [.exchangeMTU(link, 247), .discover(link, service: BusyService.uuid)]
    case .servicesDiscovered(let link, _, _):
      return [.subscribe(link, characteristic: BusyService.levels.uuid, true)]
    case .subscribed: return [.setTimer(BusyService.timer, at: now + BusyService.pause)]
    case .connectFailed, .disconnected:
      isConnecting = false
      link = nil
      return [.cancelTimer(BusyService.timer)] + scan
    case .timer:
      guard let link else { return [] }
      return [
        .writeWithoutResponse(link, characteristic: BusyService.music.uuid, octets: BusyService.value),
        .setTimer(BusyService.timer, at: now + BusyService.pause),
      ]
    default: return []
    }
  }

  private var scan: [AppEffect] { [.scan(services: [BusyService.uuid])] }
}
