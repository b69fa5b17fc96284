import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing
import VirtualRadio

@Suite("LE credit based channels between two stacks in a room")
struct HostChannelRoomTests {
  /// Device 0 listens and serves, device 1 connects, opens a channel and subscribes.
  private func pair() throws -> (room: StackRoom, handles: [HCI.ConnectionHandle], numbers: [HostChannelNumber]) {
    let room = StackRoom(2)
    room.hosts[0].publish(.loop)
    let psm = try required(room.hosts[0].listen(needsEncryption: false))
    room.hosts[0].startAdvertising(data: [2, 1, 6], scanResponse: [])
    room.hosts[1].connect(to: RadioBench.address(0))
    room.run(for: .seconds(2))
    let handles = (0..<2).compactMap { device in
      room.take(device).compactMap { if case .connected(let handle, _) = $0 { handle } else { nil } }.first
    }
    try require(handles.count == 2)
    room.hosts[1].discover(handles[1], service: loopService)
    room.run(for: .seconds(2))
    room.hosts[1].subscribe(handles[1], characteristic: loopState, true)
    expect(room.hosts[1].openChannel(handles[1], psm: psm) != nil)
    room.run(for: .seconds(2))
    let numbers = (0..<2).compactMap { device in
      room.take(device).compactMap { if case .channelOpened(_, let channel) = $0 { channel.number } else { nil } }.first
    }
    try require(numbers.count == 2)
    return (room, handles, numbers)
  }

  @Test("Both stream while one notifies: everything arrives in order, and values have their part of the link")
  func exchange() throws {
    let (room, handles, numbers) = try pair()
    let stream = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 >> 3) }
    var offset = [0, 0]
    var received: [[UInt8]] = [[], []]
    var values: [UInt8] = []
    var sent: UInt8 = 0
    var shares: [Int] = []
    room.onEvent = { device, event in
      switch event {
      case .channelReceived(let number, let sdu):
        equal(number, numbers[device])
        received[device] += sdu
      case .valueNotified(_, _, let value):
        values.append(value[0])
        if received[0].count < stream.count / 2 { shares.append(received[1].count) }
      default: break
      }
    }
    for _ in 0..<400 where received.contains(where: { $0.count < stream.count }) {
      for device in 0..<2 {
        offset[device] += room.hosts[device].stream(Array(stream[offset[device]...]), on: numbers[device])
      }
      while values.count < 200, sent < 250,
        room.hosts[0].notify(handles[0], characteristic: loopState, value: [sent] + [UInt8](repeating: 0, count: 19))
      {
        sent += 1
      }
      room.run(for: .milliseconds(100))
    }
    equal(received, [stream, stream])
    expect(values.count >= 100)
    equal(values, (0..<values.count).map { UInt8($0) })
    // The values did not wait until the channel had nothing more to say.
    expect(shares.count > 50)
  }

  @Test("A device that vanishes takes its channels with it, after the supervision timeout")
  func vanished() throws {
    let (room, handles, numbers) = try pair()
    room.hosts[0].stop(at: room.timeline.now)
    room.run(for: .seconds(10))
    let ends = room.take(1).filter {
      switch $0 {
      case .channelClosed, .disconnected: true
      default: false
      }
    }
    equal(
      ends, [.channelClosed(numbers[1], .linkLost), .disconnected(handles[1], reason: .connectionTimeout)])
    expect(room.take(0).contains(.channelClosed(numbers[0], .linkLost)))
  }
}
