import BluetoothWire
import Expectations
import SimKernel
import Testing
import VirtualRadio

/// Nothing that a peer puts on the air may stop a controller, or a link of its that is not the peer's.
@Suite("A controller and hostile peers")
struct ControllerHostilePeerTests {
  /// Keeps what one device sends, and sends what it is told to in place of PDUs of the advertising channels.
  private final class Listener: PDUTap {
    var sent: [[UInt8]] = []
    var disguise: ((_ pdu: [UInt8], _ device: Int) -> [UInt8]?)?

    func takes(_ pdu: HostilePDU, on handle: HCI.ConnectionHandle, device: Int) -> Bool {
      if device == 1 { sent.append([pdu.flags & 0b11] + pdu.payload) }
      return false
    }

    func replacement(forAdvertising pdu: [UInt8], device: Int) -> [UInt8]? { disguise?(pdu, device) }
  }

  private let tap = Listener()

  /// A hostile central (0), its victim (1), and a second central (2) that is connected to the victim.
  private func room(change: (inout RadioConfiguration, Int) -> Void = { _, _ in }) throws
    -> (bench: ControllerBench, hostile: UInt16, victim: UInt16)
  {
    let bench = ControllerBench(3, change: change)
    bench.world.pduTap = tap
    _ = try bench.connect(2, to: 1)
    let (hostile, victim) = try bench.connect(0, to: 1)
    for device in 0..<3 { _ = bench.take(device) }
    tap.sent = []
    return (bench, hostile, victim)
  }

  /// The reason of a disconnection that a device tells its host.
  private func disconnection(_ bench: ControllerBench, _ device: Int, within span: SimDuration) -> UInt8? {
    bench.first(device, within: span) { $0[0] == 0x04 && $0[1] == 0x05 }?[6]
  }

  private func send(_ bench: ControllerBench, _ handle: UInt16, _ octets: [UInt8], from device: Int = 0) {
    bench.world.sendPastTap(
      HostilePDU(flags: octets[0], hasFlags: false, payload: Array(octets.dropFirst())), on: handle, device: device)
  }

  @Test("A PDU with the reserved LLID is acknowledged and ignored (Vol 6, Part B, 2.4)")
  func reserved() throws {
    let (bench, hostile, _) = try room()
    send(bench, hostile, [0])
    send(bench, hostile, [0, 1, 2, 3])
    send(bench, hostile, [3, LL.ControlOpcode.pingReq])
    bench.run(for: .seconds(1))
    equal(tap.sent, [[3, LL.ControlOpcode.pingRsp]])
    expect(bench.take(1).isEmpty)
  }

  @Test("A PDU that is longer than a radio can read is no PDU to it, and its link is lost")
  func tooLong() throws {
    let (bench, hostile, _) = try room { configuration, _ in configuration.maximumDataLength = 27 }
    send(bench, hostile, [2] + [UInt8](repeating: 7, count: 200))
    equal(disconnection(bench, 1, within: .seconds(10)), 0x08)
    expect(disconnection(bench, 2, within: .seconds(1)) == nil)
  }

  @Test("Only a central announces an instant; a peripheral's is unknown to it (Vol 6, Part B, 5.1)")
  func instantOfAPeripheral() throws {
    let bench = ControllerBench(2)
    bench.world.pduTap = tap
    // The listener hears device 1, which is the central here.
    let (_, peripheral) = try bench.connect(1, to: 0)
    tap.sent = []
    send(bench, peripheral, [3, LL.ControlOpcode.channelMapInd, 3, 0, 0, 0, 0, 9, 0])
    bench.run(for: .seconds(2))
    equal(tap.sent, [[3, LL.ControlOpcode.unknownRsp, LL.ControlOpcode.channelMapInd]])
    expect(disconnection(bench, 1, within: .seconds(5)) == nil)
  }

  @Test("A change that its central announces and does not make leaves the peripheral alone")
  func broken() throws {
    let (bench, hostile, _) = try room()
    // Ten events on: the counter is about 200 ms / 30 ms.
    send(bench, hostile, [3, LL.ControlOpcode.channelMapInd, 3, 0, 0, 0, 0, 40, 0])
    equal(disconnection(bench, 1, within: .seconds(8)), 0x08)
    expect(disconnection(bench, 2, within: .seconds(1)) == nil)
  }

