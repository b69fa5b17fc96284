import BluetoothWire
import Expectations
import SimKernel
import Testing
import VirtualRadio

@Suite("What goes over LE credit based channels, and how they end (Core v5.4, Vol 3, Part A, 3.4.3, 4.6, 4.24, 10.1)")
struct HostChannelDataTests {
  private static let handle = HandDrivenHost.handle
  private static let near = ChannelPeer.endpoint(0x40)
  private static let far = ChannelPeer.endpoint(0x50)

  private static func numbers(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0) } }

  private func disconnection(_ identifier: UInt8) -> [L2CAP.Signal] {
    [.disconnectionRequest(identifier: identifier, destination: Self.far, source: Self.near)]
  }

  // MARK: Sending

  @Test("K-frames have the peer's MPS, stop when its credits are used, and go on with new ones")
  func credits() {
    let peer = ChannelPeer()
    let number = peer.openedByPeer(mtu: 100, mps: 23, credits: 2)
    expect(peer.stack.send(Self.numbers(60), on: number))
    equal(peer.sent(), [[60, 0] + Self.numbers(21), Array(21..<44)])
    equal(peer.host.device.take(), [.channelSent(number, octets: 44)])
    peer.give(.flowControlCredit(identifier: 3, channel: Self.far, credits: 1))
    equal(peer.host.device.take(), [.channelSent(number, octets: 16)])
    expect(peer.stack.send([], on: number))
    equal(peer.sent(), [])
    let frames = peer.host.give(.signalling, [0x16, 4, 4, 0, 0x50, 0, 1, 0])
    equal(frames.map(\.payload), [[0, 0]])
    equal(peer.host.device.take(), [])
  }

  @Test("What does not fit the queue is not taken, and the count says how much was")
  func backPressure() {
    let peer = ChannelPeer { $0.queuedOctets = 150 }
    let number = peer.openedByPeer(mtu: 50, mps: 50, credits: 0)
    expect(!peer.stack.send(Self.numbers(51), on: number))
    expect(peer.stack.send(Self.numbers(50), on: number))
    equal(peer.stack.stream(Self.numbers(200), on: number), 94)
    expect(!peer.stack.send([1], on: number))
    equal(peer.stack.stream([1], on: number), 0)
    peer.give(.flowControlCredit(identifier: 3, channel: Self.far, credits: 2))
    equal(peer.host.device.take(), [.channelSent(number, octets: 50)])
    equal(peer.stack.stream(Self.numbers(200), on: number), 50)
  }

  @Test("Channels of a link take turns")
  func turns() {
    let peer = ChannelPeer()
    let first = peer.openedByPeer(mtu: 100, mps: 23, credits: 100)
    peer.give(peer.request(source: 0x51, mps: 23, credits: 100))
    let second = HostChannelNumber(rawValue: first.rawValue + 1)
    peer.host.device.controller.isStalled = true
    equal(peer.stack.stream(Self.numbers(400), on: first), 400)
    equal(peer.stack.stream(Self.numbers(400), on: second), 400)
    peer.host.device.controller.isStalled = false
    peer.host.device.controller.release()
    let channels = peer.host.answers().map(\.channel.rawValue).filter { $0 >= 0x50 }
    equal(channels.count, 40)
    // What the first one had put down before the second one began is first.
    let inTurns = channels[10..<30]
    expect(zip(inTurns, inTurns.dropFirst()).allSatisfy { $0 != $1 })
  }

  @Test("Values and K-frames have equal parts of a full link, even where no value may wait", arguments: [0, 1, 4, 16])
  func values(depth: Int) {
    let peer = HandDrivenHost { configuration in
      configuration.notificationQueueDepth = depth
      configuration.channels.queuedOctets = 100_000
    }
    let stack = peer.device.host
    stack.listen(onPSM: 0x80, needsEncryption: false)
    let request = L2CAP.Signal.creditBasedConnectionRequest(
      identifier: 1, .init(spsm: 0x80, source: Self.far, mtu: 23, mps: 30, initialCredits: 65_535))
    _ = peer.give(.signalling, request.octets)
    _ = peer.att([0x12, 15, 0, 1, 0])
    let number = HostChannelNumber(rawValue: 1)
    equal(stack.stream(Self.numbers(20_000), on: number), 20_000)
    peer.device.controller.isStalled = true
    var values = 0
    for _ in 0..<400 {
      peer.device.controller.release(1)
      peer.bench.settle()
      while stack.notify(HandDrivenHost.handle, characteristic: loopState, value: [1, 2, 3]) { values += 1 }
      _ = stack.stream(Self.numbers(100), on: number)
    }
    let frames = peer.device.controller.sent.suffix(300)
    let kFrames = frames.count { $0.octets[2] == 0x50 }
    expect((100...200).contains(kFrames), "\(kFrames) of 300")
    expect(values > 100)
  }

  // MARK: Receiving

  @Test("Credits go back when half of them are used; while the owner holds them, the peer runs out")
  func credited() {
    let peer = ChannelPeer { $0.credits = 4 }
    let number = peer.openedByPeer()
    func credit(_ identifier: UInt8, _ count: UInt16) -> [L2CAP.Signal] {
      [.flowControlCredit(identifier: identifier, channel: Self.near, credits: count)]
    }
    equal(peer.give([1, 0, 7]), [])
    equal(peer.give([1, 0, 8]), credit(1, 2))
    peer.stack.holdReceiving(on: number, true)
    for value in 1...4 as ClosedRange<UInt8> { equal(peer.give([1, 0, value]), []) }
    equal(peer.host.device.take().count, 6)
    peer.stack.holdReceiving(on: number, false)
    equal(peer.signals(), credit(2, 4))
    peer.stack.holdReceiving(on: number, true)
    for _ in 0..<4 { equal(peer.give([0, 0]), []) }
    equal(peer.give([0, 0]), disconnection(3))
    equal(peer.violations(peer.host.device.take()), ["K-frame without a credit on channel 0x40"])
  }

  @Test("An SDU that needs more K-frames than there are credits arrives")
  func longSDU() {
    let peer = ChannelPeer { ($0.mtu, $0.mps, $0.credits) = (100, 23, 1) }
    let number = peer.openedByPeer()
    var segments = L2CAP.Segments(of: Self.numbers(100), mps: 23)
    var identifier: UInt8 = 0
    while let frame = segments.nextFrame(on: Self.near) {
      identifier += 1
      equal(
        peer.signals(peer.host.give(frame)),
        [.flowControlCredit(identifier: identifier, channel: Self.near, credits: 1)])
    }
    equal(peer.host.device.take(), [.channelReceived(number, Self.numbers(100))])
  }

  /// What the peer sends, and what it is.
  @Test(
    "A peer that breaks a limit of the channel has it disconnected",
    arguments: [
      ([[31, 0, 1]], "SDU of 31 octets exceeds the MTU on channel 0x40"),
      ([[UInt8](repeating: 0, count: 26)], "K-frame of 26 octets exceeds the MPS on channel 0x40"),
      ([[UInt8](repeating: 0, count: 518)], "L2CAP frame of 518 octets exceeds every channel's MTU"),
      ([[1]], "K-frame without an SDU length on channel 0x40"), ([[]], "K-frame without an SDU length on channel 0x40"),
      ([[2, 0, 1, 2, 3]], "K-frames with 1 octets more than their SDU on channel 0x40"),
      ([[9, 0], [], [], []], "K-frame without a credit on channel 0x40"),
    ] as [([[UInt8]], String)])
  func violations(payloads: [[UInt8]], text: String) {
    let peer = ChannelPeer { ($0.mtu, $0.mps, $0.credits) = (30, 25, 3) }
    let number = peer.openedByPeer()
    peer.stack.holdReceiving(on: number, true)
    let answers = payloads.flatMap { peer.give($0) }
    equal(answers, disconnection(1))
    equal(peer.host.device.take(), [.protocolViolation(Self.handle, text)])
    // What is under way is ignored, and nothing more is sent.
    equal(peer.give([1, 0, 1]), [])
    expect(!peer.stack.send([1], on: number))
    equal(peer.stack.stream([1], on: number), 0)
    peer.give(.disconnectionResponse(identifier: 1, destination: Self.far, source: Self.near))
    equal(peer.host.device.take(), [.channelClosed(number, .violation)])
    expect(peer.stack.nextDeadline == nil)
  }

  @Test("Credits beyond 65 535 disconnect; none, and those of others, are reported")
  func tooManyCredits() {
    let peer = ChannelPeer()
    let number = peer.openedByPeer(credits: 65_534)
    equal(peer.give(.flowControlCredit(identifier: 1, channel: Self.far, credits: 1)), [])
    equal(peer.host.device.take(), [])
    equal(peer.give(.flowControlCredit(identifier: 2, channel: Self.far, credits: 0)), [])
    equal(peer.give(.flowControlCredit(identifier: 3, channel: Self.near, credits: 1)), [])
    equal(peer.give(.flowControlCredit(identifier: 4, channel: Self.far, credits: 1)), disconnection(1))
    equal(
      peer.violations(peer.host.device.take()),
      [
        "credits of 0", "credits for channel 0x40, which nobody opened",
        "more than 65535 credits on channel 0x40",
      ])
    peer.host.bench.run(to: .zero + .seconds(30))
    equal(peer.host.device.take(), [.channelClosed(number, .violation)])
  }

  // MARK: Closing

  @Test("The owner closes: what waits is dropped, the endpoint is free with the answer, or after 30 s")
  func ownerCloses() {
    let peer = ChannelPeer()
    let number = peer.openedByPeer(credits: 0)
    expect(peer.stack.send([1, 2, 3], on: number))
    peer.stack.closeChannel(number)
    peer.stack.closeChannel(number)
    equal(peer.signals(), disconnection(1))
    equal(peer.give(.flowControlCredit(identifier: 2, channel: Self.far, credits: 9)), [])
    peer.give(.disconnectionResponse(identifier: 2, destination: Self.far, source: Self.near))
    peer.give(.disconnectionResponse(identifier: 1, destination: Self.near, source: Self.far))
    equal(peer.host.device.take(), [])
    peer.give(.disconnectionResponse(identifier: 1, destination: Self.far, source: Self.near))
    equal(peer.host.device.take(), [.channelClosed(number, .owner)])
    let again = peer.openedByPeer()
    expect(again != number)
    peer.stack.closeChannel(again)
    peer.host.bench.run(to: .zero + .seconds(30))
    equal(peer.host.device.take(), [.channelClosed(again, .owner)])
    let third = peer.openedByPeer()
    peer.stack.closeChannel(third)
    peer.give(.commandReject(identifier: 3, reason: .invalidChannelID, data: [0x50, 0, 0x40, 0]))
    equal(peer.host.device.take(), [.channelClosed(third, .owner)])
  }

  @Test("The peer closes; a disconnection of what is not there is rejected, or discarded where only one end is right")
  func peerCloses() {
    let peer = ChannelPeer()
    let number = peer.openedByPeer()
    equal(
      peer.give(.disconnectionRequest(identifier: 6, destination: ChannelPeer.endpoint(0x41), source: Self.far)),
      [.commandReject(identifier: 6, reason: .invalidChannelID, data: [0x41, 0, 0x50, 0])])
    let wrong = ChannelPeer.endpoint(0x51)
    equal(peer.give(.disconnectionRequest(identifier: 7, destination: Self.near, source: wrong)), [])
    _ = peer.host.device.take()
    equal(
      peer.give(.disconnectionRequest(identifier: 8, destination: Self.near, source: Self.far)),
      [.disconnectionResponse(identifier: 8, destination: Self.near, source: Self.far)])
    equal(peer.host.device.take(), [.channelClosed(number, .peer)])
    equal(peer.give([1, 0, 1]), [])
    equal(peer.violations(peer.host.device.take()), ["frame on channel 0x40, which nobody opened"])
    expect(!peer.stack.send([1], on: number))
  }

  @Test("Both ends close at once")
  func bothClose() {
    let peer = ChannelPeer()
    let number = peer.openedByPeer()
    peer.stack.closeChannel(number)
    _ = peer.signals()
    equal(
      peer.give(.disconnectionRequest(identifier: 8, destination: Self.near, source: Self.far)),
      [.disconnectionResponse(identifier: 8, destination: Self.near, source: Self.far)])
    peer.give(.disconnectionResponse(identifier: 1, destination: Self.far, source: Self.near))
    equal(peer.host.device.take(), [.channelClosed(number, .owner)])
  }

  @Test("A link that is lost ends its channels, and so does the radio that is switched off", arguments: [false, true])
  func linkLost(isSwitchedOff: Bool) throws {
    let peer = ChannelPeer(.central)
    let open = peer.openedByPeer()
    let opening = try required(peer.stack.openChannel(Self.handle, psm: 0x80))
    let abandoned = try required(peer.stack.openChannel(Self.handle, psm: 0x80))
    peer.stack.closeChannel(abandoned)
    if isSwitchedOff {
      peer.stack.stop(at: peer.host.bench.now)
    } else {
      peer.host.device.controller.drop(Self.handle, .connectionTimeout)
    }
    peer.host.bench.settle()
    equal(
      peer.host.device.take(),
      [
        .channelClosed(open, .linkLost), .channelRefused(Self.handle, opening, psm: 0x80, .linkLost),
        .channelClosed(abandoned, .linkLost),
        .disconnected(Self.handle, reason: isSwitchedOff ? .connectionTerminatedByLocalHost : .connectionTimeout),
      ])
    expect(peer.stack.nextDeadline == nil)
    expect(!peer.stack.send([1], on: open))
  }

  // MARK: Two stacks

  @Test("Two stacks stream to each other at the same time, octet for octet", arguments: [27, 251])
  func twoStacks(aclLength: Int) throws {
    let bench = LoopBench(2) { index, configuration in
      configuration.channels.mtu = index == 0 ? 300 : 100
      configuration.channels.mps = index == 0 ? 60 : 517
      configuration.channels.credits = index == 0 ? 3 : 1
      configuration.channels.queuedOctets = 500
    }
    for device in bench.devices {
      device.controller.aclLength = aclLength
      device.host.start(at: bench.now)
    }
    bench.settle()
    let handle = try required(bench.connectAll().first)
    let psm = try required(bench.devices[0].host.listen(needsEncryption: false))
    for device in bench.devices { _ = device.take() }
    let asked = try required(bench.devices[1].host.openChannel(handle, psm: psm))
    bench.settle()
    let opened = bench.devices.map { device in
      device.take().compactMap { if case .channelOpened(_, let channel) = $0 { channel } else { nil } }
    }
    try require(opened.map(\.count) == [1, 1])
    let numbers = opened.map { $0[0].number }
    equal(numbers[1], asked)
    equal(opened.map { $0[0].isIncoming }, [true, false])
    equal(opened.map { $0[0].peerMTU }, [100, 300])
    let stream = Self.numbers(20_000)
    var offset = [0, 0]
    var received: [[UInt8]] = [[], []]
    var reported = [0, 0]
    for _ in 0..<2_000 {
      for (index, device) in bench.devices.enumerated() {
        offset[index] += device.host.stream(Array(stream[offset[index]...]), on: numbers[index])
        bench.settle()
        for event in device.take() {
          switch event {
          case .channelReceived(_, let sdu): received[index] += sdu
          case .channelSent(_, let octets): reported[index] += octets
          default: Issue.record("\(event)")
          }
        }
      }
    }
    equal(received, [stream, stream])
    equal(reported, [stream.count, stream.count])
    bench.devices[0].host.closeChannel(numbers[0])
    bench.settle()
    equal(bench.devices[0].take(), [.channelClosed(numbers[0], .owner)])
    equal(bench.devices[1].take(), [.channelClosed(numbers[1], .peer)])
  }
}
