import BluetoothWire
import Expectations
import SimKernel
import Testing
import VirtualRadio

/// One stack whose peer is the test, with what channels need.
final class ChannelPeer {
  let host: HandDrivenHost
  static let handle = HandDrivenHost.handle

  var stack: HostStack { host.device.host }

  init(_ role: HCI.Role = .peripheral, configure: (inout HostChannelConfiguration) -> Void = { _ in }) {
    host = HandDrivenHost(role) { configure(&$0.channels) }
  }

  static func endpoint(_ number: UInt16) -> L2CAP.ChannelID { L2CAP.ChannelID(rawValue: number) }

  /// Gives a signal; answers the signals that came back.
  @discardableResult
  func give(_ signal: L2CAP.Signal) -> [L2CAP.Signal] { signals(host.give(.signalling, signal.octets)) }

  /// Gives the payload of a K-frame for endpoint 0x40; answers the signals that came back.
  @discardableResult
  func give(_ payload: [UInt8]) -> [L2CAP.Signal] { signals(host.give(Self.endpoint(0x40), payload)) }

  func signals() -> [L2CAP.Signal] { signals(host.answers()) }

  func signals(_ frames: [L2CAP.Frame]) -> [L2CAP.Signal] {
    frames.compactMap { $0.channel == .signalling ? try? L2CAP.Signal(decoding: $0.payload) : nil }
  }

  /// Payloads that the stack has sent on the peer's endpoint since the last time.
  func sent(_ endpoint: UInt16 = 0x50) -> [[UInt8]] {
    host.answers().filter { $0.channel == Self.endpoint(endpoint) }.map(\.payload)
  }

  func request(
    _ psm: UInt16 = 0x80, source: UInt16 = 0x50, mtu: UInt16 = 100, mps: UInt16 = 50, credits: UInt16 = 5,
    identifier: UInt8 = 9
  ) -> L2CAP.Signal {
    .creditBasedConnectionRequest(
      identifier: identifier,
      .init(spsm: psm, source: Self.endpoint(source), mtu: mtu, mps: mps, initialCredits: credits))
  }

  func response(
    _ identifier: UInt8, destination: UInt16 = 0x50, mtu: UInt16 = 100, mps: UInt16 = 50, credits: UInt16 = 5
  ) -> L2CAP.Signal {
    .creditBasedConnectionResponse(
      identifier: identifier,
      .init(
        destination: Self.endpoint(destination), mtu: mtu, mps: mps, initialCredits: credits, result: .success))
  }

  /// The peer opens a channel from 0x50 to 0x40.
  func openedByPeer(mtu: UInt16 = 100, mps: UInt16 = 50, credits: UInt16 = 5) -> HostChannelNumber {
    stack.listen(onPSM: 0x80, needsEncryption: false)
    give(request(mtu: mtu, mps: mps, credits: credits))
    for case .channelOpened(_, let channel) in host.device.take() { return channel.number }
    Issue.record("no channel was opened")
    return HostChannelNumber(rawValue: 0)
  }

  func violations(_ events: [HostEvent]) -> [String] {
    events.compactMap { if case .protocolViolation(_, let text) = $0 { text } else { nil } }
  }
}

@Suite("LE credit based channels of the host stack (Core v5.4, Vol 3, Part A, 3.4.3, 4.22 to 4.24, 10.1)")
struct HostChannelTests {
  private static let handle = HandDrivenHost.handle

