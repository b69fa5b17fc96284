import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// Seven subscribed clients of a host that always has a value of 20 octets for each.
final class SaturatedLobby {
  private let room: StackRoom
  private var received = Array(repeating: 0, count: 8)
  private var handles: [HCI.ConnectionHandle] = []

  init(seed: UInt64, interval: UInt16, buffers: Int) throws {
    room = StackRoom(8, seed: seed) { configuration, _ in
      configuration.aclBuffers = buffers
      configuration.maximumDataLength = 27
    } configure: { _, configuration in
      configuration.connectionInterval = interval...interval
      configuration.requestedDataLength = nil
    }
    room.hosts[0].publish(.loop)
    for central in 1...7 {
      room.hosts[0].startAdvertising(data: [2, 1, 6], scanResponse: [])
      room.hosts[central].connect(to: RadioBench.address(0))
      room.run(for: .seconds(3))
      let handle = try required(
        room.take(central).compactMap { if case .connected(let handle, _) = $0 { handle } else { nil } }.first)
      room.hosts[central].discover(handle, service: loopService)
      room.run(for: .seconds(3))
      room.hosts[central].subscribe(handle, characteristic: loopState, true)
      room.run(for: .seconds(2))
    }
    for event in room.take(0) { if case .connected(let handle, _) = event { handles.append(handle) } }
    try require(handles.count == 7)
  }

  var anchors: [SimInstant] { room.world.connections.map(\.anchor) }

  /// kbit/s of values at each client.
  func rates(seconds: Int64) -> [Double] {
    room.onEvent = { [unowned self] device, event in
      switch event {
      case .readyToSend(let handle): if device == 0 { fill(handle) }
      case .valueNotified: received[device] += 1
      default: break
      }
    }
    for handle in handles { fill(handle) }
    room.run(for: .seconds(2))
    received = Array(repeating: 0, count: 8)
    room.run(for: .seconds(seconds))
    return received.dropFirst().map { Double($0) * Exchange.smallValueBits / Double(seconds) / 1_000 }
  }

  private func fill(_ handle: HCI.ConnectionHandle) {
    let value = [UInt8](repeating: 7, count: 20)
    while room.hosts[0].notify(handle, characteristic: loopState, value: value) {}
  }
}
