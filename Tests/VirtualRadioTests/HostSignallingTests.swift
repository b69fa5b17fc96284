import BluetoothWire
import Expectations
import SimKernel
import Testing
import VirtualRadio

@Suite("L2CAP recombination, LE signalling, Security Manager (Core v5.4, Vol 3, Parts A and H)")
struct HostSignallingTests {
  private static let wish = HCI.ConnectionParameters(
    intervalMinimum: 80, intervalMaximum: 100, peripheralLatency: 4, supervisionTimeout: 600)

  private func signals(_ frames: [L2CAP.Frame]) -> [L2CAP.Signal] {
    frames.compactMap { $0.channel == .signalling ? try? L2CAP.Signal(decoding: $0.payload) : nil }
  }

  private func ask(_ parameters: HCI.ConnectionParameters) -> [UInt8] {
    L2CAP.Signal.connectionParameterUpdateRequest(identifier: 7, parameters).octets
  }

  @Test("A peripheral asks for its parameters 5 s after connecting, and a central that agrees updates the connection")
  func accepted() {
    let bench = LoopBench(2) { index, configuration in
      if index == 0 { configuration.peripheralPreferredParameters = Self.wish }
    }
    let handle = bench.connectAll()[0]
    for device in bench.devices { _ = device.take() }
    bench.run(to: .zero + .seconds(5) - .nanoseconds(1))
    equal(bench.devices[0].take(), [])
    bench.run(to: .zero + .seconds(5))
    let changed = HostEvent.connectionParameters(
      handle, interval: 100, peripheralLatency: 4, supervisionTimeout: 600)
    equal(bench.devices[0].take(), [.parameterUpdateAnswered(handle, accepted: true), changed])
    equal(bench.devices[1].take(), [changed])
    equal(bench.devices[1].controller.commands.last, .leConnectionUpdate(handle, Self.wish))
    expect(bench.devices[0].host.nextDeadline == nil)
  }

  @Test("A wish for an interval goes through the Link Layer, and by L2CAP where the other end lacks the procedure")
  func wishedInterval() {
    let bench = LoopBench(2) { _, _ in }
    let handle = bench.connectAll()[0]
    bench.settle()
    for device in bench.devices { _ = device.take() }
    let asked = HCI.ConnectionParameters(
      intervalMinimum: 60, intervalMaximum: 80, peripheralLatency: 0, supervisionTimeout: 400)
    bench.devices[0].host.requestInterval(handle, 60...80)
    bench.settle()
    equal(bench.devices[0].controller.commands.last, .leConnectionUpdate(handle, asked))
    let host = HandDrivenHost()
    host.device.controller.silent = [.leConnectionUpdate]
    host.device.host.requestInterval(HandDrivenHost.handle, 60...80)
    _ = host.answers()
    host.device.controller.push(
      .leConnectionUpdateComplete(
        HandDrivenHost.handle, status: .unsupportedRemoteFeature, interval: 0, peripheralLatency: 0,
        supervisionTimeout: 0))
    equal(signals(host.answers()), [.connectionParameterUpdateRequest(identifier: 1, asked)])
    // Three of the longest do not fit into the supervision timeout.
    host.device.host.requestInterval(HandDrivenHost.handle, 60...3_200)
    equal(signals(host.answers()), [])
  }

  @Test("A central whose limits are elsewhere rejects, and nothing changes")
  func rejected() {
    let bench = LoopBench(2) { index, configuration in
      if index == 0 { configuration.peripheralPreferredParameters = Self.wish }
      configuration.acceptableInterval = 6...90
    }
    let handle = bench.connectAll()[0]
    for device in bench.devices { _ = device.take() }
    bench.run(to: .zero + .seconds(6))
    equal(bench.devices[0].take(), [.parameterUpdateAnswered(handle, accepted: false)])
    equal(bench.devices[1].take(), [])
  }

  @Test("A central that never answers is given up after 30 s")
  func unanswered() {
    let host = HandDrivenHost { $0.peripheralPreferredParameters = Self.wish }
    host.bench.run(to: .zero + .seconds(5))
    equal(signals(host.answers()), [.connectionParameterUpdateRequest(identifier: 1, Self.wish)])
    host.bench.run(to: .zero + .seconds(35) - .nanoseconds(1))
    equal(host.device.take(), [])
    host.bench.run(to: .zero + .seconds(35))
    equal(host.device.take(), [.parameterUpdateAnswered(HandDrivenHost.handle, accepted: false)])
  }

