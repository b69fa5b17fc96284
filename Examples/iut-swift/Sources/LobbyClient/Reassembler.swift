import SimKernel

/// Puts fragments together (BAB 3.9 to 3.19): one per link.
struct Reassembler {
  private struct Partial {
    var packetID: UInt16
    var bodies: [[UInt8]?]
    var missing: Int
    var octets = 0
    var deadline: SimInstant
  }

  /// The one begun first is in front.
  private var partials: [Partial] = []
  private var completed: [(packetID: UInt16, bodies: [[UInt8]?], at: SimInstant)] = []
  private var refusals: [String] = []

  private static let patience = SimDuration.seconds(5)

  /// When the next partial packet expires.
  var deadline: SimInstant? { partials.map(\.deadline).min() }

  mutating func takeRefusals() -> [String] {
    defer { refusals = [] }
    return refusals
  }

  /// The packet that this value completes.
  mutating func take(_ value: [UInt8], at now: SimInstant) -> [UInt8]? {
    guard value.count >= 4 else { return refuse("a value of \(value.count) octets") }
    let id = UInt16(value[0]) << 8 | UInt16(value[1])
    let (index, count, body) = (Int(value[2]), Int(value[3]), Array(value[4...]))
    guard index < count else { return drop(id, "fragment \(index) of \(count)") }
    let known = partials.firstIndex { $0.packetID == id }
    if known == nil, isRepeat(id, index, count, body, now) { return nil }
    let place = known ?? partials.count
    if known == nil {
      partials.append(
        Partial(packetID: id, bodies: Array(repeating: nil, count: count), missing: count, deadline: now))
    }
    guard partials[place].bodies.count == count else { return drop(id, "packet \(id) changed its count") }
    if let earlier = partials[place].bodies[index] {
      return earlier == body ? nil : drop(id, "packet \(id) has two fragments \(index)")
    }
    partials[place].bodies[index] = body
    partials[place].missing -= 1
    partials[place].octets += body.count
    partials[place].deadline = now + Self.patience
    if partials[place].missing == 0 { return complete(place, now) }
    while partials.count > 16 || partials.reduce(0, { $0 + $1.octets }) > 262_144 {
      _ = drop(partials[0].packetID, "too much that is unfinished")
    }
    return nil
  }

  mutating func expire(at now: SimInstant) {
    for partial in partials where partial.deadline <= now {
      _ = drop(partial.packetID, "packet \(partial.packetID) never came whole")
    }
  }

  private mutating func complete(_ place: Int, _ now: SimInstant) -> [UInt8] {
    let partial = partials.remove(at: place)
    completed.append((partial.packetID, partial.bodies, now))
    if completed.count > 16 { completed.removeFirst() }
    return partial.bodies.flatMap { $0 ?? [] }
  }

  private func isRepeat(_ id: UInt16, _ index: Int, _ count: Int, _ body: [UInt8], _ now: SimInstant) -> Bool {
    completed.contains {
      $0.packetID == id && $0.bodies.count == count && now - $0.at < Self.patience && $0.bodies[index] == body
    }
  }

  private mutating func drop(_ id: UInt16, _ reason: String) -> [UInt8]? {
    partials.removeAll { $0.packetID == id }
    return refuse(reason)
  }

  private mutating func refuse(_ reason: String) -> [UInt8]? {
    refusals.append(reason)
    return nil
  }
}
