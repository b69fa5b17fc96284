import CaptureFormats
import SimKernel

/// What recorders do to captures of right behaviour.
enum CaptureDamage: String, CaseIterable {
  /// Each n-th record, or some at random, is not there.
  case dropsEach, drops, dropsBursts
  /// Records are cut to a length.
  case snapped
  /// Neighbours have changed places, with their own times.
  case swapped
  case duplicated
  case startsLate, endsEarly
  /// One interface, or one device, was recorded only.
  case oneInterface
  /// Nothing says which packets left the machine, or what the interfaces are called.
  case anonymous
  /// Several of these.
  case mixed

  func apply(to records: [CaptureRecord], _ random: inout RandomStream) -> [CaptureRecord] {
    let count = UInt64(max(1, records.count))
    func below(_ limit: UInt64) -> Int { Int(random.below(limit)) }
    switch self {
    case .dropsEach:
      let (each, first) = (2 + below(9), below(10))
      return records.enumerated().filter { ($0.offset + first) % each != 0 }.map(\.element)
    case .drops:
      let permille = [5, 30, 150, 500][below(4)]
      return records.filter { _ in below(1_000) >= permille }
    case .dropsBursts:
      var isLosing = false
      return records.filter { _ in
        isLosing = isLosing ? below(10) < 7 : below(100) == 0
        return !isLosing
      }
    case .snapped:
      let length = [54, 66, 80, 96, 128, 256][below(6)]
      return records.map { record in
        var cut = record
        cut.octets = record.octets.prefix(length)
        return cut
      }
    case .swapped:
      var swapped = records
      for index in swapped.indices.dropLast() where below(6) == 0 { swapped.swapAt(index, index + 1) }
      return swapped
    case .duplicated: return records.flatMap { below(4) == 0 ? [$0, $0] : [$0] }
    case .startsLate: return Array(records.dropFirst(below(count)))
    case .endsEarly: return Array(records.prefix(1 + below(count)))
    case .oneInterface:
      let interfaces = records.map { Self.interface($0) }
      guard let chosen = interfaces.isEmpty ? nil : interfaces[below(count)] else { return [] }
      return records.filter { Self.interface($0) == chosen }
    case .anonymous:
      return records.map { record in
        guard case .network(let header) = record.body else { return record }
        var plain = record
        plain.body = .network(NetworkHeader(isOutgoing: nil, interfaceName: header.interfaceName.map { _ in "eth0" }))
        return plain
      }
    case .mixed:
      let all: [Self] = [.drops, .swapped, .duplicated, .startsLate, .endsEarly, .anonymous, .snapped]
      return (0..<3).reduce(records) { damaged, _ in all[below(UInt64(all.count))].apply(to: damaged, &random) }
    }
  }

  private static func interface(_ record: CaptureRecord) -> String? {
    if case .network(let header) = record.body { header.interfaceName } else { nil }
  }

  /// Whether a record is a message of Multicast DNS.
  static func isNames(_ record: CaptureRecord) -> Bool {
    // Both ports are 5353, in the header of UDP after that of IPv4 or IPv6.
    [34, 54].contains { start in
      record.octets.count > start + 4 && Array(record.octets.dropFirst(start).prefix(4)) == [0x14, 0xE9, 0x14, 0xE9]
    }
  }
}