  @Test("A Command Reject answers the parameter request too")
  func rejectAnswers() {
    let host = HandDrivenHost { $0.peripheralPreferredParameters = Self.wish }
    host.bench.run(to: .zero + .seconds(5))
    _ = host.answers()
    equal(host.give(.signalling, [0x01, 2, 2, 0, 0, 0]), [])
    equal(host.device.take(), [])
    equal(host.give(.signalling, [0x01, 1, 2, 0, 0, 0]), [])
    equal(host.device.take(), [.parameterUpdateAnswered(HandDrivenHost.handle, accepted: false)])
  }

  /// Minimum, maximum, latency, timeout; the result of Vol 3, Part A, 4.21.
  @Test(
    "Parameter requests are accepted and rejected by the ranges of the specification",
    arguments: [
      ([6, 6, 0, 10], 0), ([6, 3200, 0, 3200], 0), ([5, 6, 0, 10], 1), ([6, 3201, 0, 3200], 1), ([40, 30, 0, 100], 1),
      ([6, 6, 500, 3200], 1), ([6, 6, 499, 3200], 0), ([6, 6, 0, 9], 1), ([6, 6, 0, 3201], 1), ([100, 400, 0, 100], 1),
      ([100, 400, 0, 101], 0), ([0, 0, 0, 0], 1),
    ] as [([UInt16], UInt16)])
  func ranges(values: [UInt16], result: UInt16) {
    let host = HandDrivenHost(.central)
    let parameters = HCI.ConnectionParameters(
      intervalMinimum: values[0], intervalMaximum: values[1], peripheralLatency: values[2],
      supervisionTimeout: values[3])
    equal(
      signals(host.give(.signalling, ask(parameters))),
      [.connectionParameterUpdateResponse(identifier: 7, result: result)])
    equal(
      (host.device.controller.commands.last == .leConnectionUpdate(HandDrivenHost.handle, parameters)), (result == 0))
  }

  @Test("The Link Layer's parameter request gets a reply or a negative reply")
  func linkLayerRequest() {
    let host = HandDrivenHost(.central) { $0.acceptableInterval = 6...90 }
    host.device.controller.push(.leRemoteConnectionParameterRequest(HandDrivenHost.handle, Self.wish))
    _ = host.answers()
    equal(
      host.device.controller.commands.last,
      .leRemoteConnectionParameterRequestNegativeReply(
        HandDrivenHost.handle, reason: .unacceptableConnectionParameters))
    let fine = HCI.ConnectionParameters(intervalMinimum: 24, intervalMaximum: 40, supervisionTimeout: 400)
    host.device.controller.push(.leRemoteConnectionParameterRequest(HandDrivenHost.handle, fine))
    _ = host.answers()
    equal(
      host.device.controller.commands.last, .leRemoteConnectionParameterRequestReply(HandDrivenHost.handle, fine))
  }

  @Test(
    "Commands that are not understood are rejected, answers never are",
    arguments: [
      ([0x12, 7, 8, 0, 24, 0, 40, 0, 0, 0, 144, 1], [0x01, 7, 2, 0, 0, 0]),
      ([0x14, 3, 10, 0, 0x80, 0, 0x40, 0, 23, 0, 23, 0, 10, 0], [0x01, 3, 2, 0, 0, 0]),
      ([0x55, 3, 0, 0], [0x01, 3, 2, 0, 0, 0]), ([0x12, 7, 8, 0, 24, 0], [0x01, 7, 2, 0, 0, 0]),
      ([0x12, 7], [0x01, 7, 2, 0, 0, 0]), ([0x12, 0, 0, 0], []), ([0x12], []), ([], []),
      ([0x13, 9, 2, 0, 0, 0], []), ([0x13, 9, 3, 0, 0, 0], []), ([0x01, 9, 2, 0, 0, 0], []), ([0x15, 9, 0, 0], []),
      ([0x55, 3, 20, 0] + [UInt8](repeating: 0, count: 20), [0x01, 3, 4, 0, 1, 0, 23, 0]),
    ] as [([UInt8], [UInt8])])
  func rejects(command: [UInt8], answer: [UInt8]) {
    let frames = HandDrivenHost().give(.signalling, command)
    equal(frames, (answer.isEmpty ? [] : [L2CAP.Frame(channel: .signalling, payload: answer)]))
  }

  @Test("Pairing is refused with Pairing Not Supported")
  func pairing() {
    let refused = [L2CAP.Frame(channel: .securityManager, payload: [0x05, 0x05])]
    let request: [UInt8] = [0x01, 3, 0, 1, 16, 1, 1]
    equal(HandDrivenHost().give(.securityManager, request), refused)
    equal(HandDrivenHost(.central).give(.securityManager, [0x0B, 1]), refused)
    equal(HandDrivenHost(.central).give(.securityManager, request), [])
    equal(HandDrivenHost().give(.securityManager, [0x05, 0x05]), [])
    equal(HandDrivenHost().give(.securityManager, []), [])
  }

