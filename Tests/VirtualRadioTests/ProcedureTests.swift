import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing
import VirtualRadio

/// Link-layer control procedures as hosts see them (Vol 6, Part B, 5.1).
@Suite("Link layer control procedures")
struct ProcedureTests {
  private func pair(
    interval: UInt16 = 24, latency: UInt16 = 0, change: (inout RadioConfiguration, Int) -> Void = { _, _ in }
  ) throws -> (bench: RadioBench, central: HCI.ConnectionHandle, peripheral: HCI.ConnectionHandle) {
    let bench = RadioBench(RadioBench.radios(2, change: change), wantsAir: true)
    let (central, peripheral) = try required(bench.connect(1, to: 0, interval: interval, latency: latency))
    bench.run(for: .milliseconds(300))
    return (bench, central, peripheral)
  }

  private func events(_ bench: RadioBench, _ device: Int) -> [HCI.Event] { bench.events[device].map(\.event) }

  @Test("Features and version are exchanged from either side, the version once a connection")
  func featuresAndVersion() throws {
    let (bench, central, peripheral) = try pair()
    for (device, handle) in [(1, central), (0, peripheral)] {
      bench.command(device, .leReadRemoteFeatures(handle))
      bench.run(for: .milliseconds(200))
      expect(
        events(bench, device).contains {
          if case .leReadRemoteFeaturesComplete(handle, .success, let features) = $0 { return features & 1 << 5 != 0 }
          return false
        })
      for _ in 0..<2 {
        bench.command(device, .readRemoteVersionInformation(handle))
        bench.run(for: .milliseconds(200))
      }
      let versions = events(bench, device).filter {
        if case .readRemoteVersionInformationComplete(handle, .success, 0x0D, _, _) = $0 { return true }
        return false
      }
      equal(versions.count, 2)
    }
    let sent = bench.air.filter { $0.pdu[0] & 3 == 3 && $0.pdu[2] == 0x0C && $0.fate == .received }
    equal(sent.count, 2)
  }

  @Test("A connection update takes effect at its instant at both ends, and the events follow the new interval")
  func connectionUpdate() throws {
    let (bench, central, _) = try pair()
    bench.command(
      1,
      .leConnectionUpdate(
        central, HCI.ConnectionParameters(intervalMinimum: 80, intervalMaximum: 80, supervisionTimeout: 300)))
    bench.run(for: .seconds(1))
    for device in 0..<2 {
      expect(
        events(bench, device).contains {
          if case .leConnectionUpdateComplete(_, .success, 80, 0, 300) = $0 { return true }
          return false
        })
    }
    bench.air.removeAll()
    bench.run(for: .seconds(2))
    let anchors = bench.air.filter { $0.transmitter == 1 }.map(\.start)
    expect(anchors.count >= 19)
    expect(zip(anchors, anchors.dropFirst()).allSatisfy { $1 - $0 == .milliseconds(100) })
  }

  @Test("A peripheral asks for parameters; the central's host decides", arguments: [true, false])
  func parameterRequest(accepts: Bool) throws {
    let (bench, _, peripheral) = try pair()
    let wish = HCI.ConnectionParameters(intervalMinimum: 40, intervalMaximum: 40, supervisionTimeout: 400)
    bench.onMessage = { device, message in
      guard device == 1, case .event(.leRemoteConnectionParameterRequest(let handle, let asked)) = message else {
        return
      }
      equal(asked, wish)
      bench.world.controllers[1].submit(
        accepts
          ? .leRemoteConnectionParameterRequestReply(handle, asked)
          : .leRemoteConnectionParameterRequestNegativeReply(handle, reason: .unacceptableConnectionParameters))
    }
    bench.command(0, .leConnectionUpdate(peripheral, wish))
    bench.run(for: .seconds(2))
    expect(
      events(bench, 0).contains {
        guard case .leConnectionUpdateComplete(_, let status, let interval, _, _) = $0 else { return false }
        return accepts
          ? status == .success && interval == 40 : status == .unacceptableConnectionParameters && interval == 24
      })
    expect(bench.disconnections(of: 0).isEmpty)
  }

