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
    Mutant(
      "name-of-display-name", .host, clause: "BAB 2.2", "puts the display name into the local name",
      adjust: { $0.dialect.nameRule = .prefix("bab-game-", characters: 8) }),
    .seam(
      "name-forgotten", .host, clause: "BAB 2.2", "advertises no name",
      asking: { _, effect in
        guard case .advertise(var request) = effect else { return [effect] }
        request.localName = ""
        return [.advertise(request)]
      }),
    .seam(
      "service-not-advertised", .host, clause: "BAB 2.2", "advertises its name only",
      asking: { _, effect in
        guard case .advertise(var request) = effect else { return [effect] }
        request.serviceUUIDs = []
        return [.advertise(request)]
      }),
    Mutant(
      "name-uncut", .host, clause: "BAB 2.2", "puts a hundred characters of the display name into the local name",
      adjust: {
        if case .prefix(let prefix, _) = $0.dialect.nameRule { $0.dialect.nameRule = .prefix(prefix, characters: 100) }
      }),
    .seam(
      "characteristics-advertised", .host, clause: "BAB 2.2", "advertises the UUIDs of its characteristics too",
      asking: { mutant, effect in
        guard case .advertise(var request) = effect else { return [effect] }
        request.serviceUUIDs += mutant.dialect.serviceDefinition.characteristics.map(\.uuid)
        return [.advertise(request)]
      }),
    .seam(
      "host-scans", .host, clause: "BAB 1.1", "looks for other hosts while it hosts",
      asking: { mutant, effect in
        if case .advertise = effect { [effect, .scan(services: [mutant.dialect.service])] } else { [effect] }
      }),
    .seam(
      "advertises-first", .host, clause: "BAB 5.1.1", "publishes its service after the request to advertise",
      asking: { mutant, effect in
        switch effect {
        case .publish:
          mutant.kept = [effect]
          return []
        case .advertise:
          defer { mutant.kept = [] }
          return [effect] + mutant.kept
        default: return [effect]
        }
      }),
    .seam(
      "advertises-once", .host, clause: "BAB 5.1.2", "does not ask to advertise again after a connection",
      asking: { mutant, effect in
        guard case .advertise = effect else { return [effect] }
        mutant.count += 1
        return mutant.count == 1 ? [effect] : []
      }),
    .seam(
      "stays-closed", .host, clause: "BAB 5.1.2", "does not advertise again once it was full",
      asking: { mutant, effect in
        if case .stopAdvertising = effect { mutant.count = 1 }
        if case .advertise = effect, mutant.count > 0 { return [] }
        return [effect]
      }),
    .seam(
      "advertises-for-a-minute", .host, clause: "BAB 5.1.2", "stops advertising after a minute",
      hearing: { mutant, input in
        guard input == .timer(ownTimer) else { return [input] }
        mutant.added.append(.stopAdvertising)
        return []
      },
      asking: { _, effect in
        if case .publish = effect { [effect, .setTimer(ownTimer, at: .zero + .seconds(60))] } else { [effect] }
      }),
  ]

  private static let advClient: [Mutant] = [
    .seam(
      "scans-for-everything", .client, clause: "BAB 2.4", "scans without a filter",
      asking: { _, effect in if case .scan = effect { [.scan(services: [])] } else { [effect] } }),
    .seam(
      "wants-the-name-too", .client, clause: "BAB 2.5", "takes a host only if its name is one the dialect gives",
      hearing: { _, input in
        guard case .discovered(let advertisement) = input else { return [input] }
        let name = advertisement.localName ?? ""
        return name.hasPrefix("bab-game-") || name.hasPrefix("Bab") || name.hasPrefix("BAB-") ? [input] : []
      }),
    .seam(
      "wants-the-service-too", .client, clause: "BAB 2.5", "takes a host only if it advertises the service",
      hearing: { mutant, input in
        guard case .discovered(let advertisement) = input else { return [input] }
        return advertisement.serviceUUIDs.contains(mutant.dialect.service) ? [input] : []
      }),
    .seam(
      "goes-by-the-name", .client, clause: "BAB 2.5", "takes whoever has a host's name for a host",
      hearing: { mutant, input in
        guard case .discovered(var advertisement) = input, advertisement.localName?.hasPrefix("bab-game-") ?? false
        else { return [input] }
        advertisement.serviceUUIDs.append(mutant.dialect.service)
        return [.discovered(advertisement)]
      },
      asking: { _, effect in if case .scan = effect { [.scan(services: [])] } else { [effect] } }),
    .seam(
      "goes-by-the-service", .client, clause: "BAB 2.5", "takes whoever advertises the service for a host",
      hearing: { mutant, input in
        guard case .discovered(var advertisement) = input, advertisement.serviceUUIDs.contains(mutant.dialect.service)
        else { return [input] }
        advertisement.localName = "BAB-"
        return [.discovered(advertisement)]
      }),
    .seam(
      "stays-with-strangers", .client, clause: "BAB 2.5", "keeps the link to somebody who has no such service",
      hearing: { mutant, input in
        if case .servicesDiscovered(let link, _, let found) = input, found.count < 2 { mutant.links.append(link) }
        return [input]
      },
      asking: { mutant, effect in
        if case .disconnect(let link) = effect, mutant.links.contains(link) { return [] }
        return [effect]
      }),
    Mutant(
      "comes-back-to-strangers", .client, clause: "BAB 2.5", "tries an address again that had no such service",
      wrapped: { engine, _ in Forgetful(wrapping: engine) }),
    .seam(
      "needs-no-command", .client, clause: "BAB 2.5", "does not look whether there is a command characteristic",
      hearing: { mutant, input in
        guard case .servicesDiscovered(let link, let service, var found) = input, !found.isEmpty,
          !found.contains(where: { $0.uuid == mutant.dialect.command.uuid })
        else { return [input] }
        found.append(mutant.dialect.command)
        return [.servicesDiscovered(link, service: service, characteristics: found)]
      }),
    .seam(
      "needs-no-notifications", .client, clause: "BAB 2.5",
      "does not look whether the state characteristic is there and notifies",
      hearing: { mutant, input in
        guard case .servicesDiscovered(let link, let service, var found) = input, !found.isEmpty else { return [input] }
        found.removeAll { $0.uuid == mutant.dialect.state.uuid }
        found.append(mutant.dialect.state)
        return [.servicesDiscovered(link, service: service, characteristics: found)]
      }),
    Mutant(
      "waits-long-for-a-connection", .client, clause: "BAB 8.5", "gives up a connection attempt after a minute",
      adjust: { $0.dialect.connectTimeout = .seconds(60) }),
    Mutant(
      "impatient-connection", .client, clause: "BAB 8.5", "gives up a connection attempt after 3 s",
      adjust: { $0.dialect.connectTimeout = .seconds(3) }),
    Mutant(
      "other-scan-limit", .client, clause: "BAB 8.6", "ends the scan for a first host after 20 s",
      adjust: { $0.dialect.scanTimeout = .seconds(20) }),
    .seam(
      "scans-on", .client, clause: "BAB 8.6", "goes on scanning when it is told to leave",
      hearing: { mutant, input in
        if input == .user(.leave) { mutant.count = 1 }
        return [input]
      },
      asking: { mutant, effect in effect == .stopScanning && mutant.count > 0 ? [] : [effect] }),
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