  @Test("A request in any fragments is answered once, when it is whole", arguments: 1...10)
  func anyFragments(size: Int) {
    let host = HandDrivenHost()
    let frame = L2CAP.Frame(channel: .attribute, payload: ATT.PDU.readBlobRequest(17, offset: 1).octets).octets
    var answers: [L2CAP.Frame] = []
    for start in stride(from: 0, to: frame.count, by: size) {
      equal(answers, [])
      answers = host.give(
        Array(frame[start..<min(start + size, frame.count)]), start == 0 ? .firstFlushable : .continuing)
    }
    equal(answers, [L2CAP.Frame(channel: .attribute, payload: [0x0D, 2, 3])])
    equal(host.device.take(), [])
  }

  @Test("Broken sequences of fragments are reported and dropped, and the next frame is whole again")
  func brokenFragments() {
    let host = HandDrivenHost()
    let request = L2CAP.Frame(channel: .attribute, payload: [0x0A, 17, 0]).octets
    let answer = [L2CAP.Frame(channel: .attribute, payload: [0x0B, 1, 2, 3])]
    func violations() -> [String] {
      host.device.take().compactMap { if case .protocolViolation(_, let text) = $0 { text } else { nil } }
    }
    equal(host.give([17, 0], .continuing), [])
    equal(violations(), ["continuing ACL data packet without a start"])
    equal(host.give(Array(request[..<5])), [])
    equal(host.give(request), answer)
    equal(violations(), ["L2CAP frame left unfinished"])
    equal(host.give(request + [0]), [])
    equal(violations(), ["L2CAP frame of 3 octets with 1 more after it"])
    equal(host.give([0x06, 0x02, 4, 0, 1]), [])
    equal(host.give([UInt8](repeating: 0, count: 200), .continuing), [])
    equal(violations(), ["L2CAP frame of 518 octets exceeds every channel's MTU"])
    equal(host.give([]), [])
    equal(host.give(request), answer)
    equal(violations(), ["ACL data packet without an octet"])
    equal(host.give(L2CAP.ChannelID(rawValue: 0x40), [1]), [])
    equal(violations(), ["frame on channel 0x40, which nobody opened"])
  }

  @Test("A client's request waits for exactly 30 s; then the bearer is closed and everything that waits fails")
  func clientTimeout() {
    let host = HandDrivenHost(.central)
    host.bench.run(to: .zero + .seconds(1))
    host.device.host.discover(HandDrivenHost.handle, service: loopService)
    host.device.host.read(HandDrivenHost.handle, characteristic: loopState)
    equal(host.sentPDUs().count, 1)
    equal(host.device.host.nextDeadline, .zero + .seconds(31))
    host.bench.run(to: .zero + .seconds(31) - .nanoseconds(1))
    equal(host.device.take(), [])
    host.bench.run(to: .zero + .seconds(31))
    equal(
      host.device.take(),
      [
        .transactionTimeout(HandDrivenHost.handle),
        .servicesDiscovered(HandDrivenHost.handle, service: loopService, characteristics: []),
        .readCompleted(HandDrivenHost.handle, characteristic: loopState, value: [], error: .unlikelyError),
      ])
    expect(host.device.host.nextDeadline == nil)
    host.device.host.exchangeMTU(HandDrivenHost.handle, 100)
    host.device.host.discoverServices(HandDrivenHost.handle)
    equal(host.answers(), [])
    equal(host.device.take(), [.attMTU(HandDrivenHost.handle, 23), .primaryServices(HandDrivenHost.handle, [])])
  }

  @Test("Only the response to the outstanding request ends it")
  func wrongResponses() {
    let host = HandDrivenHost(.central)
    host.device.host.discoverServices(HandDrivenHost.handle)
    _ = host.answers()
    equal(host.att(.readResponse([1])), [])
    equal(host.att(.errorResponse(request: .readRequest, handle: 1, code: .invalidHandle)), [])
    expect(!host.device.take().contains { if case .primaryServices = $0 { true } else { false } })
    let asked = host.att(.readByGroupTypeResponse([.init(handle: 1, end: 5, value: [0, 0x18])]))
    equal(asked, [.readByGroupTypeRequest(.init(start: 6, end: 0xFFFF), type: .short(0x2800))])
    _ = host.att(.errorResponse(request: .readByGroupTypeRequest, handle: 6, code: .attributeNotFound))
    equal(
      host.device.take(),
      [
        .primaryServices(HandDrivenHost.handle, [.init(uuid: .genericAccess, start: 1, end: 5)])
      ])
  }
}
