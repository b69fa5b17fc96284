import Bench
import SimKernel

/// Stands between a controller and the host at its port, and changes what the controller says: events and data.
final class OutwardTap {
  private let device: Int
  let book: UnitBook
  private var attack: Attack?
  private var passed = 0
  private var ready: [(device: Int, packet: [UInt8])] = []
  /// In the order in which they go.
  private var delayed: [(instant: SimInstant, packet: [UInt8])] = []

  init(device: Int) {
    self.device = device
    book = UnitBook(device: device, assembly: nil)
  }

  var nextInstant: SimInstant? { delayed.first?.instant }

  func begin(_ attack: Attack, at now: SimInstant) {
    self.attack = attack
    passed = 0
    for stroke in attack.strokes {
      if case .send(let span, _) = stroke.manner { hold(stroke.octets, until: now + span) }
    }
    release(at: now)
  }

  func take(_ packet: [UInt8], device: Int, at now: SimInstant) {
    guard device == self.device else { return ready.append((device, packet)) }
    book.note(TappedUnit(device: device, route: .controller, octets: packet))
    guard let attack else { return ready.append((device, packet)) }
    defer { passed += 1 }
    let isTaken = attack.strike(
      unit: passed,
      replace: { octets, _ in ready.append((device, octets)) },
      send: { span, _ in if span == .zero { ready.append((device, packet)) } else { hold(packet, until: now + span) } })
    if !isTaken { ready.append((device, packet)) }
  }

  func pop() -> (device: Int, packet: [UInt8])? { ready.isEmpty ? nil : ready.removeFirst() }

  func release(at now: SimInstant) {
    while let first = delayed.first, first.instant <= now {
      ready.append((device, first.packet))
      delayed.removeFirst()
    }
  }

  private func hold(_ packet: [UInt8], until instant: SimInstant) {
    let place = delayed.firstIndex { $0.instant > instant } ?? delayed.count
    delayed.insert((instant, packet), at: place)
  }
}
