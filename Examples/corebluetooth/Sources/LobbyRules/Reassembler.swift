import Foundation

/// Puts the fragments of one link's other end together (wire.md 3.B).
///
/// It has no timer: what is too old is dropped when the next value comes.
public final class Reassembler {
  private final class Partial {
    let id: UInt16
    var bodies: [Data?]
    var deadline = DispatchTime.distantFuture

    init(_ id: UInt16, _ count: Int) {
      self.id = id
      bodies = Array(repeating: nil, count: count)
    }

    var size: Int { bodies.reduce(0) { $0 + ($1?.count ?? 0) } }
  }

  private static let mostPartials = 16
  private static let mostOctets = 262_144

  private var partials: [Partial] = []
  /// Packets completed last, whose fragments may come again (3.17).
  private var completed: [(id: UInt16, bodies: [Data], until: DispatchTime)] = []

  private let patience: DispatchTimeInterval

  public init(patience: DispatchTimeInterval = .seconds(5)) { self.patience = patience }

  /// The packet that this value completes.
  public func take(_ value: Data) -> Data? {
    let now = DispatchTime.now()
    partials.removeAll { $0.deadline <= now }
    completed.removeAll { $0.until <= now }
    let octets = Array(value)
    guard octets.count >= 4 else { return nil }
    let id = UInt16(octets[0]) << 8 | UInt16(octets[1])
    let (index, count, body) = (Int(octets[2]), Int(octets[3]), Data(octets[4...]))
    guard index < count else {
      drop(id)
      return nil
    }
    if isRepeat(id, index, count, body) { return nil }
    let partial = partials.first { $0.id == id } ?? begin(id, count)
    if let known = partial.bodies.indices.contains(index) ? partial.bodies[index] : nil, known == body,
      partial.bodies.count == count
    {
      return nil
    }
    guard partial.bodies.count == count, partial.bodies[index] == nil else {
      drop(id)
      return nil
    }
    partial.bodies[index] = body
    if partial.bodies.allSatisfy({ $0 != nil }) { return complete(partial) }
    // 3.14.
    partial.deadline = now + patience
    limit()
    return nil
  }

  private func begin(_ id: UInt16, _ count: Int) -> Partial {
    let partial = Partial(id, count)
    partials.append(partial)
    return partial
  }

  private func drop(_ id: UInt16) { partials.removeAll { $0.id == id } }

  private func isRepeat(_ id: UInt16, _ index: Int, _ count: Int, _ body: Data) -> Bool {
    if partials.contains(where: { $0.id == id }) { return false }
    return completed.contains { $0.id == id && $0.bodies.count == count && $0.bodies[index] == body }
  }

  private func complete(_ partial: Partial) -> Data {
    drop(partial.id)
    let bodies = partial.bodies.map { $0 ?? Data() }
    completed.append((partial.id, bodies, .now() + patience))
    if completed.count > 16 { completed.removeFirst() }
    return bodies.reduce(into: Data()) { $0.append($1) }
  }

  /// 3.15.
  private func limit() {
    while partials.count > Self.mostPartials || partials.reduce(0, { $0 + $1.size }) > Self.mostOctets {
      partials.removeFirst()
    }
  }
}
