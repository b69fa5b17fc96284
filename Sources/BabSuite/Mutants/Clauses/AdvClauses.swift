import AppSeam
import BabSim
import BluetoothWire
import Conformance
import SimKernel

/// Defects of advertising and discovery.
extension Mutants {
  static let adv: [Mutant] = advHost + advClient

  private static let ownTimer = TimerID(900_000)

  private static let advHost: [Mutant] = [
    .set("name-of-display-name", .host, "BAB 2.2", "puts the display name into the local name") {
      $0.dialect.nameRule = .prefix("bab-game-", characters: 8)
    },
    .asks("name-forgotten", .host, "BAB 2.2", "advertises no name") { _, effect in
      guard case .advertise(var request) = effect else { return [effect] }
      request.localName = ""
      return [.advertise(request)]
    },
    .asks("service-not-advertised", .host, "BAB 2.2", "advertises its name only") { _, effect in
      guard case .advertise(var request) = effect else { return [effect] }
      request.serviceUUIDs = []
      return [.advertise(request)]
    },
    .set("name-uncut", .host, "BAB 2.2", "puts a hundred characters of the display name into the local name") {
      if case .prefix(let prefix, _) = $0.dialect.nameRule { $0.dialect.nameRule = .prefix(prefix, characters: 100) }
    },
    .asks("characteristics-advertised", .host, "BAB 2.2", "advertises the UUIDs of its characteristics too") {
      m, effect in
      guard case .advertise(var request) = effect else { return [effect] }
      request.serviceUUIDs += m.dialect.serviceDefinition.characteristics.map(\.uuid)
      return [.advertise(request)]
    },
    .asks("host-scans", .host, "BAB 1.1", "looks for other hosts while it hosts") { m, effect in
      if case .advertise = effect { [effect, .scan(services: [m.dialect.service])] } else { [effect] }
    },
    .asks("advertises-first", .host, "BAB 5.1.1", "publishes its service after the request to advertise") { m, effect in
      switch effect {
      case .publish:
        m.kept = [effect]
        return []
      case .advertise:
        defer { m.kept = [] }
        return [effect] + m.kept
      default: return [effect]
      }
    },
    .asks("advertises-once", .host, "BAB 5.1.2", "does not ask to advertise again after a connection") { m, effect in
      guard case .advertise = effect else { return [effect] }
      m.count += 1
      return m.count == 1 ? [effect] : []
    },
    .asks("stays-closed", .host, "BAB 5.1.2", "does not advertise again once it was full") { m, effect in
      if case .stopAdvertising = effect { m.count = 1 }
      if case .advertise = effect, m.count > 0 { return [] }
      return [effect]
    },
    .seam(
      "advertises-for-a-minute", .host, "BAB 5.1.2", "stops advertising after a minute",
      hearing: { m, input in
        guard input == .timer(ownTimer) else { return [input] }
        m.added.append(.stopAdvertising)
        return []
      },
      asking: { _, effect in
        if case .publish = effect { [effect, .setTimer(ownTimer, at: .zero + .seconds(60))] } else { [effect] }
      }),
  ]