  @Test("A request for parameters out of range is rejected with Invalid LL Parameters (Vol 6, Part B, 5.1.7)")
  func parameters() throws {
    let (bench, hostile, _) = try room()
    let request = LL.ControlPDU.connectionParamReq(
      LL.ConnectionParam(intervalMin: 0, intervalMax: 0, latency: 0, timeout: 0))
    send(bench, hostile, [3] + request.octets)
    bench.run(for: .seconds(1))
    equal(tap.sent, [[3, LL.ControlOpcode.rejectExtInd, LL.ControlOpcode.connectionParamReq, 0x1E]])
    expect(bench.take(1).isEmpty, "its host is not asked")
  }

  @Test("Flags of its own disturb the link of the hostile device alone")
  func flags() throws {
    let (bench, hostile, _) = try room()
    for flags in UInt8(0)..<32 {
      bench.world.sendPastTap(
        HostilePDU(flags: flags, hasFlags: true, payload: [0xFF, 1]), on: hostile, device: 0)
    }
    bench.run(for: .seconds(10))
    expect(bench.take(2).isEmpty)
  }

  private static let fields: [(String, @Sendable (inout LL.ConnectInd) -> Void)] = [
    ("interval 0", { $0.interval = 0 }), ("interval 5", { $0.interval = 5 }),
    ("interval 3201", { $0.interval = 3_201 }),
    ("latency", { $0.latency = 500 }), ("timeout 0", { $0.timeout = 0 }), ("short timeout", { $0.timeout = 5 }),
    ("window 0", { $0.windowSize = 0 }), ("window 9", { $0.windowSize = 9 }), ("offset", { $0.windowOffset = 25 }),
    ("no channels", { $0.channelMap = 0 }), ("one channel", { $0.channelMap = 1 }), ("hop 0", { $0.hop = 0 }),
    ("hop 17", { $0.hop = 17 }),
    ("another advertiser", { $0.advertiser = BluetoothAddress(kind: .publicDevice, bits: 1) }),
  ]

  @Test("CONNECT_IND with a field out of range is ignored, and the advertiser goes on", arguments: fields.indices)
  func connectInd(_ index: Int) throws {
    let (name, change) = Self.fields[index]
    let bench = ControllerBench(2)
    bench.world.pduTap = tap
    for device in 0...1 { bench.unmask(device, enhanced: false) }
    equal(bench.command(1, 0x2006, ControllerBench.advertising()), 0)
    equal(bench.command(1, 0x200A, [1]), 0)
    tap.disguise = { pdu, _ in
      guard case .connectInd(var request)? = try? LL.AdvertisingPDU(decoding: pdu) else { return nil }
      change(&request)
      return request.octets
    }
    let create = ControllerBench.connection(to: ControllerBench.publicAddress(1))
    equal(bench.command(0, 0x200D, create), 0)
    equal(disconnection(bench, 0, within: .seconds(5)), 0x3E, "\(name): nobody is there")
    expect(bench.event(1, le: 0x01, within: .milliseconds(1)) == nil, "\(name): the host is not told")
    tap.disguise = nil
    equal(bench.command(0, 0x200D, create), 0)
    equal(bench.event(1, le: 0x01)?[4], 0, "\(name): it can be connected to")
  }

  @Test("CONNECT_IND of nobody takes a link for six intervals, and not longer (Vol 6, Part B, 4.5.2)")
  func nobody() throws {
    let bench = ControllerBench(2)
    bench.world.pduTap = tap
    for device in 0...1 { bench.unmask(device, enhanced: false) }
    equal(bench.command(1, 0x2006, ControllerBench.advertising()), 0)
    equal(bench.command(1, 0x200A, [1]), 0)
    let ghost = BluetoothAddress(kind: .publicDevice, bits: 0xBAD)
    tap.disguise = { pdu, _ in
      guard case .scanReq(_, let advertiser)? = try? LL.AdvertisingPDU(decoding: pdu) else { return nil }
      return LL.ConnectInd(
        initiator: ghost, advertiser: advertiser, channelSelectionAlgorithm2: false, accessAddress: 0x5065_1B7A,
        crcInit: 1, windowSize: 1, windowOffset: 0, interval: 24, latency: 0, timeout: 200,
        channelMap: LL.ChannelMap.all.bits, hop: 5, sleepClockAccuracy: 0
      ).octets
    }
    equal(bench.command(0, 0x200B, [1, 16, 0, 16, 0, 0, 0]), 0)
    equal(bench.command(0, 0x200C, [1, 0]), 0)
    let made = try required(bench.event(1, le: 0x01))
    equal(Array(made[8...14]), [0] + ghost.octets)
    equal(disconnection(bench, 1, within: .seconds(1)), 0x3E)
  }

