import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// Channel classification reports, minimum number of used channels, and sleep clock accuracy (Vol 6, Part B, 4.5.8.4,
/// 5.1.11, 5.1.14, 5.1.21): device 1 is the central.
@Suite("Channel reports and sleep clocks")
struct ChannelReportTests {
  private typealias Opcode = LL.ControlOpcode
  private static let all: UInt64 = 0x1F_FFFF_FFFF

  private func link(
    steps: Bool = false, environment: RadioEnvironment = .lossless, seed: UInt64 = 1,
    change: (inout RadioConfiguration, Int) -> Void
  ) throws -> (bench: RadioBench, handles: (HCI.ConnectionHandle, HCI.ConnectionHandle)) {
    let bench = RadioBench(
      RadioBench.radios(2, change: change), environment: environment, seed: seed, wantsAir: true,
      stepsIdleEvents: steps)
    let handles = try required(bench.connect(1, to: 0, interval: 6, timeout: 3_200))
    bench.command(1, .leReadRemoteFeatures(handles.0))
    bench.run(for: .milliseconds(200))
    return (bench, handles)
  }

  private func map(_ bench: RadioBench, _ handle: HCI.ConnectionHandle) throws -> UInt64 {
    try required(bench.world.controllers[1].link(handle)).0.channelMap.bits
  }

  /// Opcodes of control PDUs, with their sender.
  private func talk(_ bench: RadioBench) -> [String] {
    bench.air.filter { $0.pdu[0] & 3 == 3 }.map { ($0.transmitter == 1 ? "C " : "P ") + String($0.pdu[2], radix: 16) }
  }

  @Test(
    "The peripheral's host rules channels out, and the central leaves them; later they return",
    arguments: [false, true])
  func reports(steps: Bool) throws {
    let (bench, handles) = try link(steps: steps) { configuration, _ in configuration.supportsChannelReports = true }
    expect(talk(bench).contains("C 28"), "the central asks for reports: \(talk(bench))")
    bench.air.removeAll()
    bench.command(0, .leSetHostChannelClassification(Self.all & ~0xFF))
    bench.run(for: .seconds(2))
    equal(try map(bench, handles.0), Self.all & ~0xFF)
    let report = try required(bench.air.first { $0.pdu[0] & 3 == 3 && $0.transmitter == 0 })
    guard case .channelStatusInd(let status) = try LL.ControlPDU(decoding: Array(report.pdu.dropFirst(2))) else {
      return expect(false, "\(report.pdu)")
    }
    equal(status.channels(.bad), 0xFF)
    equal(status.channels(.good), Self.all & ~0xFF)
    bench.command(0, .leSetHostChannelClassification(Self.all))
    bench.run(for: .seconds(2))
    equal(try map(bench, handles.0), Self.all)
  }

