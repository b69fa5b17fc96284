import SimKernel

/// Draws valid packets of a protocol file: constants, ranges, lengths and optional fields as the file has them.
struct PacketDraws {
  /// Entries of a list, and octets of what has no length of its own, are at most so many.
  private static let extentLimit: Int64 = 24
  /// Fields of a packet may exclude each other only by presence; a draw that cannot be written is drawn again.
  private static let tries = 50

  var stream: RandomStream

  init(_ stream: RandomStream) { self.stream = stream }

  mutating func below(_ bound: Int) -> Int { Int(stream.below(UInt64(bound))) }

  /// Octets of a packet; nil where none of the drawn values can be written.
  mutating func octets(of packet: ProtocolForm.Packet) -> [UInt8]? {
    for _ in 0..<Self.tries {
      let values = values(of: packet)
      do throws(PacketRefusal) { return try packet.encode(values) } catch { continue }
    }
    return nil
  }

  private mutating func values(of packet: ProtocolForm.Packet) -> [(name: String, value: FieldValue)] {
    var isJSON = false
    if case .json = packet.body { isJSON = true }
    // What says how long another field is follows from that one.
    let lengths =
      packet.fields.compactMap { field in
        if case .field(let owner)? = field.kind.extent { owner } else { nil }
      } + [packet.ownLength?.field].compactMap(\.self)
    var drawn = FilePacket(name: packet.name, fields: [])
    // Members of the entries of one list are as many.
    let entries = Int64(below(4))
    for field in packet.fields where !lengths.contains(field.name) {
      if field.path.contains(where: \.isList), case .list(let element, _) = field.kind {
        let count = field.range.map { min(max(entries, $0.lowerBound), $0.upperBound) } ?? entries
        drawn.fields.append((field.name, .list((0..<count).map { _ in value(element, nil) })))
        continue
      }
      if let presence = field.presence {
        guard isJSON ? below(2) == 0 : presence.holds(drawn[presence.field]?.number ?? 0) else { continue }
      }
      drawn.fields.append((field.name, field.constant ?? value(field.kind, field.range)))
    }
    return drawn.fields
  }

  private mutating func value(_ kind: ProtocolForm.Field.Kind, _ range: ClosedRange<Int64>?) -> FieldValue {
    switch kind {
    case .integer(let form): .number(number(in: range?.clamped(to: form.range) ?? form.range))
    case .number: .number(number(in: range ?? -(1 << 53)...(1 << 53)))
    case .flag: .flag(below(2) == 0)
    case .text(let extent): .text(text(count(extent, range)))
    case .octets(let extent): .octets((0..<count(extent, range)).map { _ in UInt8(below(256)) })
    case .list(let element, let extent): .list((0..<count(extent, range)).map { _ in value(element, nil) })
    case .decimal: .decimal(decimal(in: range))
    case .map(let element):
      .map(
        (0..<count(.rest, range)).map { FieldValue.Entry(name: "\($0)" + text(below(6)), value: value(element, nil)) })
    case .checksum: .number(0)
    }
  }

  /// The ends of a range, and small numbers, more often than others.
  private mutating func number(in range: ClosedRange<Int64>) -> Int64 {
    switch below(4) {
    case 0: return below(2) == 0 ? range.lowerBound : range.upperBound
    case 1: return min(max(Int64(below(300)), range.lowerBound), range.upperBound)
    default:
      let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
      let step = width == .max ? stream.next() : stream.below(width + 1)
      return range.lowerBound &+ Int64(bitPattern: step)
    }
  }

  /// Millionths of a number that a range allows.
  private mutating func decimal(in range: ClosedRange<Int64>?) -> Int64 {
    let top: Int64 = 9_000_000_000_000
    let low = max(range?.lowerBound ?? -1_000, -top)
    let high = max(low, min(range?.upperBound ?? 1_000, top))
    return number(in: low...high) * 1_000_000 / Int64(1 + below(3))
  }

  private mutating func count(_ extent: ProtocolForm.Field.Extent, _ range: ClosedRange<Int64>?) -> Int {
    if case .fixed(let count) = extent { return count }
    let bounds = range ?? 0...Self.extentLimit
    let top = min(bounds.upperBound, bounds.lowerBound &+ Self.extentLimit)
    return Int(bounds.lowerBound) + below(Int(top - bounds.lowerBound) + 1)
  }

  private mutating func text(_ octets: Int) -> String {
    String((0..<octets).map { _ in Character(UnicodeScalar(UInt8(32 + below(95)))) })
  }
}
