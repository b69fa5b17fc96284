import BluetoothWire
import Expectations
import SimKernel
import Testing
import VirtualRadio

@Suite("Back-pressure: controller buffers, queues, fairness (Core v5.4, Vol 4, Part E, 4.1.1)")
struct HostFlowTests {
  /// Device 0 serves; the others have subscribed to its state.
  private func lobby(
    clients: Int, depth: Int, buffers: Int = 4, length: Int = 251, mtu: Int = 23
  ) -> (bench: LoopBench, server: LoopDevice, handles: [HCI.ConnectionHandle]) {
    let bench = LoopBench(clients + 1) { index, configuration in
      configuration.requestedDataLength = nil
      configuration.notificationQueueDepth = depth
      configuration.writeCommandQueueDepth = depth
      configuration.serverATTMTU = mtu
      configuration.clientATTMTU = mtu
      configuration.exchangesMTUAutomatically = true
    }
    bench.devices[0].controller.aclBuffers = buffers
    bench.devices[0].controller.aclLength = length
    bench.devices[0].host.start(at: bench.now)
    bench.settle()
    bench.devices[0].host.publish(.loop)
    let handles = bench.connectAll()
    for (device, handle) in zip(bench.devices.dropFirst(), handles) {
      device.host.discover(handle, service: loopService)
      bench.settle()
      device.host.subscribe(handle, characteristic: loopState, true)
      bench.settle()
    }
    for device in bench.devices { _ = device.take() }
    return (bench, bench.devices[0], handles)
  }

  private func notified(_ device: LoopDevice) -> [[UInt8]] {
    device.take().compactMap { if case .valueNotified(_, _, let value) = $0 { value } else { nil } }
  }

  @Test("A full queue refuses without sending; readyToSend comes with the first room; nothing is lost or reordered")
  func backPressure() {
    let (bench, server, handles) = lobby(clients: 1, depth: 3, buffers: 4)
    let handle = handles[0]
    server.controller.isStalled = true
    var taken: [[UInt8]] = []
    var number: UInt8 = 0
    func push() -> Bool {
      guard server.host.notify(handle, characteristic: loopState, value: [number]) else { return false }
      taken.append([number])
      number += 1
      return true
    }
    while push() {}
    // Four buffers in the controller, three values in the host.
    equal(number, 7)
    expect(!push())
    bench.settle()
    equal(server.take(), [])
    server.controller.release(1)
    bench.settle()
    equal(server.take(), [.readyToSend(handle)])
    expect(push())
    expect(!push())
    server.controller.release(2)
    bench.settle()
    equal(server.take(), [.readyToSend(handle)])
    expect(push())
    expect(push())
    expect(!push())
    server.controller.isStalled = false
    server.controller.release()
    bench.settle()
    equal(server.take(), [.readyToSend(handle)])
    equal(notified(bench.devices[1]), taken)
    equal(server.controller.mostHeld, 4)
  }

  @Test("With no queue at all, what the controller can take is taken")
  func noQueue() {
    let (bench, server, handles) = lobby(clients: 1, depth: 0, buffers: 3)
    server.controller.isStalled = true
    let answers = (0..<5).map { server.host.notify(handles[0], characteristic: loopState, value: [$0]) }
    equal(answers, [true, true, true, false, false])
    server.controller.release(1)
    bench.settle()
    equal(server.take(), [.readyToSend(handles[0])])
  }

  @Test("A long value goes in fragments of at most one buffer, and arrives whole", arguments: [27, 64, 251])
  func fragments(length: Int) {
    let (bench, server, handles) = lobby(clients: 1, depth: 2, buffers: 2, length: length, mtu: 517)
    let before = server.controller.sent.count
    let value = (0..<512).map { UInt8(truncatingIfNeeded: $0) }
    server.controller.isStalled = true
    expect(server.host.notify(handles[0], characteristic: loopState, value: value))
    expect(server.host.notify(handles[0], characteristic: loopState, value: [1]))
    server.controller.isStalled = false
    server.controller.release()
    bench.settle()
    equal(notified(bench.devices[1]), [value, [1]])
    let packets = server.controller.sent[before...]
    equal(packets.count, (519 + length - 1) / length + 1)
    equal(packets.filter { $0.boundary != .continuing }.count, 2)
    expect(server.controller.mostHeld <= 2)
  }

