import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// LE Power Control and path loss monitoring (Vol 6, Part B, 4.5.16, 5.1.17, 5.1.18; Vol 4, Part E, 7.8.75, 7.8.76,
/// 7.8.117 … 7.8.121): device 1 is the central.
@Suite("Power control")
struct PowerControlTests {
  private typealias Opcode = LL.ControlOpcode

  private struct Pair {
    var bench: RadioBench
    var central: HCI.ConnectionHandle
    var peripheral: HCI.ConnectionHandle

    func ask(_ device: Int, _ command: HCI.PowerCommand) { bench.command(device, .power(command)) }

    /// Status, reason, PHY, level, limits and delta of LE Transmit Power Reporting.
    func reports(_ device: Int) -> [[Int]] {
      bench.events[device].compactMap {
        guard case .link(.leTransmitPowerReporting(let report)) = $0.event else { return nil }
        return [
          Int(report.status.rawValue), Int(report.reason.rawValue), Int(report.phy), Int(report.level),
          Int(report.limits), Int(report.delta),
        ]
      }
    }

    /// Path loss and zone of LE Path Loss Threshold.
    func zones(_ device: Int) -> [[UInt8]] {
      bench.events[device].compactMap {
        guard case .link(.lePathLossThreshold(_, let loss, let zone)) = $0.event else { return nil }
        return [loss, zone]
      }
    }

    func answers(_ device: Int) -> [[UInt8]] {
      bench.events[device].compactMap {
        switch $0.event {
        case .commandComplete(_, let status, let parameters): [status.rawValue] + parameters
        case .commandStatus(_, let status): [status.rawValue]
        default: nil
        }
      }
    }

    /// Levels of what a device received lately, dBm.
    func levels(at receiver: Int, for span: SimDuration) -> Set<Int8> {
      bench.air.removeAll()
      bench.run(for: span)
      return Set(bench.air.filter { $0.receiver == receiver }.map(\.rssi))
    }
  }

  private func pair(
    has: [Bool] = [true, true], wanted: Int? = nil, distance: Int = 100, knows: Bool = true, wantsAir: Bool = true
  ) throws -> Pair {
    let radios = RadioBench.radios(2) { radio, index in
      radio.supportsPowerControl = has[index]
      if index == 1 {
        radio.wantedLevel = wanted
        radio.position = Position(x: distance, y: 0)
      }
    }
    let bench = RadioBench(radios, wantsAir: wantsAir)
    let (central, peripheral) = try required(bench.connect(1, to: 0, interval: 6, timeout: 3_200))
    if knows { bench.command(1, .leReadRemoteFeatures(central)) }
    bench.run(for: .milliseconds(200))
    for device in 0...1 { bench.events[device].removeAll() }
    return Pair(bench: bench, central: central, peripheral: peripheral)
  }

  @Test("A host reads its own power, and that of the peer, on a PHY")
  func reads() throws {
    let pair = try pair()
    pair.ask(1, .leEnhancedReadTransmitPowerLevel(pair.central, phy: 2))
    equal(pair.answers(1), [[0, 0x40, 0, 2, 0, 0]])
    pair.ask(1, .leReadRemoteTransmitPowerLevel(pair.central, phy: 1))
    pair.bench.run(for: .milliseconds(50))
    equal(pair.reports(1), [[0, 2, 1, 0, 2, 0]])
    expect(pair.reports(0).isEmpty)
  }

