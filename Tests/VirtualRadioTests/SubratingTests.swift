import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// Connection subrating (Vol 6, Part B, 4.5.1, 5.1.19, 5.1.20; Vol 4, Part E, 7.8.115, 7.8.123, 7.8.124): device 1 is
/// the central.
@Suite("Connection subrating")
struct SubratingTests {
  private typealias Opcode = LL.ControlOpcode
  private static let hostSupport = HCI.Command.general(.leSetHostFeature(bit: 38, value: 1))

  private func wish(
    _ factors: ClosedRange<UInt16>, latency: UInt16 = 0, continuation: UInt16 = 0, timeout: UInt16 = 3_200
  ) -> HCI.SubrateParameters {
    HCI.SubrateParameters(
      factorMinimum: factors.lowerBound, factorMaximum: factors.upperBound, maximumLatency: latency,
      continuationNumber: continuation, supervisionTimeout: timeout)
  }

  /// A link of 7.5 ms whose ends know each other's features.
  private struct Pair {
    var bench: RadioBench
    var central: HCI.ConnectionHandle = 0
    var peripheral: HCI.ConnectionHandle = 0

    func request(_ device: Int, _ wish: HCI.SubrateParameters, wait: SimDuration = .milliseconds(200)) {
      bench.command(device, .general(.leSubrateRequest(device == 1 ? central : peripheral, wish)))
      bench.run(for: wait)
    }

    /// Status, factor, latency, continuation number and timeout of LE Subrate Change at a device.
    func changes(_ device: Int) -> [[UInt16]] {
      bench.events[device].compactMap {
        guard case .leSubrateChange(_, let status, let factor, let latency, let number, let timeout) = $0.event else {
          return nil
        }
        return [UInt16(status.rawValue), factor, latency, number, timeout]
      }
    }

    func statuses(_ device: Int) -> [HCI.ErrorCode] {
      bench.events[device].compactMap {
        switch $0.event {
        case .commandStatus(_, let status), .commandComplete(_, let status, _): status
        default: nil
        }
      }
    }

    /// Events of which something was on the air, in units of the interval from the first one.
    func used(_ span: SimDuration) -> [Int] {
      bench.air.removeAll()
      bench.run(for: span)
      let starts = bench.air.filter { $0.transmitter == 1 }.map(\.start.nanoseconds)
      var events: [Int] = []
      for start in starts {
        let event = Int((start - (starts.first ?? 0) + 1_000_000) / 7_500_000)
        if events.last != event { events.append(event) }
      }
      return events
    }

    /// Sender and octets of the control PDUs of subrating on the air.
    var talk: [String] {
      let opcodes = [Opcode.rejectExtInd, Opcode.subrateReq, Opcode.subrateInd]
      return bench.air.filter { $0.pdu[0] & 3 == 3 && opcodes.contains($0.pdu[2]) }.map { pdu in
        pdu.pdu[2...].reduce(pdu.transmitter == 1 ? "C " : "P ") {
          $0 + ($1 < 16 ? "0" : "") + String($1, radix: 16)
        }
      }
    }
  }

  private func pair(
    has: [Bool] = [true, true], hosts: [Bool] = [true, true], latency: UInt16 = 0, wantsAir: Bool = true,
    steps: Bool = false, room: RadioEnvironment = .lossless, seed: UInt64 = 1, knows: Bool = true,
    change: (inout RadioConfiguration, Int) -> Void = { _, _ in }
  ) throws -> Pair {
    let radios = RadioBench.radios(2) { radio, index in
      radio.supportsSubrating = has[index]
      change(&radio, index)
    }
    var pair = Pair(
      bench: RadioBench(radios, environment: room, seed: seed, wantsAir: wantsAir, stepsIdleEvents: steps))
    for device in 0...1 where hosts[device] && has[device] { pair.bench.command(device, Self.hostSupport) }
    (pair.central, pair.peripheral) = try required(
      pair.bench.connect(1, to: 0, interval: 6, latency: latency, timeout: 3_200))
    if knows { pair.bench.command(1, .leReadRemoteFeatures(pair.central)) }
    pair.bench.run(for: .milliseconds(200))
    for device in 0...1 { pair.bench.events[device].removeAll() }
    pair.bench.air.removeAll()
    return pair
  }

  // MARK: Arithmetic