  @Test("A link whose peer is silent cannot take the last buffer from the others")
  func starvation() {
    let (bench, server, handles) = lobby(clients: 3, depth: 50, buffers: 5)
    server.controller.isStalled = true
    for number in UInt8(0)..<40 { expect(server.host.notify(handles[0], characteristic: loopState, value: [number])) }
    equal(server.controller.waiting.count, 3)
    for round in 0..<20 {
      for handle in handles[1...] {
        expect(server.host.notify(handle, characteristic: loopState, value: [UInt8(round)]))
        server.controller.release(1, handle: handle)
        bench.settle()
      }
    }
    let expected = (0..<20).map { [UInt8($0)] }
    equal(notified(bench.devices[2]), expected)
    equal(notified(bench.devices[3]), expected)
    equal(notified(bench.devices[1]), [])
  }

  @Test("Links with equal demand are served in turn")
  func fairness() throws {
    let (bench, server, handles) = lobby(clients: 3, depth: 50, buffers: 3)
    server.controller.isStalled = true
    for number in 0..<10 {
      for handle in handles { expect(server.host.notify(handle, characteristic: loopState, value: [UInt8(number)])) }
    }
    let before = server.controller.sent.count
    for _ in 0..<27 {
      server.controller.release(1)
      bench.settle()
    }
    let order = server.controller.sent[before...].map(\.handle)
    try require(order.count == 27)
    for start in stride(from: 0, to: 27, by: 3) { equal(Set(order[start..<start + 3]), Set(handles)) }
  }

  @Test("The buffers of a link that ends are free for the others, and its queue is gone")
  func creditsComeBack() {
    let (bench, server, handles) = lobby(clients: 2, depth: 50, buffers: 4)
    server.controller.isStalled = true
    for number in UInt8(0)..<20 { _ = server.host.notify(handles[0], characteristic: loopState, value: [number]) }
    for number in UInt8(0)..<20 { _ = server.host.notify(handles[1], characteristic: loopState, value: [number]) }
    equal(server.controller.waiting.count, 4)
    bench.devices[1].host.disconnect(handles[0])
    bench.settle()
    equal(server.controller.waiting.count, 4)
    expect(server.controller.waiting.allSatisfy { $0.handle == handles[1] })
    server.controller.isStalled = false
    server.controller.release()
    bench.settle()
    equal(notified(bench.devices[2]), (0..<20).map { [UInt8($0)] })
  }

  @Test("Packets completed that were never outstanding are a controller fault, not a credit")
  func tooManyCredits() {
    let (bench, server, handles) = lobby(clients: 1, depth: 1, buffers: 2)
    server.controller.push(.numberOfCompletedPackets([.init(handle: handles[0], count: 3)]))
    server.controller.push(.numberOfCompletedPackets([.init(handle: 0x0ABC, count: 9)]))
    bench.settle()
    equal(
      server.take(), [.controllerFault("3 packets completed on handle \(handles[0]), 0 were outstanding")])
    server.controller.isStalled = true
    while server.host.notify(handles[0], characteristic: loopState, value: [1]) {}
    equal(server.controller.waiting.count, 2)
  }

  @Test("Responses pass a queue full of values in their turn, never before them")
  func responsesKeepOrder() {
    let (bench, server, handles) = lobby(clients: 1, depth: 4, buffers: 1)
    server.controller.isStalled = true
    while server.host.notify(handles[0], characteristic: loopState, value: [7]) {}
    bench.devices[1].host.read(handles[0], characteristic: loopNote)
    bench.settle()
    server.controller.isStalled = false
    server.controller.release()
    bench.settle()
    let told = bench.devices[1].take()
    equal(told.count, 6)
    equal(told.last, .readCompleted(handles[0], characteristic: loopNote, value: [1, 2, 3], error: nil))
  }
}
