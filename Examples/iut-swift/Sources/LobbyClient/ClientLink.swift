import AppSeam
import BluetoothWire

/// One connection of the client: how far it is set up, and what waits to be written.
final class ClientLink {
  let id: LinkID
  let address: BluetoothAddress
  var attMTU = 23
  var isDiscovering = false
  var subscriptions: [BluetoothUUID] = []
  var wantsResponse = true
  /// The sender of the first packet (BAB 7.5).
  var host: String?
  var lastCount: Int64 = 0
  var reassembler = Reassembler()

  /// Packets, the first one under way once `values` has some.
  var queue: [(type: String, packet: [UInt8])] = []
  var isWaiting = false
  private var values: [[UInt8]] = []
  private var position = 0
  private var nextPacketID: UInt16 = 0
  private var packetsSent = 0

  init(id: LinkID, address: BluetoothAddress) {
    self.id = id
    self.address = address
  }

  /// The value that is due, cut to the ATT_MTU of this moment (BAB 3.1 to 3.7).
  func nextValue() -> [UInt8]? {
    guard let first = queue.first else { return nil }
    if values.isEmpty {
      let size = min(attMTU - 3, 512) - 4
      let count = max(1, (first.packet.count + size - 1) / size)
      guard count <= 255 else {
        queue.removeFirst()
        return nextValue()
      }
      let head = [UInt8(nextPacketID >> 8), UInt8(nextPacketID & 0xFF)]
      values = (0..<count).map { index in
        head + [UInt8(index), UInt8(count)] + first.packet[index * size..<min((index + 1) * size, first.packet.count)]
      }
      position = 0
      nextPacketID &+= 1
    }
    return values[position]
  }

  /// One value is through; the packet that this completes.
  func valueWasTaken() -> (type: String, sequence: Int, fragments: Int)? {
    position += 1
    guard position == values.count, !queue.isEmpty else { return nil }
    let type = queue.removeFirst().type
    defer {
      packetsSent += 1
      values = []
    }
    return (type, packetsSent, values.count)
  }
}
