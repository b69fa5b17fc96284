import AppSeam
import BabSim
import BluetoothWire
import Conformance

/// Defects of the profile, of subscriptions and of how values are written and read.
extension Mutants {
  static let gatt: [Mutant] = gattHost + gattClient

  /// A host that publishes another service than its dialect's.
  private static func publishes(
    _ name: String, _ summary: String, _ change: @escaping @Sendable (inout ServiceDefinition, Dialect) -> Void
  ) -> Mutant {
    .seam(
      name, .host, clause: "BAB 2.1", summary,
      asking: { mutant, effect in
        guard case .publish(var service) = effect else { return [effect] }
        change(&service, mutant.dialect)
        return [.publish(service)]
      })
  }

  private static let gattHost: [Mutant] = [
    publishes("other-service", "publishes its characteristics in a service of its own") { service, _ in
      service.uuid = BluetoothUUID(0xFEED)
    },
    publishes("no-write-without-response", "has a command characteristic that wants responses") { service, dialect in
      service.set(dialect.command.uuid, [.write])
    },
    publishes("indicates", "has a state characteristic that indicates too") { service, dialect in
      service.set(dialect.state.uuid, dialect.state.properties.union(.indicate))
    },
    publishes("last-characteristic-missing", "leaves the last characteristic out") { service, _ in
      service.characteristics.removeLast()
    },
    publishes("another-characteristic", "has a characteristic of its own") { service, _ in
      service.characteristics.append(.init(uuid: BluetoothUUID(0xFEED), properties: [.read]))
    },
    publishes("last-does-not-notify", "has a last characteristic that does not notify") { service, _ in
      service.characteristics[service.characteristics.count - 1].properties = [.read]
    },
    .seam(
      "every-dialect", .host, clause: "BAB 2.1", "publishes the services of all dialects",
      asking: { mutant, effect in
        guard case .publish = effect else { return [effect] }
        return [effect]
          + Dialect.all.filter { $0.service != mutant.dialect.service }.map { .publish($0.serviceDefinition) }
      }),
    .seam(
      "notifies-unasked", .host, clause: "BAB 5.9.4", "notifies before the subscription",
      hearing: { mutant, input in
        guard case .connected(let link, _) = input else { return [input] }
        return [input, .subscribed(link, characteristic: mutant.dialect.state.uuid, true)]
      }),
    .seam(
      "misses-the-end-of-subscriptions", .host, clause: "BAB 5.9.4", "goes on notifying who has unsubscribed",
      hearing: { _, input in if case .subscribed(_, _, false) = input { [] } else { [input] } }),
    .seam(
      "speaks-elsewhere", .host, clause: "BAB 2.6", "notifies its packets through the last characteristic",
      asking: { mutant, effect in
        guard case .notify(let link, _, let octets) = effect, let last = mutant.dialect.notifying.last else {
          return [effect]
        }
        return [.notify(link, characteristic: last.uuid, octets: octets)]
      }),
    .seam(
      "state-value-forgotten", .host, clause: "BAB 2.9", "sets the readable value once",
      asking: { mutant, effect in
        guard case .setValue = effect else { return [effect] }
        mutant.count += 1
        return mutant.count > 1 ? [] : [effect]
      }),
    .seam(
      "state-value-with-header", .host, clause: "BAB 2.9", "puts a fragment header before the readable value",
      asking: { _, effect in
        guard case .setValue(let characteristic, let octets) = effect else { return [effect] }
        return [.setValue(characteristic: characteristic, octets: [0, 0, 0, 1] + octets)]
      }),
    .packets(
      "state-value-cut", .host, clause: "BAB 2.9", "cuts a lobby of more than 512 octets for the readable value",
      outgoing: { mutant, _, packet in
        let dialect = mutant.configuration.dialect
        if packet.type == .lobbyUpdate, dialect.hasReadableState, packet.encoded().count > 512 {
          mutant.ask(.setValue(characteristic: dialect.state.uuid, octets: Array(packet.encoded().prefix(512))))
        }
        return [.packet(packet)]
      }),
  ]

  private static let gattClient: [Mutant] = [
    .seam(
      "subscribes-to-state-only", .client, clause: "BAB 5.1.4", "subscribes to nothing but the state characteristic",
      hearing: withAllSubscriptions,
      asking: { mutant, effect in
        if case .subscribe(_, let characteristic, _) = effect, characteristic != mutant.dialect.state.uuid {
          []
        } else {
          [effect]
        }
      }),
    .seam(
      "subscribes-late", .client, clause: "BAB 5.1.4", "subscribes to the others after its first value",
      hearing: withAllSubscriptions,
      asking: { mutant, effect in
        switch effect {
        case .subscribe(_, let characteristic, _) where characteristic != mutant.dialect.state.uuid:
          mutant.kept.append(effect)
          return []
        case .write, .writeWithoutResponse:
          defer { mutant.kept = [] }
          return [effect] + mutant.kept
        default: return [effect]
        }
      }),
    Mutant(
      "writes-without-response", .client, clause: "BAB 2.8", "writes without response where it need not",
      adjust: { $0.dialect.clientWrites = .withoutResponse }),
    .seam(
      "writes-with-response", .client, clause: "BAB 2.8", "writes with response where it may not",
      asking: { _, effect in
        guard case .writeWithoutResponse(let link, let characteristic, let octets) = effect else { return [effect] }
        return [.write(link, characteristic: characteristic, octets: octets)]
      }),
    .seam(
      "deaf-to-others", .client, clause: "BAB 2.6", "takes packets from the state characteristic only",
      hearing: { mutant, input in
        if case .valueReceived(_, let characteristic, _) = input, characteristic != mutant.dialect.state.uuid {
          []
        } else {
          [input]
        }
      }),
    .seam(
      "talks-in-chat", .client, clause: "BAB 2.6", "writes its packets to another characteristic",
      asking: { mutant, effect in
        guard case .write(let link, _, let octets) = effect,
          let other = mutant.dialect.others.first(where: { $0.properties.contains(.write) })
        else { return [effect] }
        return [.write(link, characteristic: other.uuid, octets: octets)]
      }),
    .seam(
      "ignores-write-errors", .client, clause: "BAB 5.9.6", "takes a write that was refused for done",
      hearing: { _, input in
        guard case .writeCompleted(let link, let characteristic, .some) = input else { return [input] }
        return [.writeCompleted(link, characteristic: characteristic, error: nil)]
      }),
    .seam(
      "write-error-ends-all", .client, clause: "BAB 5.9.6", "gives up for good when a write is refused",
      hearing: { _, input in
        if case .writeCompleted(_, _, .some) = input { [.user(.leave)] } else { [input] }
      }),
  ]

  /// The subscription to the state characteristic passes for those to the others.
  @Sendable private static func withAllSubscriptions(_ mutant: SeamMutant, _ input: AppInput) -> [AppInput] {
    guard case .subscribed(let link, mutant.dialect.state.uuid, true) = input else {
      if case .subscribed = input { return [] }
      return [input]
    }
    return mutant.dialect.notifying.map { .subscribed(link, characteristic: $0.uuid, true) }
  }
}

extension ServiceDefinition {
  /// Gives a characteristic other properties.
  fileprivate mutating func set(_ uuid: BluetoothUUID, _ properties: Properties) {
    for index in characteristics.indices where characteristics[index].uuid == uuid {
      characteristics[index].properties = properties
    }
  }
}