  @Test("The example of 5.1.19: base 38 and factor 3 make events 44, 47, 50; base 32 and factor 5 make 42, 47, 52")
  func example() throws {
    func events(_ base: UInt16, _ factor: UInt16, in event: UInt64) throws -> [UInt64] {
      let subrating = try required(
        Subrating(
          factor: factor, baseEvent: base, latency: 0, continuation: 0, timeout: 3_200, interval: 6,
          receivedIn: event))
      return (43...58).filter(subrating.events.contains)
    }
    equal(try events(38, 3, in: 42), [44, 47, 50, 53, 56])
    equal(try events(32, 5, in: 33), [47, 52, 57])
  }

  @Test("The example of a wrap: base 12002 and factor 10 are events 65522, 65532, 65542 or 12, 22 of the next round")
  func wrap() throws {
    func first(_ base: UInt16, in event: UInt64) throws -> UInt64 {
      try required(
        Subrating(
          factor: 10, baseEvent: base, latency: 0, continuation: 0, timeout: 3_200, interval: 6, receivedIn: event)
      ).events.first(from: event)
    }
    equal(try first(12_002, in: 65_520), 65_522)
    // Received after the wrap: a base of the first quarter is of this round, one of the last quarter of that before.
    equal(try first(2, in: 65_536 + 6), 65_536 + 12)
    equal(try first(65_522, in: 65_536 + 5), 65_536 + 6)
  }

  @Test("Continuation events: as many as the number says after a payload, and none before the last subrated event")
  func continuation() throws {
    let subrating = try required(
      Subrating(
        factor: 10, baseEvent: 0, latency: 0, continuation: 3, timeout: 3_200, interval: 6, receivedIn: 100))
    equal((101...112).filter { subrating.events.continues($0, after: 100) }, [101, 102, 103])
    equal((101...109).filter { subrating.events.continues($0, after: 104) }, [105, 106, 107])
    equal((111...119).filter { subrating.events.continues($0, after: 109) }, [])
  }

  // MARK: Procedures

  @Test("The central updates: LL_SUBRATE_IND, one event of ten from then on, and both hosts are told")
  func central() throws {
    let pair = try pair()
    let counter = try required(pair.bench.world.controllers[1].link(pair.central)).0.eventCounter
    expect((16...255).contains(counter))
    pair.request(1, wish(2...10, latency: 1, continuation: 4, timeout: 500))
    equal(pair.talk, ["C 270a00\(String(counter, radix: 16))0001000400f401"])
    for device in 0...1 { equal(pair.changes(device), [[0, 10, 1, 4, 500]]) }
    equal(pair.statuses(1), [.success])
    equal(pair.used(.milliseconds(300)), [0, 10, 20, 30])
  }

  @Test("The peripheral asks: LL_SUBRATE_REQ, and the central takes as few events as both allow")
  func peripheral() throws {
    let pair = try pair(knows: true)
    pair.bench.command(1, .general(.leSubrateRequest(pair.central, wish(1...1, latency: 3))))
    pair.bench.run(for: .milliseconds(100))
    for device in 0...1 { pair.bench.events[device].removeAll() }
    pair.bench.air.removeAll()
    // What its own request names, it accepts of the peripheral from then on.
    pair.request(1, wish(4...20, latency: 3, continuation: 1))
    pair.bench.air.removeAll()
    for device in 0...1 { pair.bench.events[device].removeAll() }
    pair.request(0, wish(2...8, latency: 0, continuation: 2, timeout: 1_000), wait: .milliseconds(800))
    expect(pair.talk.first == "P 260200080000000200e803" && pair.talk.count == 2, "\(pair.talk)")
    for device in 0...1 { equal(pair.changes(device), [[0, 8, 0, 2, 1_000]]) }
    equal(Array(pair.used(.milliseconds(260)).prefix(4)), [0, 8, 16, 24])
  }

  @Test("A central refuses what its host does not accept (5.1.20), and the peripheral's host is told why")
  func refused() throws {
    let cases: [(HCI.SubrateParameters, HCI.ErrorCode)] = [
      (wish(2...4), .unsupportedLLParameterValue), (wish(1...1, latency: 1), .unsupportedLLParameterValue),
    ]
    for (asked, reason) in cases {
      let pair = try pair()
      pair.request(0, asked)
      equal(pair.changes(0), [[UInt16(reason.rawValue), 1, 0, 0, 3_200]])
      expect(pair.changes(1).isEmpty && pair.talk.count == 2)
    }
    // The default of the central's host.
    let pair = try pair()
    pair.bench.command(1, .disconnect(pair.central, reason: .remoteUserTerminatedConnection))
    pair.bench.run(for: .milliseconds(100))
    pair.bench.command(1, .general(.leSetDefaultSubrate(wish(2...6, latency: 2, timeout: 600))))
    let (central, peripheral) = try required(pair.bench.connect(1, to: 0, interval: 6, timeout: 3_200))
    pair.bench.command(1, .leReadRemoteFeatures(central))
    pair.bench.run(for: .milliseconds(100))
    for (asked, change) in [
      (wish(7...9, timeout: 600), [0x20, 1, 0, 0, 3_200]), (wish(1...9, timeout: 700), [0x20, 1, 0, 0, 3_200]),
      (wish(3...9, latency: 3, timeout: 600), [0x20, 1, 0, 0, 3_200]), (wish(3...9, timeout: 600), [0, 6, 0, 0, 600]),
    ] as [(HCI.SubrateParameters, [UInt16])] {
      pair.bench.events[0].removeAll()
      pair.bench.command(0, .general(.leSubrateRequest(peripheral, asked)))
      pair.bench.run(for: .milliseconds(200))
      equal(pair.changes(0), [change], "\(asked)")
    }
  }