  @Test("A channel map leaves the channels that the central ruled out", arguments: [true, false])
  func channelMap(usesSelection2: Bool) throws {
    let (bench, _, _) = try pair { configuration, _ in configuration.supportsChannelSelection2 = usesSelection2 }
    bench.command(1, .leSetHostChannelClassification(0x1F_FFE0_0000))
    bench.run(for: .seconds(1))
    bench.air.removeAll()
    bench.run(for: .seconds(5))
    let used = bench.air.map { LL.channelIndex(rfChannel: $0.rfChannel) }
    expect(used.count > 300)
    expect(used.allSatisfy { $0 >= 21 })
    expect((21...36).allSatisfy { used.contains($0) })
    expect(bench.air.allSatisfy { $0.fate == .received })
  }

  @Test("Disconnecting tells one end 0x16 and the other the reason it was given", arguments: [0, 1])
  func terminate(who: Int) throws {
    let (bench, central, peripheral) = try pair()
    bench.command(who, .disconnect(who == 1 ? central : peripheral, reason: .remoteUserTerminatedConnection))
    bench.run(for: .milliseconds(200))
    equal(bench.disconnections(of: who).map(\.reason), [.connectionTerminatedByLocalHost])
    equal(bench.disconnections(of: 1 - who).map(\.reason), [.remoteUserTerminatedConnection])
    bench.air.removeAll()
    bench.run(for: .seconds(1))
    expect(bench.air.isEmpty)
  }

  @Test("Whatever waited when a link ended, its buffers serve the next link")
  func buffersComeBack() throws {
    let bench = RadioBench(RadioBench.radios(2) { configuration, _ in configuration.aclBuffers = 4 })
    for round in 0..<6 {
      let (central, peripheral) = try required(bench.connect(1, to: 0))
      bench.run(for: .milliseconds(200))
      bench.received[0].removeAll()
      // More than one event carries is queued, and the link ends in the middle of it, three times by each way.
      for _ in 0..<4 { bench.send(1, central, [UInt8](repeating: 9, count: 251)) }
      if round % 2 == 0 {
        bench.command(1, .disconnect(central, reason: .remoteUserTerminatedConnection))
      } else {
        bench.command(0, .disconnect(peripheral, reason: .remoteUserTerminatedConnection))
      }
      bench.run(for: .seconds(1))
    }
    let (central, _) = try required(bench.connect(1, to: 0))
    bench.received[0].removeAll()
    for _ in 0..<4 { bench.send(1, central, [1, 2, 3]) }
    bench.run(for: .seconds(1))
    equal(bench.received[0].count, 4)
    expect(!events(bench, 1).contains { if case .hardwareError = $0 { true } else { false } })
  }

  @Test("Disconnecting a device that is silent ends by the supervision timeout")
  func terminateUnheard() throws {
    let (bench, central, _) = try pair()
    bench.world.setRadio(0, isOn: false)
    bench.command(1, .disconnect(central, reason: .remoteUserTerminatedConnection))
    bench.run(for: .seconds(6))
    equal(bench.disconnections(of: 1).map(\.reason), [.connectionTerminatedByLocalHost])
  }

  @Test("Data length: both ends keep to the smaller of what one sends and the other takes")
  func dataLength() throws {
    let (bench, central, _) = try pair { configuration, index in
      configuration.maximumDataLength = index == 0 ? 123 : 251
    }
    bench.command(1, .leSetDataLength(central, txOctets: 251, txTime: 2_120))
    bench.run(for: .milliseconds(300))
    expect(
      events(bench, 1).contains {
        if case .leDataLengthChange(central, 123, _, 27, _) = $0 { return true }
        return false
      })
    bench.send(1, central, [UInt8](repeating: 7, count: 200))
    bench.run(for: .milliseconds(300))
    equal(bench.received[0].map(\.data.octets.count), [123, 77])
    equal(bench.received[0].map(\.data.boundary), [.firstFlushable, .continuing])
  }

