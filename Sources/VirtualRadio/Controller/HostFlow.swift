import BluetoothWire
import SimKernel

/// Flow control from the controller to its host (Vol 4, Part E, 4.1.2): the ACL data that its buffers have room for.
///
/// One PDU of a link at most waits here, in pieces that the host's buffers hold: a link layer whose controller has no
/// room does not acknowledge the next one (Vol 6, Part B, 4.5.9).
struct HostFlow {
  /// The host wants it for ACL data (7.3.38).
  var isOn = false
  /// What the host has said of its buffers (7.3.39); nil: nothing, and there is no limit.
  var buffers: HCI.HostBufferSize?
  /// Packets that the host has not said to be completed, by link.
  private var inUse: [(handle: HCI.ConnectionHandle, count: Int)] = []
  private var held: [HCI.ACLData] = []

  /// Whether the link layer may accept data.
  var hasRoom: Bool { !isOn || held.isEmpty && free > 0 }

  private var free: Int { Int(buffers?.aclCount ?? .max) - inUse.reduce(0) { $0 + $1.count } }

  /// Takes data for the host, and gives back what may go to it now.
  mutating func take(_ data: HCI.ACLData) -> [HCI.ACLData] {
    held += pieces(of: data)
    return released()
  }

  /// What the host has room for, in order.
  private mutating func released() -> [HCI.ACLData] {
    let data = Array(held.prefix(max(free, 0)))
    held.removeFirst(data.count)
    for piece in data {
      if let place = inUse.firstIndex(where: { $0.handle == piece.handle }) {
        inUse[place].count += 1
      } else {
        inUse.append((piece.handle, 1))
      }
    }
    assert(held.isEmpty || free <= 0, "nothing is held while the host has room")
    return data
  }

  private func pieces(of data: HCI.ACLData) -> [HCI.ACLData] {
    let length = Int(buffers?.aclLength ?? .max)
    return stride(from: 0, to: max(data.octets.count, 1), by: length).map { start in
      HCI.ACLData(
        handle: data.handle, boundary: start == 0 ? data.boundary : .continuing,
        octets: Array(data.octets.dropFirst(start).prefix(length)))
    }
  }

  /// The host has completed packets; nil: so many are not with it.
  mutating func complete(_ packets: [HCI.CompletedPackets]) -> [HCI.ACLData]? {
    var left = inUse
    for entry in packets {
      guard let place = left.firstIndex(where: { $0.handle == entry.handle }), left[place].count >= entry.count else {
        return nil
      }
      left[place].count -= Int(entry.count)
    }
    inUse = left.filter { $0.count > 0 }
    return released()
  }

  /// A link is gone: its packets count as completed, and what was held of it is dropped (7.3.40).
  mutating func forget(_ handle: HCI.ConnectionHandle) -> [HCI.ACLData] {
    inUse.removeAll { $0.handle == handle }
    held.removeAll { $0.handle == handle }
    return released()
  }
}