  @Test("Without the feature, or the host's word for it, there is none: commands and PDUs are refused")
  func lacks() throws {
    let old = try pair(has: [true, false])
    old.request(1, wish(2...2))
    equal(old.statuses(1), [.unknownCommand])
    old.request(0, wish(2...2))
    // The central's answer to the peripheral's features says that it lacks subrating.
    equal(old.statuses(0).last, .unsupportedRemoteFeature)
    let unasked = try pair(has: [true, false], knows: false)
    unasked.request(0, wish(2...2))
    equal(unasked.changes(0), [[0x1A, 1, 0, 0, 3_200]])
    let unknown = try pair(knows: false)
    unknown.request(1, wish(2...2))
    equal(unknown.statuses(1), [.commandDisallowed])
    let mute = try pair(hosts: [false, true])
    mute.request(1, wish(2...2))
    equal(mute.statuses(1), [.unsupportedRemoteFeature])
    let deaf = try pair(hosts: [true, false])
    deaf.request(0, wish(2...2))
    equal(deaf.changes(0), [[0x1A, 1, 0, 0, 3_200]])
    // The host feature is set while there is no link, to a bit that the host has.
    mute.bench.command(0, Self.hostSupport)
    equal(mute.statuses(0).last, .commandDisallowed)
    let alone = RadioBench(RadioBench.radios(1) { radio, _ in radio.supportsSubrating = true })
    for (bit, value, status) in [(32, 1, 0x11), (38, 2, 0x12), (38, 1, 0), (38, 0, 0)] as [(UInt8, UInt8, UInt8)] {
      alone.command(0, .general(.leSetHostFeature(bit: bit, value: value)))
      equal(
        alone.events[0].last?.event,
        .commandComplete(.leSetHostFeature, status: HCI.ErrorCode(status), returnParameters: []))
    }
  }

  @Test("Parameters out of their ranges, or with a timeout that two waits would use up, are refused with 0x12")
  func ranges() throws {
    let pair = try pair()
    let wrong = [
      wish(0...2), wish(1...501), wish(1...251, latency: 1), wish(1...4, continuation: 4), wish(1...1, timeout: 9),
      wish(1...1, timeout: 3_201), wish(1...100, timeout: 150),
    ]
    for asked in wrong {
      for device in 0...1 {
        pair.request(device, asked, wait: .milliseconds(20))
        equal(pair.statuses(device).last, .invalidParameters, "\(asked)")
      }
    }
    pair.request(1, wish(1...100, timeout: 151))
    equal(pair.changes(1), [[0, 100, 0, 0, 151]])
    pair.bench.command(1, .general(.leSetDefaultSubrate(wish(2...1 + 1, continuation: 2))))
    equal(pair.statuses(1).last, .invalidParameters)
  }

  // MARK: Events

  @Test("Data that wait are sent in a subrated event, and the events after it stay in use as the number says")
  func data() throws {
    let pair = try pair()
    pair.request(1, wish(20...20, continuation: 3))
    pair.bench.run(for: .milliseconds(600))
    pair.bench.send(1, pair.central, [1])
    equal(Array(pair.used(.milliseconds(460)).prefix(6)), [0, 1, 2, 3, 20, 40])
    // An answer within these events keeps them going.
    var left = 3
    pair.bench.onMessage = { device, message in
      guard case .acl = message, left > 0 else { return }
      left -= 1
      pair.bench.world.controllers[device].submit(
        HCI.ACLData(
          handle: device == 0 ? pair.peripheral : pair.central, boundary: .firstNonFlushable, octets: [UInt8(left)]))
    }
    pair.bench.send(0, pair.peripheral, [9])
    let used = pair.used(.milliseconds(400))
    expect(used.starts(with: [0, 1, 2, 3]) && used.count > 6, "\(used)")
    equal(left, 0)
  }