  private static let advClient: [Mutant] = [
    .asks("scans-for-everything", .client, "BAB 2.4", "scans without a filter") { _, effect in
      if case .scan = effect { [.scan(services: [])] } else { [effect] }
    },
    .told("wants-the-name-too", .client, "BAB 2.5", "takes a host only if its name is one the dialect gives") {
      _, input in
      guard case .discovered(let advertisement) = input else { return [input] }
      let name = advertisement.localName ?? ""
      return name.hasPrefix("bab-game-") || name.hasPrefix("Bab") || name.hasPrefix("BAB-") ? [input] : []
    },
    .told("wants-the-service-too", .client, "BAB 2.5", "takes a host only if it advertises the service") { m, input in
      guard case .discovered(let advertisement) = input else { return [input] }
      return advertisement.serviceUUIDs.contains(m.dialect.service) ? [input] : []
    },
    .seam(
      "goes-by-the-name", .client, "BAB 2.5", "takes whoever has a host's name for a host",
      hearing: { m, input in
        guard case .discovered(var advertisement) = input, advertisement.localName?.hasPrefix("bab-game-") ?? false
        else { return [input] }
        advertisement.serviceUUIDs.append(m.dialect.service)
        return [.discovered(advertisement)]
      },
      asking: { _, effect in if case .scan = effect { [.scan(services: [])] } else { [effect] } }),
    .told("goes-by-the-service", .client, "BAB 2.5", "takes whoever advertises the service for a host") { m, input in
      guard case .discovered(var advertisement) = input, advertisement.serviceUUIDs.contains(m.dialect.service)
      else { return [input] }
      advertisement.localName = "BAB-"
      return [.discovered(advertisement)]
    },
    .seam(
      "stays-with-strangers", .client, "BAB 2.5", "keeps the link to somebody who has no such service",
      whenTold: { m, input in
        if case .servicesDiscovered(let link, _, let found) = input, found.count < 2 { m.links.append(link) }
      },
      asking: { m, effect in
        if case .disconnect(let link) = effect, m.links.contains(link) { return [] }
        return [effect]
      }),
    .engine(
      "comes-back-to-strangers", .client, "BAB 2.5", "tries an address again that had no such service", Forgetful.init),
    .told("needs-no-command", .client, "BAB 2.5", "does not look whether there is a command characteristic") {
      m, input in
      guard case .servicesDiscovered(let link, let service, var found) = input, !found.isEmpty,
        !found.contains(where: { $0.uuid == m.dialect.command.uuid })
      else { return [input] }
      found.append(m.dialect.command)
      return [.servicesDiscovered(link, service: service, characteristics: found)]
    },
    .told(
      "needs-no-notifications", .client, "BAB 2.5",
      "does not look whether the state characteristic is there and notifies"
    ) { m, input in
      guard case .servicesDiscovered(let link, let service, var found) = input, !found.isEmpty else { return [input] }
      found.removeAll { $0.uuid == m.dialect.state.uuid }
      found.append(m.dialect.state)
      return [.servicesDiscovered(link, service: service, characteristics: found)]
    },
    .set("waits-long-for-a-connection", .client, "BAB 8.5", "gives up a connection attempt after a minute") {
      $0.dialect.connectTimeout = .seconds(60)
    },
    .set("impatient-connection", .client, "BAB 8.5", "gives up a connection attempt after 3 s") {
      $0.dialect.connectTimeout = .seconds(3)
    },
    .set("other-scan-limit", .client, "BAB 8.6", "ends the scan for a first host after 20 s") {
      $0.dialect.scanTimeout = .seconds(20)
    },
    .seam(
      "scans-on", .client, "BAB 8.6", "goes on scanning when it is told to leave",
      whenTold: { m, input in if input == .user(.leave) { m.count = 1 } },
      asking: { m, effect in effect == .stopScanning && m.count > 0 ? [] : [effect] }),
  ]
}

/// Sees every address it connects to as another one, so that it knows nobody again.
private final class Forgetful: MutantEngine {
  private var real: [BluetoothAddress] = []

  private func alias(_ address: BluetoothAddress) -> BluetoothAddress {
    real.append(address)
    return BluetoothAddress(kind: .random, bits: UInt64(real.count))
  }

  private func real(_ alias: BluetoothAddress) -> BluetoothAddress { real[Int(alias.bits) - 1] }

  /// The newest alias of an address.
  private func newest(_ address: BluetoothAddress) -> BluetoothAddress {
    BluetoothAddress(kind: .random, bits: UInt64((real.lastIndex(of: address) ?? 0) + 1))
  }

  override func rewrite(_ input: AppInput) -> [AppInput] {
    switch input {
    case .discovered(var advertisement):
      advertisement.address = alias(advertisement.address)
      return [.discovered(advertisement)]
    case .connected(let link, let peer): return [.connected(link, peer: newest(peer))]
    case .connectFailed(let peer, let reason): return [.connectFailed(newest(peer), reason: reason)]
    default: return [input]
    }
  }

  override func rewrite(_ effect: AppEffect) -> [AppEffect] {
    switch effect {
    case .connect(let address): [.connect(real(address))]
    case .cancelConnect(let address): [.cancelConnect(real(address))]
    default: [effect]
    }
  }
}
