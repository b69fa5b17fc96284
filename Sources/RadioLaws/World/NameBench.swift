import NetworkWire
import SimKernel
import VirtualNetwork

/// Devices that claim and look for names, and hear each other's messages at once.
final class NameBench {
  static let type = "_law._tcp"

  let services: [NameService]
  private(set) var now = SimInstant.zero
  private(set) var told: [[(at: SimInstant, event: NameEvent)]]
  /// Responses that each device has sent.
  private(set) var responses: [Int]
  /// Whether a message to a device is lost; asked once for each.
  var isLost: (_ from: Int, _ to: Int) -> Bool = { _, _ in false }

  init(_ count: Int, seed: UInt64, settings: NameSettings) {
    services = (0..<count).map { index in
      NameService(
        hostName: "d\(index).local", addresses: [.linkLocal(UInt64(index) + 1)],
        stream: RandomStream(seed: seed, component: "d\(index)", purpose: "names"), settings: settings)
    }
    told = Array(repeating: [], count: count)
    responses = Array(repeating: 0, count: count)
  }

  func register(_ device: Int, _ name: String = "Law") {
    services[device].register(type: Self.type, name: name, port: 7_000, at: now)
    settle()
  }

  func browse(_ device: Int) {
    services[device].browse(type: Self.type, at: now)
    settle()
  }

  func unregister(_ device: Int) {
    services[device].unregister(type: Self.type)
    settle()
  }

  /// Carries messages until nobody has more to say at this instant.
  private func settle() {
    while let from = services.firstIndex(where: { !$0.outgoing.isEmpty || !$0.happened.isEmpty }) {
      while let event = services[from].happened.popFirst() { told[from].append((now, event)) }
      while let message = services[from].outgoing.popFirst() {
        if message.isResponse { responses[from] += 1 }
        for device in services.indices where device != from && !isLost(from, device) {
          services[device].receive(message, at: now)
        }
      }
    }
  }

  func run(to limit: SimInstant, until condition: () -> Bool = { false }) {
    while !condition() {
      guard let due = services.compactMap(\.deadline).min(), due <= limit else {
        now = limit
        return
      }
      now = due
      for service in services where service.deadline == due { service.advance(to: now) }
      settle()
    }
  }

  func found(_ device: Int) -> SimInstant? {
    told[device].first { if case .found = $0.event { true } else { false } }?.at
  }

  func lost(_ device: Int) -> SimInstant? {
    told[device].first { if case .lost = $0.event { true } else { false } }?.at
  }

  /// The name that a device has, and since when.
  func name(_ device: Int) -> (at: SimInstant, name: String)? {
    for entry in told[device].reversed() {
      if case .registered(_, let name) = entry.event { return (entry.at, name) }
    }
    return nil
  }
}