  @Test("A change while data flow loses nothing, in rooms with loss too", arguments: 1...6)
  func flow(seed: Int) throws {
    var room = RadioEnvironment.lossless
    if seed > 2 { room.packetLoss = .partsPerMillion(200_000) }
    let pair = try pair(room: room, seed: UInt64(seed))
    var sent: [[[UInt8]]] = [[], []]
    for round in 0..<60 {
      if round % 7 == 3 {
        let factor = [1, 5, 40, 2][round / 7 % 4] as UInt16
        pair.request(
          round % 2, wish(factor...factor, latency: factor == 5 ? 1 : 0, continuation: factor / 3), wait: .zero)
      }
      for device in 0...1 {
        let octets = [UInt8(round), UInt8(device)] + [UInt8](repeating: 7, count: round)
        sent[device].append(octets)
        pair.bench.send(device, device == 1 ? pair.central : pair.peripheral, octets)
      }
      pair.bench.run(for: .milliseconds(Int64(round * 37 % 150)))
    }
    pair.bench.run(for: .seconds(20))
    for device in 0...1 {
      equal(pair.bench.received[1 - device].flatMap(\.data.octets), sent[device].flatMap { $0 })
      expect(pair.bench.disconnections(of: device).isEmpty)
    }
    expect(pair.changes(1).contains { $0[0] == 0 && $0[1] == 40 }, "\(pair.changes(1))")
  }

  @Test("The peripheral leaves out subrated events as its latency says, and none while it has something to send")
  func latency() throws {
    let pair = try pair()
    pair.request(1, wish(5...5, latency: 3))
    pair.bench.run(for: .seconds(1))
    pair.bench.air.removeAll()
    pair.bench.run(for: .microseconds(7_500 * 5 * 40))
    equal(pair.bench.air.filter { $0.transmitter == 1 }.count, 40)
    equal(pair.bench.air.filter { $0.transmitter == 0 }.count, 10)
    pair.bench.send(0, pair.peripheral, [1])
    pair.bench.run(for: .microseconds(7_500 * 5))
    equal(pair.bench.received[1].count, 1)
    expect(pair.bench.disconnections(of: 1).isEmpty)
  }

  @Test("Without an acknowledgement the central sends in old and new events, and keeps its old timeout")
  func transition() throws {
    let pair = try pair()
    pair.request(1, wish(4...4))
    pair.bench.run(for: .milliseconds(300))
    // Nothing of the peripheral comes back: the central does not know what it has.
    pair.bench.world.setRadio(0, isOn: false)
    pair.bench.command(1, .general(.leSubrateRequest(pair.central, wish(6...6, timeout: 100))))
    let used = pair.used(.milliseconds(400))
    equal(used, [0, 4, 6, 8, 12, 16, 18, 20, 24, 28, 30, 32, 36, 40, 42, 44, 48, 52].filter { $0 <= used.last! })
    pair.bench.run(for: .seconds(20))
    expect(pair.bench.disconnections(of: 1).isEmpty)
    pair.bench.run(for: .seconds(13))
    equal(pair.bench.disconnections(of: 1).map(\.reason), [.connectionTimeout])
  }

  @Test("The new timeout is that of both ends", arguments: [0, 1])
  func supervision(silent: Int) throws {
    let pair = try pair()
    pair.request(1, wish(10...10, timeout: 60))
    pair.bench.world.setRadio(silent, isOn: false)
    let begin = pair.bench.timeline.now
    pair.bench.run(for: .seconds(2))
    let ends = pair.bench.disconnections(of: 1 - silent)
    equal(ends.map(\.reason), [.connectionTimeout])
    let after = try required(ends.first).at - begin
    expect(after <= .milliseconds(600) && after > .milliseconds(500))
  }

  @Test("A new interval ends subrating at its instant, and one that stays the same keeps it")
  func connectionUpdate() throws {
    for (interval, factor) in [(6, 10), (12, 1)] as [(UInt16, Int)] {
      let pair = try pair()
      pair.request(1, wish(10...10))
      pair.bench.command(
        1,
        .leConnectionUpdate(
          pair.central,
          HCI.ConnectionParameters(intervalMinimum: interval, intervalMaximum: interval, supervisionTimeout: 1_000)))
      pair.bench.run(for: .seconds(2))
      let ends = pair.bench.events[0].contains {
        if case .leConnectionUpdateComplete(_, .success, interval, 0, 1_000) = $0.event { true } else { false }
      }
      expect(ends)
      pair.bench.air.removeAll()
      pair.bench.run(for: .microseconds(1_250 * Int64(interval) * Int64(factor) * 30))
      equal(pair.bench.air.filter { $0.transmitter == 1 }.count, 30)
      expect(pair.bench.disconnections(of: 1).isEmpty)
    }
  }