  @Test("A PHY that is none, or that the controller lacks, and a peer without the procedure are refused")
  func refused() throws {
    let both = try pair()
    both.ask(1, .leReadRemoteTransmitPowerLevel(both.central, phy: 5))
    both.ask(1, .leReadRemoteTransmitPowerLevel(both.central, phy: 3))
    both.ask(1, .leEnhancedReadTransmitPowerLevel(both.central, phy: 0))
    equal(both.answers(1), [[0x12], [0x11], [0x12, 0x40, 0, 0, 0, 0]])
    // Known to lack it, and not known.
    let alone = try pair(has: [false, true])
    alone.ask(1, .leReadRemoteTransmitPowerLevel(alone.central, phy: 1))
    equal(alone.answers(1), [[0x1A]])
    let unknown = try pair(has: [false, true], knows: false)
    unknown.ask(1, .leReadRemoteTransmitPowerLevel(unknown.central, phy: 1))
    unknown.bench.run(for: .milliseconds(50))
    equal(unknown.reports(1), [[0x1A, 2, 1, 127, 3, 127]])
    // A controller without the feature does not know the command.
    let none = try pair(has: [true, false])
    none.ask(1, .leReadRemoteTransmitPowerLevel(none.central, phy: 1))
    equal(none.answers(1), [[0x01]])
  }

  @Test("A peer that is asked sends with less power, at most 20 dB, and both hosts that want to know are told")
  func changes() throws {
    let pair = try pair()
    pair.ask(0, .leSetTransmitPowerReportingEnable(pair.peripheral, local: true, remote: false))
    pair.ask(1, .leSetTransmitPowerReportingEnable(pair.central, local: false, remote: true))
    pair.bench.run(for: .milliseconds(50))
    let before = pair.levels(at: 1, for: .milliseconds(50))
    let (link, end) = try required(pair.bench.world.controllers[1].link(pair.central))
    func ask(_ delta: Int8) {
      pair.bench.world.start(.powerControl(phy: 1, delta: delta, isForHost: false), end, link)
      pair.bench.run(for: .milliseconds(50))
    }
    ask(-12)
    let level = try required(before.first)
    equal(pair.levels(at: 1, for: .milliseconds(50)), [level - 12])
    ask(-12)
    ask(127)
    equal(pair.levels(at: 1, for: .milliseconds(50)), before)
    equal(pair.reports(1), [[0, 1, 1, -12, 0, -12], [0, 1, 1, -20, 1, -8], [0, 1, 1, 0, 2, 20]])
    equal(pair.reports(0), [[0, 0, 1, -12, 0, -12], [0, 0, 1, -20, 1, -8], [0, 0, 1, 0, 2, 20]])
    // What the central sends is as strong as ever.
    equal(pair.levels(at: 0, for: .milliseconds(50)), before)
  }

  @Test("A device that wants a level asks its peer until the level is there, or the peer can do no more")
  func wanted() throws {
    let near = try pair(wanted: -6_000, distance: 200)
    let loss = try required(near.levels(at: 0, for: .milliseconds(20)).first)
    expect(loss > -54, "\(loss)")
    near.bench.run(for: .seconds(1))
    let levels = near.levels(at: 1, for: .milliseconds(100))
    expect(levels.allSatisfy { (-66...(-54)).contains($0) }, "\(levels)")
    // Too near for 20 dB: one that says it is at its minimum is not asked again.
    let touching = try pair(wanted: -9_000, distance: 20)
    touching.bench.run(for: .seconds(2))
    touching.bench.air.removeAll()
    touching.bench.run(for: .seconds(2))
    expect(!touching.bench.air.contains { $0.pdu[0] & 3 == 3 }, "nothing is asked twice")
    let cut = try required(touching.bench.world.controllers[0].link(touching.peripheral)).1.power.cut
    equal(cut, 2_000)
  }

