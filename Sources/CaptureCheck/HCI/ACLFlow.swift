/// ACL packets that a host has sent and its controller has not yet completed, and what buffers there are for them.
///
/// Spec: Core v5.4, Vol 4, Part E, 4.1.1, 7.7.19 and 7.8.2.
struct ACLFlow {
  private static let unknown: Int32 = -1

  /// By connection handle, as long as the greatest so far; `unknown` where the beginning is not in the capture, or the
  /// controller has completed more than there was.
  private var counts: [Int32] = []
  /// The sum over all handles whose count is known.
  private(set) var total = 0
  /// What LE Read Buffer Size said; nil before it, and when LE has no buffers of its own.
  private(set) var buffers: (octets: Int, packets: Int)?

  /// Packets under way on a handle; nil: unknown, or no connection is up there.
  @inline(__always)
  func packets(_ handle: Int) -> Int? {
    guard handle < counts.count, counts[handle] >= 0 else { return nil }
    return Int(counts[handle])
  }

  mutating func open(_ handle: Int, isFromStart: Bool) { set(handle, isFromStart ? 0 : Self.unknown) }
  mutating func close(_ handle: Int) { set(handle, Self.unknown) }

  /// Records are missing: what is under way is not known of any handle.
  mutating func forget() {
    counts = counts.map { _ in Self.unknown }
    total = 0
  }

  @inline(__always)
  mutating func send(_ handle: Int) {
    guard handle < counts.count, counts[handle] >= 0 else { return }
    counts[handle] &+= 1
    total &+= 1
  }

  /// The parameters of Number Of Completed Packets: a count, and so many pairs of a handle and a number.
  mutating func complete(_ fields: OctetFields) {
    for offset in stride(from: 1, through: fields.count - 4, by: 4) {
      let handle = Int(fields.u16(offset) & 0x0FFF)
      guard let count = packets(handle) else { continue }
      let completed = Int(fields.u16(offset + 2))
      set(handle, completed > count ? Self.unknown : Int32(count - completed))
    }
  }

  mutating func learnBuffers(octets: Int, packets: Int) {
    buffers = octets == 0 || packets == 0 ? nil : (octets, packets)
  }

  private mutating func set(_ handle: Int, _ count: Int32) {
    if handle >= counts.count {
      if count < 0 { return }
      counts += repeatElement(Self.unknown, count: handle + 1 - counts.count)
    }
    total += Int(max(0, count)) - Int(max(0, counts[handle]))
    assert(total >= 0, "the sum is not negative")
    counts[handle] = count
  }
}