  @Test("Advertising PDUs that cannot be read are reported by nobody; those that can be, as they came")
  func advertising() throws {
    let bench = ControllerBench(2)
    bench.world.pduTap = tap
    for device in 0...1 { bench.unmask(device, enhanced: false) }
    equal(bench.command(1, 0x2006, ControllerBench.advertising()), 0)
    equal(bench.command(1, 0x200A, [1]), 0)
    for hostile: [UInt8] in [[], [0], [0, 5, 1, 2, 3, 4, 5], [0, 255], [5, 34], [0x0F, 3, 1, 2, 3]] {
      tap.disguise = { _, device in device == 1 ? hostile : nil }
      equal(bench.command(0, 0x200C, [1, 0]), 0)
      expect(bench.event(0, le: 0x02, within: .seconds(1)) == nil)
      equal(bench.command(0, 0x200C, [0, 0]), 0)
      _ = bench.take(0)
    }
    let data: [UInt8] = [0xFF, 0xFF, 0xFF]
    tap.disguise = { _, _ in
      LL.AdvertisingPDU.advNonconnInd(advertiser: ControllerBench.publicAddress(7), data: data).octets
    }
    equal(bench.command(0, 0x200C, [1, 0]), 0)
    let report = try required(bench.event(0, le: 0x02))
    equal(Array(report[5...16]), [3, 0] + ControllerBench.publicAddress(7).octets + [3] + data)
  }

  @Test("Two thousand random PDUs of a peer, on its link and on the advertising channels: the others keep theirs")
  func random() throws {
    let (bench, hostile, _) = try room()
    var stream = RandomStream(seed: 3, component: "test", purpose: "hostile peer")
    func octets(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: stream.next()) } }
    equal(bench.command(1, 0x2006, ControllerBench.advertising()), 0)
    equal(bench.command(0, 0x200B, [1, 16, 0, 16, 0, 0, 0]), 0)
    equal(bench.command(0, 0x200C, [1, 0]), 0)
    var handle = hostile
    for round in 0..<2_000 {
      let control = UInt8(stream.below(0x30))
      let payload = stream.below(3) == 0 ? octets(Int(stream.below(60))) : [control] + octets(Int(stream.below(26)))
      bench.world.sendPastTap(
        HostilePDU(flags: UInt8(stream.below(32)) | 0b11, hasFlags: stream.below(4) == 0, payload: payload),
        on: handle, device: 0)
      let disguise = octets(Int(stream.below(50)))
      tap.disguise = { _, device in device == 0 ? disguise : nil }
      bench.run(for: .milliseconds(20))
      if round % 50 == 49 {
        // Connect again after what ended the link.
        tap.disguise = nil
        send(bench, handle, [3, LL.ControlOpcode.terminateInd, 0x13])
        bench.run(for: .seconds(3))
        for device in 0...1 { _ = bench.take(device) }
        expect(bench.command(1, 0x200A, [1]) != nil)
        expect(bench.command(0, 0x200D, ControllerBench.connection(to: ControllerBench.publicAddress(1))) != nil)
        let made = bench.event(0, le: 0x01, within: .seconds(3)) ?? bench.event(0, le: 0x0A, within: .seconds(3))
        handle = try ControllerBench.u16(required(made, "round \(round)"), 5)
      }
    }
    expect(bench.take(2).allSatisfy { !($0[0] == 0x04 && $0[1] == 0x05) }, "the link of the third device ended")
  }
}
