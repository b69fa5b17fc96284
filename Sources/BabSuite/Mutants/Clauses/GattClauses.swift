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
    .asks(name, .host, "BAB 2.1", summary) { m, effect in
      guard case .publish(var service) = effect else { return [effect] }
      change(&service, m.dialect)
      return [.publish(service)]
    }
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
    .asks("every-dialect", .host, "BAB 2.1", "publishes the services of all dialects") { m, effect in
      guard case .publish = effect else { return [effect] }
      return [effect]
        + Dialect.all.filter { $0.service != m.dialect.service }.map { .publish($0.serviceDefinition) }
    },
    .told("notifies-unasked", .host, "BAB 5.9.4", "notifies before the subscription") { m, input in
      guard case .connected(let link, _) = input else { return [input] }
      return [input, .subscribed(link, characteristic: m.dialect.state.uuid, true)]
    },
    .misses("misses-the-end-of-subscriptions", .host, "BAB 5.9.4", "goes on notifying who has unsubscribed") {
      if case .subscribed(_, _, false) = $0 { true } else { false }
    },
    .asks("speaks-elsewhere", .host, "BAB 2.6", "notifies its packets through the last characteristic") { m, effect in
      guard case .notify(let link, _, let octets) = effect, let last = m.dialect.notifying.last else { return [effect] }
      return [.notify(link, characteristic: last.uuid, octets: octets)]
    },
    .engine("keeps-the-last-part", .host, "BAB 5.9.7", "reads the last part only of what is written in parts") {
      HandleServer(wrapping: $0) { $0.last?.octets }
    },
    .engine("answers-with-errors", .host, "BAB 5.9.8", "takes what is written, and answers with an error") {
      HandleServer(wrapping: $0, error: 0x0E)
    },
    .asks("state-value-forgotten", .host, "BAB 2.9", "sets the readable value once") { m, effect in
      guard case .setValue = effect else { return [effect] }
      m.count += 1
      return m.count > 1 ? [] : [effect]
    },
    .asks("state-value-with-header", .host, "BAB 2.9", "puts a fragment header before the readable value") {
      _, effect in
      guard case .setValue(let characteristic, let octets) = effect else { return [effect] }
      return [.setValue(characteristic: characteristic, octets: [0, 0, 0, 1] + octets)]
    },
    .whenSaying("state-value-cut", .host, "BAB 2.9", "cuts a lobby of more than 512 octets for the readable value") {
      m, packet in
      let dialect = m.configuration.dialect
      if packet.type == .lobbyUpdate, dialect.hasReadableState, packet.encoded().count > 512 {
        m.ask(.setValue(characteristic: dialect.state.uuid, octets: Array(packet.encoded().prefix(512))))
      }
    },
  ]

  private static let gattClient: [Mutant] = [
    .seam(
      "subscribes-to-state-only", .client, "BAB 5.1.4", "subscribes to nothing but the state characteristic",
      hearing: withAllSubscriptions,
      asking: { mutant, effect in
        if case .subscribe(_, let characteristic, _) = effect, characteristic != mutant.dialect.state.uuid {
          []
        } else {
          [effect]
        }
      }),
    .seam(
      "subscribes-late", .client, "BAB 5.1.4", "subscribes to the others after its first value",
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
    .set("writes-without-response", .client, "BAB 2.8", "writes without response where it need not") {
      $0.dialect.clientWrites = .withoutResponse
    },
    .asks("writes-with-response", .client, "BAB 2.8", "writes with response where it may not") { _, effect in
      guard case .writeWithoutResponse(let link, let characteristic, let octets) = effect else { return [effect] }
      return [.write(link, characteristic: characteristic, octets: octets)]
    },
    .told("deaf-to-others", .client, "BAB 2.6", "takes packets from the state characteristic only") { m, input in
      if case .valueReceived(_, let characteristic, _) = input, characteristic != m.dialect.state.uuid {
        []
      } else {
        [input]
      }
    },
    .asks("talks-in-chat", .client, "BAB 2.6", "writes its packets to another characteristic") { m, effect in
      guard case .write(let link, _, let octets) = effect,
        let other = m.dialect.others.first(where: { $0.properties.contains(.write) })
      else { return [effect] }
      return [.write(link, characteristic: other.uuid, octets: octets)]
    },
    .told("ignores-write-errors", .client, "BAB 5.9.6", "takes a write that was refused for done") { _, input in
      guard case .writeCompleted(let link, let characteristic, .some) = input else { return [input] }
      return [.writeCompleted(link, characteristic: characteristic, error: nil)]
    },
    .told("write-error-ends-all", .client, "BAB 5.9.6", "gives up for good when a write is refused") { _, input in
      if case .writeCompleted(_, _, .some) = input { [.user(.leave)] } else { [input] }
    },
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
