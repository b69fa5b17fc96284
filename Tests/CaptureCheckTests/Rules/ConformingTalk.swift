import BluetoothWire
import SimKernel
import VirtualRadio

/// A link of two radios on which both ends keep all rules: what a sniffer with nothing to miss would have heard.
///
/// The server has the attributes of `RuleScript.host`.
struct ConformingTalk {
  private let bench: AirLinkBench
  private var random: RandomStream
  private var isEncrypted = false
  private var identifier: UInt8 = 0
  private var value: UInt8 = 0
  /// What each end has received so far.
  private var counted = [(fragments: 0, octets: 0), (fragments: 0, octets: 0)]

  /// - Parameters:
  ///   - isPlain: the link is never encrypted.
  ///   - isCoded: both ends have LE Coded, and links move to it where they would to LE 2M.
  ///   - isEncryptedEarly: it is encrypted before anything but discovery; else perhaps, and some time.
  ///   - hasStreams: the central makes a stream now and then.
  ///   - subrates: both hosts ask for connection subrating, the peer's power and its clock, now and then.
  static func air(
    seed: UInt64, isPlain: Bool, isEncryptedEarly: Bool = false, isCoded: Bool = false, subrates: Bool = false,
    hasStreams: Bool = false
  ) -> [AirPDU] {
    var talk = ConformingTalk(seed: seed, isCoded: isCoded, subrates: subrates, hasStreams: hasStreams)
    talk.begin()
    if isEncryptedEarly {
      talk.isEncrypted = true
      talk.bench.encrypt()
    }
    for turn in 0..<30 {
      talk.step(isPlain: isPlain)
      if subrates { talk.subrate() }
      if hasStreams, turn % 10 == 5 { talk.bench.stream() }
    }
    return talk.bench.air
  }

  private let isCoded: Bool

  private init(seed: UInt64, isCoded: Bool, subrates: Bool, hasStreams: Bool) {
    self.isCoded = isCoded
    random = RandomStream(seed: seed, component: "test", purpose: "talk")
    var environment = RadioEnvironment()
    environment.isLevelDependent = false
    if random.next() % 2 == 0 { environment.packetLoss = .partsPerMillion(50_000) }
    bench = AirLinkBench(
      environment: environment, seed: seed, isCoded: isCoded, subrates: subrates, hasStreams: hasStreams)
  }

  private mutating func subrate() {
    let (device, draw) = (Int(random.next() % 2), random.next())
    guard let handle = bench.handles[device] else { return }
    switch draw >> 32 % 8 {
    case 0: bench.command(device, .general(.leRequestPeerSCA(handle)))
    case 1: bench.command(device, .power(.leReadRemoteTransmitPowerLevel(handle, phy: 1)))
    case 2: bench.command(0, .leSetHostChannelClassification(draw >> 8 & 0x1F_FFFF_FFFF | 3))
    default: break
    }
    guard draw % 3 == 0 else { return }
    let factor = 1 + UInt16(draw >> 8 % 12)
    bench.command(1, .leReadRemoteFeatures(bench.handles[1] ?? 0))
    bench.run(for: .milliseconds(300))
    bench.command(
      device,
      .general(
        .leSubrateRequest(
          handle,
          HCI.SubrateParameters(
            factorMinimum: 1, factorMaximum: factor, maximumLatency: UInt16(draw >> 16 & 1),
            continuationNumber: UInt16(draw >> 24 % 16) % factor, supervisionTimeout: 1_000))))
  }

  private mutating func pick(_ values: [UInt16]) -> UInt16 { values[Int(random.next() % UInt64(values.count))] }

  // MARK: Steps