  @Test("A host hears of the zone first, and of each other one after as many events as it said")
  func pathLoss() throws {
    let pair = try pair(distance: 100, wantsAir: false)
    let zones = HCI.PathLossZones(
      highThreshold: 70, highHysteresis: 3, lowThreshold: 55, lowHysteresis: 3, minimumEvents: 40)
    pair.ask(1, .leSetPathLossReportingEnable(pair.central, true))
    equal(pair.answers(1), [[0x0C, 0x40, 0]])
    pair.ask(1, .leSetPathLossReportingParameters(pair.central, zones))
    pair.ask(1, .leSetPathLossReportingEnable(pair.central, true))
    pair.bench.run(for: .seconds(1))
    func move(_ metres: Int) {
      pair.bench.world.move(1, to: Position(x: metres * 100, y: 0))
      pair.bench.run(for: .seconds(2))
    }
    move(50)
    move(1)
    let seen = pair.zones(1)
    // From the far zone back to the near one in one step: the middle is not entered for forty events.
    let loss = { (metres: Int) in UInt8(-pair.bench.world.level(from: 0, to: 1) / 100) }
    expect(seen.map(\.[1]) == [0, 2, 0], "\(seen)")
    expect(seen.allSatisfy { $0[1] != 2 || $0[0] >= 73 }, "\(seen)")
    expect(loss(1) <= 52)
    pair.ask(1, .leSetPathLossReportingEnable(pair.central, false))
    move(50)
    equal(pair.zones(1).count, 3)
  }

  @Test("Zones that overlap, or whose bounds are out of range, are refused (7.8.119)")
  func zones() throws {
    let pair = try pair()
    for (high, highHysteresis, low, lowHysteresis) in [
      (70, 10, 60, 5), (250, 10, 60, 5), (70, 3, 4, 5), (50, 0, 60, 0),
    ] as [(UInt8, UInt8, UInt8, UInt8)] {
      pair.ask(
        1,
        .leSetPathLossReportingParameters(
          pair.central,
          .init(
            highThreshold: high, highHysteresis: highHysteresis, lowThreshold: low, lowHysteresis: lowHysteresis,
            minimumEvents: 1)))
    }
    equal(pair.answers(1), Array(repeating: [0x12, 0x40, 0], count: 4))
  }

  @Test("Without a high zone a link leaves it, whatever the hysteresis is")
  func noHighZone() throws {
    var power = LinkPower()
    power.zones = HCI.PathLossZones(
      highThreshold: 60, highHysteresis: 0, lowThreshold: 40, lowHysteresis: 0, minimumEvents: 0)
    (power.remote, power.monitorsPathLoss) = (0, true)
    for _ in 0..<LinkPower.samplesNeeded { power.note(level: -8_000) }
    equal(power.enteredZone(event: 1), 2)
    power.zones = HCI.PathLossZones(
      highThreshold: 0xFF, highHysteresis: 0xFF, lowThreshold: 40, lowHysteresis: 0, minimumEvents: 0)
    equal(power.enteredZone(event: 2), 1)
  }

  @Test("A peer that acknowledges nothing cannot fill a link with answers")
  func answers() throws {
    let pair = try pair()
    let (link, end) = try required(pair.bench.world.controllers[1].link(pair.central))
    expect(end.hasRoomForAnswers)
    for _ in 0..<64 { pair.bench.world.send(.pingRsp, end, link) }
    expect(!end.hasRoomForAnswers)
    pair.bench.run(for: .seconds(2))
    expect(end.hasRoomForAnswers)
  }

  @Test("RF path compensation counts in powers and levels that a host reads (7.8.76)")
  func compensation() throws {
    let pair = try pair()
    pair.bench.command(1, .readRSSI(pair.central))
    pair.ask(1, .leWriteRFPathCompensation(transmit: -30, receive: 40))
    pair.ask(1, .leReadRFPathCompensation)
    pair.bench.command(1, .readRSSI(pair.central))
    pair.ask(1, .leEnhancedReadTransmitPowerLevel(pair.central, phy: 1))
    pair.ask(1, .leWriteRFPathCompensation(transmit: 1_281, receive: 0))
    let answers = pair.answers(1)
    equal(Int8(bitPattern: answers[3][3]), Int8(bitPattern: answers[0][3]) - 4)
    equal(answers[2], [0, 0xE2, 0xFF, 40, 0])
    equal(answers[4], [0, 0x40, 0, 1, 0xFD, 0xFD])
    equal(answers[5], [0x12])
  }
}
