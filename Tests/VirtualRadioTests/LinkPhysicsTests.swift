import BluetoothWire
import RadioLaws
import SimKernel
import Testing
import VirtualRadio

@Suite("Link layer timing and loss against closed forms")
struct LinkPhysicsTests {
  @Test(
    "Supervision: the link ends exactly the timeout after the last valid PDU", arguments: [100, 400, 600] as [UInt16])
  func supervisionInstant(timeout: UInt16) throws {
    let bench = RadioBench(RadioBench.radios(2), wantsAir: true)
    _ = try #require(bench.connect(1, to: 0, timeout: timeout))
    bench.run(for: .seconds(3))
    bench.world.setRadio(1, isOn: false)
    bench.run(for: .seconds(20))
    for device in 0..<2 {
      let heard = bench.air.filter { $0.receiver == device && $0.fate == .received && $0.transmitter != device }
      let last = try #require(heard.map { $0.start + $0.duration }.max())
      let end = try #require(bench.disconnections(of: device).first)
      #expect(end.reason == .connectionTimeout)
      #expect(end.at == last + .milliseconds(Int64(timeout) * 10))
    }
  }

  @Test("A CONNECT_IND that nobody heard: the central gives up after six intervals with 0x3E")
  func failedToBeEstablished() throws {
    // Two initiators at the same distance answer the same advertising PDU: neither is 10 dB stronger at the advertiser.
    var collided = 0
    for seed in 0..<20 {
      let bench = RadioBench(
        RadioBench.radios(3) { configuration, index in
          configuration.position = index == 0 ? Position(x: 0, y: 0) : Position(x: 200, y: index == 1 ? 100 : -100)
        }, seed: UInt64(seed), wantsAir: true)
      bench.command(1, .leCreateConnection(RadioBench.creation(0)))
      bench.command(2, .leCreateConnection(RadioBench.creation(0)))
      bench.advertise(0)
      bench.run(for: .seconds(3))
      let connects = bench.air.filter { $0.accessAddress == 0x8E89_BED6 && $0.pdu[0] & 0x0F == 5 }
      guard connects.count == 2, connects[0].start == connects[1].start else { continue }
      collided += 1
      let failed = (1...2).compactMap { bench.disconnections(of: $0).first }
      #expect(failed.count == 2 && failed.allSatisfy { $0.reason == .connectionFailedToBeEstablished })
      #expect(failed.allSatisfy { $0.at == connects[0].start + connects[0].duration + .milliseconds(180) })
      #expect(bench.world.collisions > 0)
      #expect(bench.connections(of: 0).isEmpty)
    }
    #expect(collided > 0)
  }

  @Test("Mean discovery: half the advertising interval and delay, when the scanner never looks away")
  func meanDiscovery() {
    // A scanner that listens all the time on the channel it happens to be on hears the next advertising event:
    // the mean wait is E[T²] / 2E[T] with T = interval + U(0, 10 ms), plus the place of the channel in the event.
    var total: Int64 = 0
    let runs = 6_000
    for seed in 0..<runs {
      let bench = RadioBench(RadioBench.radios(2), seed: UInt64(seed))
      bench.advertise(0, interval: 160)
      bench.run(for: .milliseconds(500))
      var stream = RandomStream(seed: UInt64(seed), component: "test", purpose: "phase")
      bench.run(for: .nanoseconds(Int64(stream.below(105_000_000))))
      bench.command(1, .leSetScanParameters(.init(isActive: false, interval: 0x4000, window: 0x4000)))
      let start = bench.timeline.now
      bench.command(1, .leSetScanEnable(true, filterDuplicates: true))
      bench.run(until: start + .seconds(5)) {
        bench.events[1].contains { if case .leAdvertisingReport = $0.event { true } else { false } }
      }
      total += (bench.timeline.now - start).nanoseconds
    }
    // T uniform in 100 … 110 ms: E[T²]/2E[T] = (105² + 100/12)/(2 × 105) ms = 52.54 ms. The report comes at the end of
    // a PDU of 152 µs, but the wait is also for the start of that PDU on that channel: no offset in the mean.
    let mean = total / Int64(runs)
    let expected: Int64 = 52_540_000 + 152_000
    // Standard error of 6 000 waits with a spread of about 30 ms: 0.4 ms, within the 2 %, which are 1.05 ms.
    #expect(abs(mean - expected) * 50 < expected, "mean \(mean) ns")
  }

  @Test("Packet loss p on every PDU costs as many retransmissions as the rules for bad CRCs say")
  func retransmissions() throws {
    var environment = RadioEnvironment.lossless
    environment.packetLoss = Ratio(10, 100)
    let bench = RadioBench(
      RadioBench.radios(2) { configuration, _ in configuration.adaptsChannels = false }, environment: environment,
      seed: 7)
    var link = bench.connect(1, to: 0, interval: 6, timeout: 1000)
    while link == nil || bench.disconnections(of: 0).count > 0 {
      link = bench.connect(1, to: 0, interval: 6, timeout: 1000)
    }
    let (_, peripheral) = try #require(link)
    bench.run(for: .milliseconds(500))
    let before = bench.world.statistics.retransmissions
    let count = 20_000
    for _ in 0..<count {
      bench.send(0, peripheral, [1, 2, 3, 4, 5, 6, 7])
      bench.run(for: .milliseconds(40))
    }
    bench.run(for: .seconds(1))
    #expect(bench.received[1].count == count)
    // With q = 1 − p, B the repeats of a value that has arrived, and A the transmissions of one that has not, counted
    // from the start of an event. The central's PDU, which carries the acknowledgement, is bad with p: then the
    // peripheral answers, and listens on; a second bad one closes the event. B = p (1 + p B). If the central's PDU was
    // good, a value that is bad is asked for again while nobody listens; if it was bad, the event has a second try.
    let repeats = Double(bench.world.statistics.retransmissions - before)
    let (p, q) = (0.1, 0.9)
    let arrived = p / (1 - p * p)
    // A = q (1 + q B + p A) + p (1 + q p B + p (p A + q (1 + q B + p A)))
    let constant = q * (1 + q * arrived) + p * (1 + q * p * arrived + p * q * (1 + q * arrived))
    let transmissions = constant / (1 - q * p - p * p * p - p * p * q * p)
    let expected = Double(count) * (transmissions - 1)
    // Twice the standard error of so many.
    #expect(abs(repeats - expected) / expected < 0.035, "\(repeats) against \(expected)")
  }
}