  @Test("Reports come a second apart, whatever the host says in between")
  func spacing() throws {
    let (bench, handles) = try link { configuration, _ in configuration.supportsChannelReports = true }
    bench.air.removeAll()
    for round in 0..<40 {
      bench.command(0, .leSetHostChannelClassification(round % 2 == 0 ? Self.all & ~1 : Self.all & ~2))
      bench.run(for: .milliseconds(100))
    }
    let starts = bench.air.filter { $0.transmitter == 0 && $0.pdu.count > 2 && $0.pdu[2] == Opcode.channelStatusInd }
      .map(\.start)
    expect((3...5).contains(starts.count), "\(starts.count)")
    expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 >= .milliseconds(990) })
    expect(try map(bench, handles.0) != Self.all)
  }

  @Test("Noise that only the peripheral hears is left, too, and is not without reports")
  func hears() throws {
    func bad(_ reports: Bool) throws -> UInt64 {
      let (bench, handles) = try link(environment: .noisy(on: 13...22), seed: 4) { configuration, index in
        configuration.supportsChannelReports = reports
        // The central assesses nothing itself as long as it hears no loss; its own word is left out here.
        configuration.adaptsChannels = index == 1
      }
      bench.run(for: .seconds(12))
      return try required(bench.world.controllers[1].link(handles.0)).0.reportedBad
    }
    let noisy = (11...20).reduce(0 as UInt64) { $0 | 1 << UInt64($1) }
    let reported = try bad(true)
    expect(reported != 0 && reported & ~noisy == 0, "\(String(reported, radix: 16))")
    equal(try bad(false), 0)
  }

  @Test("A peripheral that needs 20 channels keeps them, whatever its own reports say; the host's word stands")
  func minimum() throws {
    let (bench, handles) = try link { configuration, index in
      configuration.supportsChannelReports = true
      configuration.minimumUsedChannels = index == 0 ? 20 : 2
    }
    expect(talk(bench).contains("P 19"))
    bench.command(0, .leSetHostChannelClassification(0xFFFF))
    bench.run(for: .seconds(2))
    equal(try map(bench, handles.0), Self.all)
    bench.command(0, .leSetHostChannelClassification(0xF_FFFF))
    bench.run(for: .seconds(2))
    equal(try map(bench, handles.0), 0xF_FFFF)
    bench.command(1, .leSetHostChannelClassification(0xFF))
    bench.run(for: .seconds(2))
    equal(try map(bench, handles.0), 0xFF)
  }

  @Test("To a central without the feature nothing is said of channels, and PDUs of it are unknown")
  func lacks() throws {
    let (bench, handles) = try link { configuration, index in
      configuration.supportsChannelReports = index == 0
      configuration.minimumUsedChannels = index == 0 ? 20 : 0
    }
    let opcodes = talk(bench).map { $0.split(separator: " ")[1] }
    expect(!opcodes.contains("28") && !opcodes.contains("19") && !opcodes.contains("29"), "\(opcodes)")
    bench.air.removeAll()
    let (link, end) = try required(bench.world.controllers[0].link(handles.1))
    bench.world.send(.channelStatusInd(LL.ChannelStatus()), end, link)
    bench.world.send(.minUsedChannelsInd(phys: 1, minUsedChannels: 20), end, link)
    bench.run(for: .milliseconds(100))
    equal(talk(bench), ["P 29", "C 7", "P 19", "C 7"])
  }

  @Test("An answer to what needs none does not refuse the procedure that is open by then")
  func lateRefusal() throws {
    let (bench, handles) = try link { configuration, _ in configuration.supportsChannelReports = true }
    let (link, end) = try required(bench.world.controllers[0].link(handles.1))
    for opcode in [Opcode.channelReportingInd, Opcode.channelStatusInd, Opcode.minUsedChannelsInd] {
      bench.world.send(.unknownRsp(opcode: opcode), end, link)
    }
    bench.command(1, .readRemoteVersionInformation(handles.0))
    bench.run(for: .milliseconds(100))
    expect(
      bench.events[1].contains {
        if case .readRemoteVersionInformationComplete(_, .success, _, _, _) = $0.event { true } else { false }
      })
  }

  // MARK: Sleep clocks

  @Test("A host asks for the peer's accuracy; a peripheral widens its windows by what it is told")
  func clocks() throws {
    let (bench, handles) = try link { configuration, index in
      configuration.supportsClockUpdates = true
      configuration.claimedClockAccuracy = index == 0 ? 50 : 20
    }
    bench.command(1, .general(.leRequestPeerSCA(handles.0)))
    bench.run(for: .milliseconds(50))
    func accuracies(_ device: Int) -> [[UInt8]] {
      bench.events[device].compactMap {
        guard case .link(.leRequestPeerSCAComplete(_, let status, let accuracy)) = $0.event else { return nil }
        return [status.rawValue, accuracy]
      }
    }
    equal(accuracies(1), [[0, 5]])
    let link = try required(bench.world.controllers[0].link(handles.1)).0
    equal(link.claimedAccuracy, 70)
    // Less accurate twice: 30 and 50 ppm, and the peripheral is told.
    for _ in 0..<2 { bench.command(1, .general(.leModifySleepClockAccuracy(action: 1))) }
    bench.run(for: .milliseconds(100))
    equal(link.claimedAccuracy, 100)
    bench.command(0, .general(.leRequestPeerSCA(handles.1)))
    bench.run(for: .milliseconds(50))
    equal(accuracies(0), [[0, 5]])
    for _ in 0..<3 { bench.command(1, .general(.leModifySleepClockAccuracy(action: 0))) }
    bench.run(for: .milliseconds(100))
    equal(link.claimedAccuracy, 70)
    let statuses = bench.events[1].compactMap {
      if case .commandComplete(.leModifySleepClockAccuracy, let status, _) = $0.event { status.rawValue } else { nil }
    }
    equal(statuses, [0, 0, 0, 0, 0x11])
  }

  @Test("A peer without it is refused at once when that is known, or by LL_UNKNOWN_RSP")
  func noClocks() throws {
    let (bench, handles) = try link { configuration, index in configuration.supportsClockUpdates = index == 1 }
    bench.command(1, .general(.leRequestPeerSCA(handles.0)))
    guard case .commandStatus(.leRequestPeerSCA, .unsupportedRemoteFeature)? = bench.events[1].last?.event else {
      return expect(false, "\(String(describing: bench.events[1].last))")
    }
    let radios = RadioBench.radios(2) { configuration, index in configuration.supportsClockUpdates = index == 1 }
    let other = RadioBench(radios)
    let (central, _) = try required(other.connect(1, to: 0, interval: 6, timeout: 3_200))
    other.command(1, .general(.leRequestPeerSCA(central)))
    other.run(for: .milliseconds(100))
    guard case .link(.leRequestPeerSCAComplete(central, .unsupportedRemoteFeature, 0))? = other.events[1].last?.event
    else { return expect(false, "\(String(describing: other.events[1].last))") }
  }
}
