import NetworkWire
import SimKernel
@testable import VirtualNetwork

/// Name services on one link, where every message comes to all others after a delay, unless it is lost.
final class NameBus {
  let services: [NameService]
  private(set) var now = SimInstant.zero
  var delay = SimDuration.milliseconds(1)
  /// Whether a message from one is lost on its way to another; asked once for each.
  var isLost: (_ from: Int, _ to: Int) -> Bool = { _, _ in false }
  /// Devices that say and hear nothing.
  var silent: Set<Int> = []
  private(set) var events: [(instant: SimInstant, device: Int, event: NameEvent)] = []
  private(set) var messages: [(instant: SimInstant, device: Int, message: DNSMessage)] = []
  private var flying: [(arrival: SimInstant, to: Int, message: DNSMessage)] = []

  init(_ count: Int, seed: UInt64 = 1, settings: NameSettings = NameSettings()) {
    services = (0..<count).map {
      NameService(
        hostName: "device-\($0).local", addresses: [.v4(0xC0A8_0400 + UInt32($0))],
        stream: RandomStream(seed: seed, component: "device-\($0)", purpose: "names"), settings: settings)
    }
  }

  func settle() {
    for (index, service) in services.enumerated() {
      while let event = service.happened.popFirst() { events.append((now, index, event)) }
      while let message = service.outgoing.popFirst() {
        if silent.contains(index) { continue }
        messages.append((now, index, message))
        for other in services.indices where other != index && !silent.contains(other) && !isLost(index, other) {
          flying.append((now + delay, other, message))
        }
      }
    }
  }

  /// Lets time pass until an instant, or a condition.
  func run(to limit: SimInstant, until condition: () -> Bool = { false }) {
    settle()
    while !condition() {
      let arrival = flying.first?.arrival ?? .distantFuture
      let due = services.compactMap(\.deadline).min() ?? .distantFuture
      let next = min(arrival, due)
      if next > limit { break }
      now = max(now, next)
      if arrival <= due {
        let message = flying.removeFirst()
        if !silent.contains(message.to) { services[message.to].receive(message.message, at: now) }
      } else {
        for service in services where service.deadline.map({ $0 <= now }) ?? false { service.advance(to: now) }
      }
      settle()
    }
    if !condition() { now = max(now, limit) }
  }

  /// The names that devices have, by device; nil: none.
  var names: [String?] {
    services.indices.map { device in
      events.last {
        if case .registered = $0.event { return $0.device == device }
        return false
      }.flatMap { if case .registered(_, let name) = $0.event { name } else { nil } }
    }
  }

  func first(_ device: Int, where matches: (NameEvent) -> Bool) -> SimInstant? {
    events.first { $0.device == device && matches($0.event) }?.instant
  }
}

extension NameEvent {
  var isFound: Bool { if case .found = self { true } else { false } }
  var isLost: Bool { if case .lost = self { true } else { false } }
  var isRegistered: Bool { if case .registered = self { true } else { false } }
}
