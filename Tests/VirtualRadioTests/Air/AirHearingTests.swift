import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

@Suite("What a program hears")
struct AirHearingTests {
  @Test("Each PDU that its radio hears, when it is over, with channel, level and octets")
  func advertising() throws {
    let bench = RadioBench(AirProgram.radios(2))
    let program = AirProgram(bench, 1)
    bench.advertise(0, data: [2, 1, 6])
    let first = try required(program.next { _ in true })
    equal(first.end, bench.timeline.now)
    equal(first.end - first.start, .microseconds((10 + 9) * 8))
    equal(first.pdu, LL.AdvertisingPDU.advInd(advertiser: RadioBench.address(0), data: [2, 1, 6], chSel: true).octets)
    equal(first.rssi, -40, "at a metre, with 0 dBm")
    program.run(for: .seconds(1))
    equal(Set(program.heard.map(\.channelIndex)), [37, 38, 39])
    expect(program.heard.allSatisfy { $0.isValid && $0.accessAddress == LL.advertisingAccessAddress })
  }

  @Test("Only what it wants to hear")
  func filter() {
    let bench = RadioBench(AirProgram.radios(2))
    let program = AirProgram(bench, 1)
    var filter = AirFilter()
    filter.channels = 1 << 38
    program.say(.listen(filter))
    bench.advertise(0)
    program.run(for: .seconds(1))
    expect(program.heard.count > 20 && program.heard.allSatisfy { $0.channelIndex == 38 })
    let count = program.heard.count
    filter.phys = 2
    program.say(.listen(filter))
    program.run(for: .seconds(1))
    equal(program.heard.count, count)
    filter.phys = 1
    filter.accessAddresses = [0x50655DAB]
    program.say(.listen(filter))
    program.run(for: .seconds(1))
    equal(program.heard.count, count)
  }

  @Test("Nothing beyond its sensitivity, and nothing while it is off")
  func levels() {
    let bench = RadioBench(AirProgram.radios(2) { radio, index in if index == 1 { radio.sensitivity = -3_000 } })
    let program = AirProgram(bench, 1)
    bench.advertise(0)
    program.run(for: .seconds(1))
    expect(program.heard.isEmpty, "−40 dBm come")
    bench.world.move(1, to: Position(x: 10, y: 0))
    program.run(for: .milliseconds(100))
    expect(!program.heard.isEmpty)
    let count = program.heard.count
    bench.world.setRadio(1, isOn: false)
    program.run(for: .milliseconds(100))
    equal(program.heard.count, count)
  }

  @Test("Both directions of a link, with the octets as they are on the air; the link goes on as without it")
  func links() throws {
    func play(withProgram: Bool) throws -> (RadioBench, AirProgram?) {
      let radios = AirProgram.radios(3) { radio, index in if !withProgram { radio.hasExternalLinkLayer = false } }
      let bench = RadioBench(radios, stepsIdleEvents: true)
      let program = withProgram ? AirProgram(bench, 2) : nil
      let (central, _) = try required(bench.connect(0, to: 1))
      bench.send(0, central, [3, 0, 4, 0, 0x0A, 1, 0])
      bench.run(for: .seconds(1))
      program?.listen()
      return (bench, program)
    }
    let (bench, program) = try play(withProgram: true)
    let pdus = try required(program).heard.filter { $0.accessAddress != LL.advertisingAccessAddress }
    expect(pdus.count > 60, "\(pdus.count)")
    expect(pdus.contains { $0.pdu[0] & 3 == 2 && Array($0.pdu.dropFirst(2)) == [3, 0, 4, 0, 0x0A, 1, 0] })
    equal(pdus[1].start, pdus[0].end + .microseconds(150))
    equal(bench.received[1].map(\.data.octets), [[3, 0, 4, 0, 0x0A, 1, 0]])
    let (without, _) = try play(withProgram: false)
    equal(bench.received[1].map(\.at), without.received[1].map(\.at))
  }

  /// LL/DDI/ADV/BV-26-C: the train is where SyncInfo says, has its data in chains, and goes on without its set.
  @Test("A train by its SyncInfo, with all its data", arguments: [0, 252, 474, 1_650])
  func trains(octets: Int) throws {
    let data = (0..<octets).map { UInt8(1 + $0 % 254) }
    let bench = RadioBench(AirProgram.radios(2))
    let program = AirProgram(bench, 1)
    bench.train(0, interval: 80, data: data)
    let (found, info) = try syncInfo(program)
    let span = try required(info.span)
    let start = found.start + .nanoseconds(span)
    let first = try required(program.next { $0.accessAddress == info.accessAddress })
    expect(first.start >= start && first.start <= start + .nanoseconds(info.unit), "\(first.start), not \(start)")
    equal(
      first.channelIndex,
      LL.ChannelSelection2.channel(
        eventCounter: info.eventCounter, accessAddress: info.accessAddress,
        map: LL.ChannelMap(bits: info.channelMap)))
    bench.extended(0, .leSetExtendedAdvertisingEnable(false, []))
    program.run(for: .seconds(10))
    var events: [[UInt8]] = []
    for heard in program.heard where heard.accessAddress == info.accessAddress {
      let pdu = try LL.ExtendedPDU(decoding: heard.pdu, as: .auxSyncInd)
      expect(pdu.mode == .neither && pdu.dataInfo == nil)
      events.append(pdu.data)
    }
    let whole = events.flatMap { $0 }
    expect(whole.indices.allSatisfy { whole[$0] == data[$0 % data.count] }, "all data come, again and again")
    expect(events.count >= 100 && (data.isEmpty || whole.count >= 99 * data.count))
  }

  private func syncInfo(_ program: AirProgram) throws -> (AirProgram.Heard, LL.SyncInfo) {
    while true {
      let heard = try required(program.next { $0.channelIndex < 37 && $0.accessAddress == LL.advertisingAccessAddress })
      if let info = try LL.ExtendedPDU(decoding: heard.pdu, as: .auxAdvInd).syncInfo { return (heard, info) }
    }
  }
}