  @Test("Channel maps and PHYs change at their instants on a subrated link")
  func instants() throws {
    let pair = try pair { radio, _ in radio.supportsChannelSelection2 = false }
    pair.request(1, wish(7...7))
    pair.bench.command(1, .leSetHostChannelClassification(0x1F_FFE0_0000))
    pair.bench.run(for: .seconds(2))
    pair.bench.command(0, .leSetPHY(pair.peripheral, tx: .le2M, rx: .le2M))
    pair.bench.run(for: .seconds(4))
    pair.bench.air.removeAll()
    pair.bench.run(for: .seconds(2))
    expect(pair.bench.air.count > 60)
    expect(pair.bench.air.allSatisfy { $0.phy == .le2M && $0.fate == .received })
    expect(pair.bench.air.allSatisfy { LL.channelIndex(rfChannel: UInt8($0.rfChannel)) >= 21 })
    expect(pair.bench.disconnections(of: 1).isEmpty)
  }

  @Test("Parameters that a hostile central says are rejected, and roles that do not say them are not understood")
  func hostile() throws {
    let pair = try pair()
    let (link, end) = try required(pair.bench.world.controllers[1].link(pair.central))
    let wrong: [(UInt16, UInt16, UInt16, UInt16)] = [
      (0, 0, 0, 100), (501, 0, 0, 3_200), (2, 250, 0, 3_200), (4, 0, 4, 3_200),
    ]
    for (factor, latency, number, timeout) in wrong {
      pair.bench.world.send(
        .subrateInd(factor: factor, baseEvent: 0, latency: latency, continuationNumber: number, timeout: timeout), end,
        link)
    }
    pair.bench.run(for: .milliseconds(200))
    equal(pair.talk.filter { $0.hasPrefix("P") }, Array(repeating: "P 11271e", count: 4))
    expect(!link.isSubrated && pair.changes(0).isEmpty)
    pair.bench.air.removeAll()
    pair.bench.world.send(.subrateReq(wish(2...2)), end, link)
    let (_, other) = try required(pair.bench.world.controllers[0].link(pair.peripheral))
    pair.bench.world.send(
      .subrateInd(factor: 2, baseEvent: 0, latency: 0, continuationNumber: 0, timeout: 100), other, link)
    pair.bench.run(for: .milliseconds(200))
    let answers = pair.bench.air.filter { $0.pdu[0] & 3 == 3 && $0.pdu[2] == Opcode.unknownRsp }
    equal(answers.map { $0.pdu[3] }.sorted(), [0x26, 0x27])
  }

  @Test(
    "A base that is still to come, however far, changes which events are used and nothing else",
    arguments: [1, 300, 499, 0x3FFF, 0x8000, 0xC000, 0xFFF0] as [UInt16])
  func baseAhead(base: UInt16) throws {
    for continuation in [UInt16(0), 400] {
      let pair = try pair()
      let (link, end) = try required(pair.bench.world.controllers[1].link(pair.central))
      pair.bench.world.send(
        .subrateInd(
          factor: 500, baseEvent: base, latency: 0, continuationNumber: continuation, timeout: 3_200), end, link)
      pair.bench.run(for: .seconds(20))
      equal(link.peripheral.subrating.factor, 500)
    }
  }

  @Test("Features: the controller has bit 37, its host sets bit 38, and each end is told the other's")
  func features() throws {
    let pair = try pair(hosts: [true, false])
    for (device, handle, bits) in [(1, pair.central, 0b11), (0, pair.peripheral, 0b01)] as [(Int, UInt16, UInt64)] {
      pair.bench.command(device, .leReadRemoteFeatures(handle))
      pair.bench.run(for: .milliseconds(100))
      let features = pair.bench.events[device].compactMap { event -> UInt64? in
        if case .leReadRemoteFeaturesComplete(_, .success, let features) = event.event { features >> 37 } else { nil }
      }
      equal(features, [bits])
    }
    let plain = RadioBench(RadioBench.radios(1))
    plain.command(0, .readLocalSupportedCommands)
    plain.command(0, .leReadLocalSupportedFeatures)
    for event in plain.events[0] {
      guard case .commandComplete(let opcode, .success, let octets) = event.event else { continue }
      if opcode == .readLocalSupportedCommands { expect(octets[44] & 2 == 0 && octets[46] & 3 == 0) }
      if opcode == .leReadLocalSupportedFeatures { equal(octets[4] & 0x60, 0) }
    }
  }
}
