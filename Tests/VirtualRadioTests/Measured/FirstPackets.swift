import AppSeam
import Bench
import BluetoothWire
import SimKernel
import VirtualRadio

/// What a phone as central does first on a link, by its HCI.
struct FirstPackets {
  /// Its first ATT request, one of `requests`; nil: it made none.
  var first: String?
  /// From LE Connection Complete to that request, milliseconds.
  var after: Double?
  /// What its host asked for, of `procedures`, each once and in that order.
  var setup: [String] = []

  static let requests = ["MTU", "services", "read", "write"]
  static let procedures = ["encrypt", "features", "version", "length", "phy", "MTU", "services"]

  private static let plain = measureAll(isBonded: false)
  private static let bonded = measureAll(isBonded: true)

  private static func measureAll(isBonded: Bool) -> [String: FirstPackets] {
    Dictionary(uniqueKeysWithValues: PhonePreset.all.map { ($0.name, measure($0, isBonded: isBonded)) })
  }

  /// Of a preset as it is shipped, with an app that looks for a service as soon as it is told of the link.
  static func of(_ phone: PhonePreset, isBonded: Bool = false) -> FirstPackets {
    (isBonded ? bonded : plain)[phone.name] ?? measure(phone, isBonded: isBonded)
  }

  /// Of a simulated link to an ideal phone.
  /// - Parameters:
  ///   - isBonded: the link is the second of two phones that pair on their first one.
  ///   - pause: how long the app does nothing on a link before it looks for its service.
  static func measure(_ phone: PhonePreset, isBonded: Bool = false, pause: SimDuration = .zero) -> FirstPackets {
    var (phone, peer) = (phone, PhonePreset.ideal)
    if isBonded {
      phone.pairing = PhonePreset.PairingHabits()
      phone.pairing?.pairsLinks = true
      peer.pairing = PhonePreset.PairingHabits()
    }
    let devices = [("peripheral", peer), ("central", phone)].map { name, phone in
      Device(name: name, group: name, role: AppRole(rawValue: name), phone: phone)
    }
    let seam = Seam()
    let world = World(
      Scenario(name: "first packets", devices: devices), options: RunOptions(seed: 1), readers: [seam]
    ) { _, configuration in
      let app: any AppEngine =
        configuration.device == 0 ? Peripheral() : Central(pause: pause, links: isBonded ? 2 : 1)
      return app
    }
    world.begin()
    _ = world.advance(to: .zero + .seconds(20) + pause)
    return seam.packets
  }

  private static let service = BluetoothUUID(0xFFF0)

  private final class Peripheral: AppEngine {
    func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
      let advertise = AppEffect.advertise(AdvertisementRequest(localName: "it", serviceUUIDs: [service]))
      return switch input {
      case .launched: [.publish(ServiceDefinition(uuid: service, characteristics: [])), advertise]
      case .disconnected: [advertise]
      default: []
      }
    }
  }

  /// Connects to the first advertiser, as often as it is told to, and looks for the service.
  private final class Central: AppEngine {
    private let pause: SimDuration
    private var linksToCome: Int
    private var peer: BluetoothAddress?
    private var link: LinkID?
    private static let (search, end) = (TimerID(1), TimerID(2))

    init(pause: SimDuration, links: Int) {
      self.pause = pause
      linksToCome = links
    }

    func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
      switch input {
      case .launched: return [.scan(services: [service])]
      case .discovered(let advertisement) where peer == nil:
        peer = advertisement.address
        return [.stopScanning, .connect(advertisement.address)]
      case .connected(let link, _):
        self.link = link
        linksToCome -= 1
        let end = linksToCome > 0 ? [AppEffect.setTimer(Self.end, at: now + .seconds(5))] : []
        return end + (pause > .zero ? [.setTimer(Self.search, at: now + pause)] : [.discover(link, service: service)])
      case .timer(Self.search): return link.map { [.discover($0, service: service)] } ?? []
      case .timer(Self.end): return link.map { [.disconnect($0)] } ?? []
      case .disconnected:
        link = nil
        return peer.map { [.connect($0)] } ?? []
      default: return []
      }
    }
  }

  /// What the central's host sends; the newest link counts.
  private final class Seam: TraceReader {
    private(set) var packets = FirstPackets()
    private var beginning = SimInstant.zero
    let wantsHCI = true

    func read(_ record: TraceRecord) {
      guard record.device == 1, case .radio(let event) = record.event else { return }
      switch event {
      case .hciEvent(.leConnectionComplete(let complete)) where complete.status == .success: begin(record.instant)
      case .hciEvent(.extended(.leEnhancedConnectionComplete(let complete)))
      where complete.connection.status == .success:
        begin(record.instant)
      case .hciCommand(let command): note(Self.word(command))
      case .aclToController(let data) where data.boundary != .continuing:
        guard let frame = try? L2CAP.Frame(decoding: data.octets), frame.channel == .attribute,
          let octet = frame.payload.first, let word = Self.word(ATT.Opcode(rawValue: octet))
        else { return }
        if packets.first == nil {
          packets.first = word
          packets.after = Double((record.instant - beginning).nanoseconds) / 1_000_000
        }
        note(word)
      default: break
      }
    }

    private func begin(_ instant: SimInstant) {
      packets = FirstPackets()
      beginning = instant
    }

    private func note(_ word: String?) {
      guard let word, procedures.contains(word), !packets.setup.contains(word) else { return }
      packets.setup.append(word)
    }

    private static func word(_ command: HCI.Command) -> String? {
      switch command {
      case .security(.leEnableEncryption): "encrypt"
      case .leReadRemoteFeatures: "features"
      case .readRemoteVersionInformation: "version"
      case .leSetDataLength: "length"
      case .leSetPHY: "phy"
      default: nil
      }
    }

    /// Of a request; nil for all that is none.
    private static func word(_ opcode: ATT.Opcode) -> String? {
      switch opcode {
      case .exchangeMTURequest: "MTU"
      case .findByTypeValueRequest, .readByGroupTypeRequest: "services"
      case .findInformationRequest, .readByTypeRequest, .readRequest, .readBlobRequest: "read"
      case .readMultipleRequest, .readMultipleVariableRequest: "read"
      case .writeRequest: "write"
      default: nil
      }
    }
  }
}
