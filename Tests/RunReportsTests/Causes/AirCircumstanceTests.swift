import AppSeam
import BabSim
import Bench
import BluetoothWire
import Expectations
import Platform
import SimKernel
import Testing
import VirtualRadio

@testable import Conformance

@Suite("What the air knows of a link")
struct AirCircumstanceTests {
  /// A host (device 0) and a guest (device 1), the central, by hand.
  private struct Script {
    private var book = CircumstanceBook()
    private var sequence = 0
    private var milliseconds: Int64 = 0

    init() {
      let devices = ["host", "guest"].enumerated().map { index, name in
        TraceHeader.Device(
          name: name, role: index == 0 ? .host : .client, phone: "ideal", dialect: "sdk", engine: "reference",
          address: Self.address(index), app: "bab")
      }
      book.begin(TraceHeader(scenario: "by hand", seed: 1, devices: devices, options: []))
    }

    static func address(_ device: Int) -> BluetoothAddress {
      BluetoothAddress(kind: .random, bits: 0xC000_0000_0000 + UInt64(device))
    }

    mutating func wait(_ milliseconds: Int64) { self.milliseconds += milliseconds }
    mutating func add(_ device: Int, _ event: TraceEvent) {
      let instant = SimInstant.zero + .milliseconds(milliseconds)
      book.read(TraceRecord(sequence: sequence, instant: instant, device: device, event: event))
      sequence += 1
    }

    /// A PDU of 20 octets from one of them to the other one; more follows.
    mutating func send(
      from sender: Int, loss: PDULoss?, link: UInt32 = 1, channel: UInt8 = 3, rssi: Int8 = -50, sensitivity: Int8 = -90
    ) {
      var pdu = pdu(
        from: sender, to: 1 - sender, link, [0x12, 20] + Array(repeating: 0, count: 20), channel, rssi, loss)
      pdu.sensitivity = sensitivity
      add(sender, .radio(.air(pdu)))
    }

    mutating func advertise(_ loss: PDULoss?, rssi: Int8 = -63, sensitivity: Int8 = -45, distance: Int = 0) {
      var pdu = pdu(from: 0, to: nil, LL.advertisingAccessAddress, [0, 0], 37, -128, nil)
      pdu.listeners = [AirPDU.Listener(1, loss, rssi: rssi, sensitivity: sensitivity, distance: distance)]
      add(0, .radio(.air(pdu)))
    }

    mutating func asksToConnect(interval: UInt16) {
      let octets = LL.ConnectInd(
        initiator: Self.address(1), advertiser: Self.address(0), channelSelectionAlgorithm2: true, accessAddress: 1,
        crcInit: 0, windowSize: 1, windowOffset: 0, interval: interval, latency: 0, timeout: 400,
        channelMap: 0x1F_FFFF_FFFF, hop: 5, sleepClockAccuracy: 0
      ).octets
      let pdu = pdu(from: 1, to: 0, LL.advertisingAccessAddress, octets, 37, -50, nil)
      add(1, .radio(.air(pdu)))
    }

    private func pdu(
      from sender: Int, to receiver: Int?, _ link: UInt32, _ octets: [UInt8], _ channel: UInt8, _ rssi: Int8,
      _ loss: PDULoss?
    ) -> AirPDU {
      AirPDU(
        start: .zero + .milliseconds(milliseconds), duration: .microseconds(300),
        rfChannel: LL.rfChannel(dataChannelIndex: channel), phy: .le1M, accessAddress: link, pdu: octets, crcInit: 0,
        transmitter: sender, receiver: receiver, rssi: rssi, fate: loss == nil ? .received : .unheard, loss: loss)
    }

    mutating func connect(_ link: Int) {
      add(1, .effect(.connect(Self.address(0))))
      add(1, .input(.connected(LinkID(link), peer: Self.address(0))))
      add(0, .input(.connected(LinkID(link), peer: Self.address(1))))
    }

    mutating func end(_ link: Int, _ reason: HCI.ErrorCode = .connectionTimeout) {
      for device in [1, 0] { add(device, .input(.disconnected(LinkID(link), reason: reason))) }
      add(1, .effect(.scan(services: [])))
      wait(2_000)
    }

    /// A link on which nothing of the guest arrives.
    mutating func lose(_ link: Int, _ losses: [PDULoss], rssi: Int8 = -50) {
      connect(link)
      for loss in losses { send(from: 1, loss: loss, link: UInt32(link), rssi: rssi) }
      end(link)
    }

    func reason(_ device: Int = 1) -> Circumstance? {
      book.circumstances.reason(
        for: .init(at: .zero + .milliseconds(milliseconds), since: nil, device: device, isAbsence: true))
    }
  }

  private static let chance = Array(repeating: PDULoss.chance, count: 6)