  @Test("Data length: the times count as the octets do, and the PHY decides what fits them (Vol 6, Part B, 4.5.10)")
  func dataLengthTimes() throws {
    let (bench, central, _) = try pair()
    func told(_ device: Int) -> [[UInt16]] {
      events(bench, device).compactMap {
        guard case .leDataLengthChange(_, let tx, let txTime, let rx, let rxTime) = $0 else { return nil }
        return [tx, txTime, rx, rxTime]
      }
    }
    func sizes() -> [Int] {
      bench.received[0].removeAll()
      bench.send(1, central, [UInt8](repeating: 7, count: 150))
      bench.run(for: .milliseconds(300))
      return bench.received[0].map(\.data.octets.count)
    }
    bench.command(1, .leSetDataLength(central, txOctets: 27, txTime: 2_120))
    bench.run(for: .milliseconds(300))
    expect(told(1) == [[27, 2_120, 27, 328]] && told(0) == [[27, 328, 27, 2_120]])
    equal(sizes(), [27, 27, 27, 27, 27, 15])
    bench.command(1, .leSetDataLength(central, txOctets: 251, txTime: 400))
    bench.run(for: .milliseconds(300))
    expect(told(1).last == [251, 400, 27, 328] && told(0).last == [27, 328, 251, 400])
    // 50 octets of 8 µs and 100 of 4 µs: without preamble, access address, header, MIC and CRC, 14 and 15 octets.
    equal(sizes(), [36, 36, 36, 36, 6])
    bench.command(1, .leSetPHY(central, tx: .le2M, rx: .le2M))
    bench.run(for: .seconds(1))
    equal(sizes(), [85, 65])
    // The most that the controller can is 2120 µs.
    bench.command(1, .leSetDataLength(central, txOctets: 251, txTime: 17_040))
    bench.run(for: .milliseconds(300))
    expect(told(1).last == [251, 2_120, 27, 328] && sizes() == [150])
  }

  @Test("A sleeping peripheral listens to every (latency + 1)th event, and to all when it has something to send")
  func peripheralLatency() throws {
    let (bench, _, peripheral) = try pair(latency: 4)
    bench.run(for: .seconds(2))
    bench.air.removeAll()
    bench.run(for: .seconds(3))
    let polls = bench.air.filter { $0.transmitter == 1 }.count
    let answers = bench.air.filter { $0.transmitter == 0 }.count
    equal(polls, 100)
    equal(answers, 20)
    expect(bench.disconnections(of: 0).isEmpty && bench.disconnections(of: 1).isEmpty)
    let asked = bench.timeline.now
    bench.send(0, peripheral, [1, 2, 3])
    bench.run(for: .milliseconds(100))
    let arrived = try required(bench.received[1].first)
    expect(arrived.at - asked < .milliseconds(31))
  }

  @Test("An instant that the peripheral never learned of costs the link, by the supervision timeout")
  func missedInstant() throws {
    let (bench, central, _) = try pair()
    bench.world.setRadio(0, isOn: false)
    bench.command(
      1,
      .leConnectionUpdate(
        central, HCI.ConnectionParameters(intervalMinimum: 30, intervalMaximum: 30, supervisionTimeout: 400)))
    bench.run(for: .milliseconds(400))
    bench.world.setRadio(0, isOn: true)
    bench.run(for: .seconds(6))
    equal(bench.disconnections(of: 0).map(\.reason), [.connectionTimeout])
    equal(bench.disconnections(of: 1).map(\.reason), [.connectionTimeout])
  }

  @Test("Parameters out of range and unknown handles get the specification's error codes")
  func errors() throws {
    let (bench, central, _) = try pair()
    bench.command(
      1,
      .leConnectionUpdate(
        central, HCI.ConnectionParameters(intervalMinimum: 5, intervalMaximum: 80, supervisionTimeout: 300)))
    bench.command(1, .leSetDataLength(0x0777, txOctets: 251, txTime: 2_120))
    bench.command(1, .leSetAdvertisingData([UInt8](repeating: 0, count: 32)))
    bench.command(1, .other(HCI.Opcode(rawValue: 0x2099), parameters: []))
    let answers = events(bench, 1).suffix(4).map { event -> HCI.ErrorCode? in
      switch event {
      case .commandComplete(_, let status, _), .commandStatus(_, let status): status
      default: nil
      }
    }
    equal(
      answers, [.invalidParameters, .unknownConnectionIdentifier, .invalidParameters, .unknownCommand])
  }
}