  private static func numbers(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0) } }

  private func refusal(_ result: L2CAP.ConnectionResult) -> [L2CAP.Signal] {
    [.creditBasedConnectionResponse(identifier: 9, .init(result))]
  }

  // MARK: Against Bumble

  @Test("In the place of Bumble's client the stack sends Bumble's octets")
  func asBumbleClient() throws {
    let peer = ChannelPeer(.central) { ($0.mtu, $0.mps, $0.credits) = (80, 40, 4) }
    let parts = ChannelTalk.parts
    try require(parts.count == 6)
    var number: HostChannelNumber?
    for part in parts {
      switch part.title {
      case "A asks for a service that B does not have": number = peer.stack.openChannel(Self.handle, psm: 0x84)
      case "A opens": number = peer.stack.openChannel(Self.handle, psm: 0x85)
      case "A writes 70 octets":
        equal(peer.stack.stream(Self.numbers(70), on: try required(number)), 70)
      case "A closes": peer.stack.closeChannel(try required(number))
      default: break
      }
      let frames = peer.host.answers() + part.frames(ofA: false).flatMap { peer.host.give($0) }
      equal(frames.map(\.octets), part.frames(ofA: true), "\(part.title)")
    }
    let channel = HostChannel(number: try required(number), psm: 0x85, isIncoming: false, peerMTU: 60, peerMPS: 30)
    let refused = HostChannelNumber(rawValue: channel.number.rawValue - 1)
    let told = peer.host.device.take().filter { if case .channelSent = $0 { false } else { true } }
    equal(
      told,
      [
        .channelRefused(Self.handle, refused, psm: 0x84, .result(.spsmNotSupported)),
        .channelOpened(Self.handle, channel),
        .channelReceived(channel.number, Self.numbers(80)),
        .channelReceived(channel.number, Array(80..<100)),
        .channelClosed(channel.number, .owner),
      ])
  }

  @Test("In the place of Bumble's server the stack sends Bumble's octets")
  func asBumbleServer() throws {
    let peer = ChannelPeer { ($0.mtu, $0.mps, $0.credits) = (60, 30, 2) }
    peer.stack.listen(onPSM: 0x85, needsEncryption: false)
    var events: [HostEvent] = []
    var number: HostChannelNumber?
    for part in ChannelTalk.parts {
      if part.title == "B writes 100 octets" {
        equal(peer.stack.stream(Self.numbers(100), on: try required(number)), 100)
      }
      let frames = peer.host.answers() + part.frames(ofA: true).flatMap { peer.host.give($0) }
      let refuses = part.title == "A asks for a service that B does not have"
      // Bumble's refusal has its own MTU and MPS; 4.23 ignores them.
      let meant = refuses ? [[14, 0, 5, 0, 0x15, 1, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0]] : part.frames(ofA: false)
      equal(frames.map(\.octets), meant, "\(part.title)")
      events += peer.host.device.take()
      for case .channelOpened(_, let channel) in events { number = channel.number }
    }
    let channel = HostChannel(number: try required(number), psm: 0x85, isIncoming: true, peerMTU: 80, peerMPS: 40)
    equal(
      events.filter { if case .channelSent = $0 { false } else { true } },
      [
        .channelOpened(Self.handle, channel),
        .channelReceived(channel.number, Self.numbers(60)),
        .channelReceived(channel.number, Array(60..<70)),
        .channelClosed(channel.number, .peer),
      ])
  }

  // MARK: Listening

  @Test("A service is listened for once; numbers outside of the dynamic ones are refused")
  func listening() {
    let stack = ChannelPeer().stack
    expect(stack.listen(onPSM: 0x81, needsEncryption: false))
    expect(!stack.listen(onPSM: 0x81, needsEncryption: true))
    expect(!stack.listen(onPSM: 0x7F, needsEncryption: false))
    expect(!stack.listen(onPSM: 0x100, needsEncryption: false))
    equal(stack.listen(needsEncryption: false), 0x80)
    equal(stack.listen(needsEncryption: false), 0x82)
    stack.stopListening(onPSM: 0x81)
    equal(stack.listen(needsEncryption: false), 0x81)
    for psm in 0x83...0xFF as ClosedRange<UInt16> { equal(stack.listen(needsEncryption: false), psm) }
    expect(stack.listen(needsEncryption: false) == nil)
  }

  @Test("A stack that has neither listened nor opened rejects the commands of channels as not understood")
  func unused() {
    let peer = ChannelPeer()
    let rejected = [L2CAP.Signal.commandReject(identifier: 9, reason: .commandNotUnderstood, data: [])]
    equal(peer.give(peer.request()), rejected)
    equal(peer.host.device.take(), [])
    peer.stack.listen(onPSM: 0x81, needsEncryption: false)
    equal(peer.give(peer.request()), refusal(.spsmNotSupported))
  }

  @Test("A request is refused with the result that fits")
  func refusals() {
    let peer = ChannelPeer { $0.channelsPerLink = 2 }
    peer.stack.listen(onPSM: 0x80, needsEncryption: false)
    peer.stack.listen(onPSM: 0x90, needsEncryption: true)
    equal(peer.give(peer.request(0x90)), refusal(.insufficientAuthentication))
    equal(peer.give(peer.request(source: 0x3F)), refusal(.invalidSourceCID))
    equal(peer.give(peer.request(source: 0x80)), refusal(.invalidSourceCID))
    equal(peer.give(peer.request(mtu: 22)), refusal(.unacceptableParameters))
    equal(peer.give(peer.request(mps: 22)), refusal(.unacceptableParameters))
    equal(peer.give(peer.request(mps: 65_534)), refusal(.unacceptableParameters))
    equal(peer.host.device.take(), [])
    equal(peer.give(peer.request(mtu: 23, mps: 23)).count, 1)
    equal(peer.give(peer.request()), refusal(.sourceCIDAlreadyAllocated))
    equal(peer.give(peer.request(source: 0x51)).count, 1)
    equal(peer.give(peer.request(source: 0x52)), refusal(.noResources))
    expect(peer.stack.openChannel(Self.handle, psm: 0x80) == nil)
    equal(peer.host.device.take().count, 2)
    peer.stack.stopListening(onPSM: 0x80)
    equal(peer.give(peer.request(source: 0x53)), refusal(.spsmNotSupported))
  }

  // MARK: Asking

  @Test("Two requests wait at a time, each for the answer with its identifier")
  func twoRequests() throws {
    let peer = ChannelPeer(.central)
    let first = try required(peer.stack.openChannel(Self.handle, psm: 0x80))
    let second = try required(peer.stack.openChannel(Self.handle, psm: 0x25))
    expect(first != second)
    equal(
      peer.signals(),
      [
        .creditBasedConnectionRequest(
          identifier: 1,
          .init(spsm: 0x80, source: ChannelPeer.endpoint(0x40), mtu: 2048, mps: 247, initialCredits: 16)),
        .creditBasedConnectionRequest(
          identifier: 2,
          .init(spsm: 0x25, source: ChannelPeer.endpoint(0x41), mtu: 2048, mps: 247, initialCredits: 16)),
      ])
    peer.give(peer.response(2, destination: 0x50))
    peer.give(.creditBasedConnectionResponse(identifier: 1, .init(.insufficientEncryption)))
    peer.give(peer.response(1))
    let opened = HostChannel(number: second, psm: 0x25, isIncoming: false, peerMTU: 100, peerMPS: 50)
    equal(
      peer.host.device.take(),
      [
        .channelOpened(Self.handle, opened),
        .channelRefused(Self.handle, first, psm: 0x80, .result(.insufficientEncryption)),
        .protocolViolation(Self.handle, "answer to a channel request that nobody sent"),
      ])
  }

  @Test("Nothing is asked for without a link, and for no service that there cannot be")
  func nothingAsked() {
    let peer = ChannelPeer(.central)
    expect(peer.stack.openChannel(0x99, psm: 0x80) == nil)
    expect(peer.stack.openChannel(Self.handle, psm: 0) == nil)
    expect(peer.stack.openChannel(Self.handle, psm: 0x100) == nil)
    equal(peer.host.answers(), [])
  }

  @Test("A Command Reject, 30 s of silence and a wrong acceptance refuse a request")
  func requestFails() throws {
    let peer = ChannelPeer(.central)
    let rejected = try required(peer.stack.openChannel(Self.handle, psm: 0x80))
    peer.give(.commandReject(identifier: 1, reason: .commandNotUnderstood, data: []))
    equal(
      peer.host.device.take(),
      [
        .channelRefused(Self.handle, rejected, psm: 0x80, .rejected(.commandNotUnderstood))
      ])
    let silent = try required(peer.stack.openChannel(Self.handle, psm: 0x80))
    peer.host.bench.run(to: .zero + .seconds(30) - .nanoseconds(1))
    equal(peer.host.device.take(), [])
    peer.host.bench.run(to: .zero + .seconds(30))
    equal(peer.host.device.take(), [.channelRefused(Self.handle, silent, psm: 0x80, .noAnswer)])
    expect(peer.stack.nextDeadline == nil)
    let wrong = try required(peer.stack.openChannel(Self.handle, psm: 0x80))
    _ = peer.signals()
    equal(peer.give(peer.response(3, destination: 0x39)), [])
    equal(peer.host.device.take().last, .channelRefused(Self.handle, wrong, psm: 0x80, .invalidAnswer))
    let narrow = try required(peer.stack.openChannel(Self.handle, psm: 0x80))
    _ = peer.signals()
    let endpoints = (ChannelPeer.endpoint(0x50), ChannelPeer.endpoint(0x40))
    equal(
      peer.give(peer.response(4, mtu: 22)),
      [.disconnectionRequest(identifier: 5, destination: endpoints.0, source: endpoints.1)])
    equal(peer.host.device.take().last, .channelRefused(Self.handle, narrow, psm: 0x80, .invalidAnswer))
    peer.give(.disconnectionResponse(identifier: 5, destination: endpoints.0, source: endpoints.1))
    equal(peer.host.device.take(), [])
    expect(peer.stack.nextDeadline == nil)
  }

  @Test("A channel that its owner closes while it is opening ends as closed, whatever the peer answers")
  func closedWhileOpening() throws {
    let peer = ChannelPeer(.central)
    let accepted = try required(peer.stack.openChannel(Self.handle, psm: 0x80))
    peer.stack.closeChannel(accepted)
    _ = peer.signals()
    let endpoints = (ChannelPeer.endpoint(0x50), ChannelPeer.endpoint(0x40))
    equal(
      peer.give(peer.response(1)), [.disconnectionRequest(identifier: 2, destination: endpoints.0, source: endpoints.1)]
    )
    peer.give(.disconnectionResponse(identifier: 2, destination: endpoints.0, source: endpoints.1))
    equal(peer.host.device.take(), [.channelClosed(accepted, .owner)])
    let refused = try required(peer.stack.openChannel(Self.handle, psm: 0x80))
    peer.stack.closeChannel(refused)
    peer.give(.creditBasedConnectionResponse(identifier: 3, .init(.noResources)))
    equal(peer.host.device.take(), [.channelClosed(refused, .owner)])
  }
}