  @Test("Links that end one after the other for one cause; one does not, and one that works ends it")
  func deadLinks() throws {
    var script = Script()
    script.lose(0, Self.chance)
    expect(script.reason()?.kind != .lossyLink)
    script.lose(1, Self.chance)
    let reason = try required(script.reason())
    equal(
      reason.text,
      "2 links of guest with host have ended for want of packets: of the last one, 6 of 6"
        + " PDUs from guest to host were lost on channel 3 by the room's loss rate")
    script.connect(2)
    script.send(from: 1, loss: nil, link: 2)
    expect(script.reason()?.kind != .lossyLink)
  }

  @Test(
    "Few losses, several causes, a busy receiver, one that is gone and ordered noise explain nothing",
    arguments: [
      Array(repeating: PDULoss.chance, count: 5), Array(repeating: .chance, count: 5) + [.noise, .level],
      Array(repeating: .notListening, count: 9), Array(repeating: .receiverGone, count: 9),
      Array(repeating: .covered, count: 9), Array(repeating: .outsideWindow(drift: 30, claimed: 40), count: 9),
    ])
  func innocent(_ losses: [PDULoss]) {
    var script = Script()
    for link in 0...2 { script.lose(link, losses) }
    expect(script.reason()?.kind != .lossyLink)
  }

  @Test("Levels are named unless fading may have weakened them, and clocks at once")
  func words() throws {
    for (rssi, words) in [
      (-97, "came with -97 dBm at most, and its receiver needs -90 dBm"),
      (-80, "came too weak for its receiver, which needs -90 dBm"),
    ] as [(Int8, String)] {
      var script = Script()
      for link in 0...1 { script.lose(link, Array(repeating: .level, count: 6), rssi: rssi) }
      try expect(required(script.reason()).text.hasSuffix("6 of 6 PDUs from guest to host \(words)"))
    }
    var script = Script()
    script.lose(0, Array(repeating: .outsideWindow(drift: 500, claimed: 40), count: 6))
    let reason = try required(script.reason())
    equal(
      reason.text,
      "the link of guest with host has ended for want of packets: 6 of 6 PDUs from guest to host came while host"
        + " did not listen, because their clocks drift apart by 500 ppm and claim 40 ppm together")
  }

  @Test("Advertising that does not get through, until some does")
  func advertising() throws {
    var script = Script()
    script.add(1, .effect(.scan(services: [])))
    script.add(0, .effect(.advertise(AdvertisementRequest(localName: "x", serviceUUIDs: []))))
    for _ in 1...12 { script.advertise(.level, distance: 4_080) }
    script.wait(2_000)
    let begin = "the app of guest scans and has not been told of host, which advertises"
    let reason = try required(script.reason())
    equal(
      reason.text,
      begin + "; of what host advertises 12 of 12 PDUs that guest listened to came with -63 dBm at most from"
        + " 40 m away, and its receiver needs -45 dBm")
    var other = Script()
    other.add(1, .effect(.scan(services: [])))
    other.add(0, .effect(.advertise(AdvertisementRequest(localName: "x", serviceUUIDs: []))))
    let few = Array(repeating: PDULoss?.some(.level), count: 11)
    for loss in few + [nil] + few { other.advertise(loss) }
    other.wait(2_000)
    try equal(required(other.reason()).text, begin)
  }

  @Test("Who keeps a link with a device that is gone, where its supervision timeout is long")
  func longTimeout() throws {
    var script = Script()
    script.connect(0)
    script.add(0, .platform(PlatformRemark(.longTimeout, LinkID(0), "its supervision timeout is 32000 ms")))
    script.add(1, .fault(.vanish))
    script.wait(2_000)
    let reason = try required(script.reason(0))
    equal(
      reason.text,
      "host still has its link 0 with guest, which is gone since 0.000 s: its supervision timeout is"
        + " 32000 ms")
    script.add(0, .input(.disconnected(LinkID(0), reason: .connectionTimeout)))
    expect(script.reason(0)?.kind != .longTimeout)
  }

  @Test("A link with a long interval that carries data all the time; not one with pauses, or a short interval")
  func slowTransfer() throws {
    let links: [(UInt16, Int64, Bool)] = [(200, 250, true), (200, 1_100, false), (24, 30, false)]
    for (interval, pause, isSlow) in links {
      var script = Script()
      script.asksToConnect(interval: interval)
      script.connect(0)
      script.add(1, .input(.subscribed(LinkID(0), characteristic: BluetoothUUID(0xBAB3), true)))
      for number in 0..<Int(4_000 / pause) {
        script.send(from: number % 2, loss: nil)
        script.wait(pause)
      }
      equal((script.reason()?.kind == .slowTransfer), isSlow, "\(String(describing: script.reason()))")
      guard isSlow else { continue }
      equal(
        script.reason()?.text,
        "the link of guest with host has had something to carry all the time since 0.000 s: 16 PDUs of 20 octets"
          + " at most in 3.75 s, at a connection interval of 0.25 s")
      script.wait(1_100)
      script.send(from: 0, loss: nil)
      expect(script.reason() == nil)
    }
  }
}
