import BluetoothWire
import Expectations
import SimKernel
import Testing
import VirtualRadio

extension RandomStream {
  fileprivate mutating func number(below bound: Int) -> Int { Int(below(UInt64(bound))) }

  fileprivate mutating func octets(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(number(below: 256)) } }
}

@Suite("Hostile peers on LE credit based channels: nothing traps, and nothing grows")
struct HostChannelHostileTests {
  /// A signal or K-frame that is nearly right.
  private func frame(_ stream: inout RandomStream) -> (channel: L2CAP.ChannelID, payload: [UInt8]) {
    func number(_ choices: [UInt16]) -> UInt16 { choices[stream.number(below: choices.count)] }
    func endpoint() -> L2CAP.ChannelID {
      ChannelPeer.endpoint(number([0x3F, 0x40, 0x40, 0x41, 0x42, 0x50, 0x50, 0x51, 0x7F, 0x80]))
    }
    func size() -> UInt16 { number([0, 22, 23, 24, 50, 100, 200, 517, 65_533, 65_535]) }
    let identifier = UInt8(1 + stream.number(below: 12))
    let signal: L2CAP.Signal
    switch stream.number(below: 9) {
    case 0:
      signal = .creditBasedConnectionRequest(
        identifier: identifier,
        .init(
          spsm: number([0x80, 0x80, 0x80, 0x81, 0x82]), source: endpoint(), mtu: size(), mps: size(),
          initialCredits: size()))
    case 1:
      signal = .creditBasedConnectionResponse(
        identifier: identifier,
        .init(
          destination: endpoint(), mtu: size(), mps: size(), initialCredits: size(),
          result: .init(rawValue: number([0, 0, 0, 2, 8, 0xFFFF]))))
    case 2: signal = .flowControlCredit(identifier: identifier, channel: endpoint(), credits: size())
    case 3: signal = .disconnectionRequest(identifier: identifier, destination: endpoint(), source: endpoint())
    case 4: signal = .disconnectionResponse(identifier: identifier, destination: endpoint(), source: endpoint())
    case 5: signal = .commandReject(identifier: identifier, reason: .init(rawValue: number([0, 1, 2])), data: [])
    default:
      var payload = stream.octets(stream.number(below: 60))
      if payload.count >= 2, stream.number(below: 8) > 0 {
        payload[0] = UInt8(max(0, payload.count - 3 + stream.number(below: 3)))
        payload[1] = 0
      }
      return (endpoint(), payload)
    }
    var octets = signal.octets
    if stream.number(below: 10) == 0 {
      octets[stream.number(below: octets.count)] ^= 1 << UInt8(stream.number(below: 8))
    }
    return (.signalling, octets)
  }

  @Test("Random signals and K-frames while the owner opens, sends and closes", arguments: 1...12)
  func random(seed: UInt64) {
    let peer = ChannelPeer(seed % 2 == 0 ? .central : .peripheral) { settings in
      (settings.mtu, settings.mps, settings.credits, settings.queuedOctets) = (50, 40, 3, 200)
      settings.channelsPerLink = 4
    }
    peer.stack.listen(onPSM: 0x80, needsEncryption: false)
    peer.stack.listen(onPSM: 0x81, needsEncryption: true)
    var stream = RandomStream(seed: seed, component: "channels", purpose: "hostile")
    var asked: [HostChannelNumber] = []
    var ended = 0
    var incoming = 0
    var live: [HostChannelNumber] = []
    for _ in 0..<3_000 {
      switch stream.number(below: 12) {
      case 0: if let number = peer.stack.openChannel(HandDrivenHost.handle, psm: 0x80) { asked.append(number) }
      case 1: if let number = live.last { peer.stack.closeChannel(number) }
      case 2: if let number = live.first { _ = peer.stack.stream(stream.octets(stream.number(below: 300)), on: number) }
      case 3: if let number = live.first { peer.stack.holdReceiving(on: number, stream.number(below: 2) == 0) }
      case 4: peer.host.device.controller.isStalled = stream.number(below: 2) == 0
      case 5: peer.host.device.controller.release()
      case 6 where stream.number(below: 8) == 0: peer.host.bench.run(to: peer.host.bench.now + .seconds(31))
      default:
        let (channel, payload) = frame(&stream)
        _ = peer.host.give(channel, payload)
      }
      for event in peer.host.device.take() {
        switch event {
        case .channelOpened(_, let channel):
          live.append(channel.number)
          if channel.isIncoming { incoming += 1 }
        case .channelRefused: ended += 1
        case .channelClosed(let number, _):
          ended += 1
          live.removeAll { $0 == number }
        case .channelReceived(_, let sdu): expect(sdu.count <= 50)
        default: break
        }
      }
      expect(live.count <= 4)
    }
    expect(incoming > 10)
    // Every channel ends once: refused, closed, or now with the link.
    peer.host.device.controller.drop(HandDrivenHost.handle, .connectionTimeout)
    peer.host.bench.settle()
    ended += peer.host.device.take().count {
      switch $0 {
      case .channelRefused, .channelClosed: true
      default: false
      }
    }
    equal(ended, asked.count + incoming)
    expect(peer.stack.nextDeadline == nil)
  }

  @Test("A peer that floods with requests and data while nothing can be sent makes nothing grow")
  func flood() {
    let peer = ChannelPeer()
    let number = peer.openedByPeer(credits: 1_000)
    peer.host.device.controller.isStalled = true
    for round in 0..<2_000 {
      _ = peer.host.give(.signalling, peer.request(source: 0x40 + UInt16(round % 64)).octets)
      _ = peer.host.give(ChannelPeer.endpoint(0x40), [1, 0, 1])
      _ = peer.stack.stream([UInt8](repeating: 1, count: 100), on: number)
      _ = peer.host.device.take()
    }
    let waiting = peer.host.device.controller.waiting.count
    peer.host.device.controller.isStalled = false
    peer.host.device.controller.release()
    let frames = peer.host.answers()
    expect(waiting <= 8)
    expect(frames.count <= 8 + 16 + 8_192 / 48 + 1, "\(frames.count)")
  }
}