  private mutating func begin() {
    bench.connect(interval: pick([8, 16, 24, 40]), timeout: 400)
    if random.next() % 2 == 0, let handle = bench.handles[1] {
      bench.command(1, .leSetDataLength(handle, txOctets: 251, txTime: isCoded ? 17_040 : 2_120))
    }
    if isCoded, let handle = bench.handles[1] {
      bench.command(1, .leSetPHY(handle, tx: .leCoded, rx: .leCoded, options: .s2))
      bench.run(for: .milliseconds(400))
    }
    ask([0x02, 185, 0], [0x03, 247, 0])
    ask([0x10, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28], [0x11, 0x06, 0x10, 0x00, 0x1F, 0x00, 0x0A, 0x18])
    ask([0x10, 0x20, 0x00, 0xFF, 0xFF, 0x00, 0x28], [0x01, 0x10, 0x20, 0x00, 0x0A])
    ask(
      [0x08, 0x10, 0x00, 0x1F, 0x00, 0x03, 0x28],
      [
        0x09, 0x07, 0x11, 0x00, 0x3A, 0x12, 0x00, 0x01, 0x2A, 0x14, 0x00, 0x02, 0x15, 0x00, 0x02, 0x2A, 0x16, 0x00,
        0x10, 0x17, 0x00, 0x03, 0x2A,
      ])
    ask([0x08, 0x17, 0x00, 0x1F, 0x00, 0x03, 0x28], [0x01, 0x08, 0x17, 0x00, 0x0A])
    ask([0x04, 0x13, 0x00, 0x13, 0x00], [0x05, 0x01, 0x13, 0x00, 0x02, 0x29])
    ask([0x04, 0x18, 0x00, 0x1F, 0x00], [0x05, 0x01, 0x18, 0x00, 0x02, 0x29])
    ask([0x12, 0x13, 0x00, 0x03, 0x00], [0x13])
  }

  private mutating func step(isPlain: Bool) {
    value &+= 1
    let long = [UInt8](repeating: value, count: 20 + Int(random.next() % 120))
    switch random.next() % 12 {
    case 0: ask([0x0A, 0x15, 0x00], [0x0B, value])
    case 1: ask([0x0A, 0x12, 0x00], [0x0B] + long)
    case 2: ask([0x12, 0x12, 0x00] + long, [0x13])
    case 3: ask([0x0A, 0x77, 0x00], [0x01, 0x0A, 0x77, 0x00, 0x01])
    case 4: ask([0x16, 0x12, 0x00, 0, 0] + long, [0x17, 0x12, 0x00, 0, 0] + long)
    case 5: say(1, [0x52, 0x12, 0x00] + long)
    case 6, 7: for _ in 0..<3 { say(0, [0x1B, 0x12, 0x00] + long) }
    case 8:
      say(0, [0x1D, 0x12, 0x00, value])
      say(1, [0x1E])
    case 9: updateByHost()
    case 10: updateByController(isPlain: isPlain)
    default: bench.run(for: .milliseconds(200))
    }
  }

  private mutating func updateByHost() {
    identifier = identifier % 250 + 1
    let parameters = RuleScript.word(16) + RuleScript.word(24) + RuleScript.word(0) + RuleScript.word(400)
    send(0, channel: 5, [0x12, identifier] + RuleScript.word(8) + parameters)
    send(1, channel: 5, [0x13, identifier] + RuleScript.word(2) + RuleScript.word(1))
  }

  private mutating func updateByController(isPlain: Bool) {
    guard let handle = bench.handles[1] else { return }
    switch random.next() % 4 {
    case 0:
      let interval = pick([8, 16, 24, 40])
      bench.command(
        1,
        .leConnectionUpdate(
          handle,
          HCI.ConnectionParameters(
            intervalMinimum: interval, intervalMaximum: interval, peripheralLatency: pick([0, 0, 3]),
            supervisionTimeout: 400)))
    case 1:
      let phy: HCI.PHYMask = isCoded ? .leCoded : .le2M
      bench.command(1, .leSetPHY(handle, tx: phy, rx: phy, options: value % 2 == 0 ? .s8 : .s2))
    case 2: bench.command(1, .leSetHostChannelClassification(0x1F_FFFF_0000 | UInt64(random.next() & 0xFFFF)))
    default:
      guard !isPlain, !isEncrypted else { break }
      isEncrypted = true
      return bench.encrypt()
    }
    bench.run(for: .milliseconds(400))
  }

  // MARK: Talking

  private mutating func ask(_ request: [UInt8], _ response: [UInt8]) {
    say(1, request)
    say(0, response)
  }

  private mutating func say(_ device: Int, _ pdu: [UInt8]) { send(device, channel: 4, pdu) }

  /// Sends a frame, and waits until the other end has it.
  private mutating func send(_ device: Int, channel: UInt8, _ payload: [UInt8]) {
    let expected = octets(at: 1 - device) + 4 + payload.count
    bench.send(device, RuleScript.word(UInt16(payload.count)) + [channel, 0] + payload)
    for _ in 0..<800 where octets(at: 1 - device) < expected { bench.run(for: .milliseconds(5)) }
    // What a host needs to think.
    bench.run(for: .microseconds(Int64(random.next() % 60_000)))
  }

  private mutating func octets(at device: Int) -> Int {
    for fragment in bench.received[device][counted[device].fragments...] { counted[device].octets += fragment.count }
    counted[device].fragments = bench.received[device].count
    return counted[device].octets
  }
}
