import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

@Suite("A program that is an end of a link")
struct AirLinkTests {
  private static let accessAddress: UInt32 = 0x5065_5DAB
  private static let crcInit: UInt32 = 0xE4C5A3

  static func connect(interval: UInt16 = 24, timeout: UInt16 = 100) -> LL.ConnectInd {
    LL.ConnectInd(
      initiator: BluetoothAddress(kind: .publicDevice, bits: 0x4567_89AB_CDEF), advertiser: RadioBench.address(0),
      channelSelectionAlgorithm2: true, accessAddress: accessAddress, crcInit: crcInit, windowSize: 1,
      windowOffset: 0, interval: interval, latency: 0, timeout: timeout, channelMap: 0x1F_FFFF_FFFF, hop: 7,
      sleepClockAccuracy: 5)
  }

  /// The central's half of the link layer, as far as tests need it.
  private struct Central {
    let program: AirProgram
    var anchor: SimInstant
    var event: UInt16 = 0
    var sn: UInt8 = 0
    var nesn: UInt8 = 0

    /// One event with one exchange; nil: nobody answers.
    mutating func exchange(_ llid: UInt8 = 1, _ payload: [UInt8] = [], off: SimDuration = .zero)
      -> AirProgram.Heard?
    {
      let channel = LL.ChannelSelection2.channel(
        eventCounter: event, accessAddress: AirLinkTests.accessAddress, map: .all)
      program.bench.run(until: anchor - .milliseconds(1))
      program.send(
        [llid | nesn << 2 | sn << 3, UInt8(payload.count)] + payload, on: channel, at: anchor + off,
        accessAddress: AirLinkTests.accessAddress, crcInit: AirLinkTests.crcInit)
      let answer = program.next(within: .milliseconds(4)) { $0.accessAddress == AirLinkTests.accessAddress }
      anchor = anchor + .milliseconds(30)
      event += 1
      guard let answer else { return nil }
      if answer.pdu[0] >> 2 & 1 != sn { sn ^= 1 }
      if answer.pdu[0] >> 3 & 1 == nesn { nesn ^= 1 }
      return answer
    }
  }

  private func central(_ bench: RadioBench, _ program: AirProgram) throws -> Central {
    bench.advertise(0)
    let advert = try required(program.next { $0.type == 0 })
    program.reply(to: advert, Self.connect().octets)
    program.run(for: .microseconds(150 + 352))
    equal(bench.connections(of: 0).count, 1)
    return Central(program: program, anchor: bench.timeline.now + .microseconds(1_250))
  }

  @Test("A CONNECT_IND of a program makes a link, which it keeps, talks on and ends")
  func central() throws {
    let bench = RadioBench(AirProgram.radios(2))
    let program = AirProgram(bench, 1)
    var central = try central(bench, program)
    // Anywhere in the transmit window of 1.25 ms.
    let first = try required(central.exchange(off: .microseconds(700)))
    equal(first.pdu.count, 2)
    central.anchor = central.anchor + .microseconds(700)
    let version = [UInt8](arrayLiteral: 0x0C, 0x0D, 0xFF, 0xFF, 1, 0)
    var answers = [try required(central.exchange(3, version))]
    for _ in 0..<100 { answers.append(try required(central.exchange())) }
    expect(answers.contains { $0.pdu[0] & 3 == 3 && $0.pdu[2] == 0x0C }, "LL_VERSION_IND comes")
    _ = central.exchange(2, [3, 0, 4, 0, 0x0A, 1, 0])
    _ = central.exchange()
    equal(bench.received[0].map(\.data.octets), [[3, 0, 4, 0, 0x0A, 1, 0]])
    _ = central.exchange(3, [0x02, 0x13])
    _ = central.exchange()
    equal(bench.disconnections(of: 0).map(\.reason), [.remoteUserTerminatedConnection])
  }

  @Test("What misses the window is not answered, and a silent program ends the link by the supervision timeout")
  func silence() throws {
    let bench = RadioBench(AirProgram.radios(2))
    let program = AirProgram(bench, 1)
    var central = try central(bench, program)
    for _ in 0..<3 { expect(central.exchange() != nil) }
    expect(central.exchange(off: .microseconds(200)) == nil, "its window is some 20 µs to either side")
    expect(central.exchange() != nil)
    let last = bench.timeline.now
    program.run(for: .seconds(2))
    let end = try required(bench.disconnections(of: 0).first)
    equal(end.reason, .connectionTimeout)
    expect(end.at - last > .milliseconds(900) && end.at - last < .milliseconds(1_010))
  }

  @Test("A channel map that the program announces holds from its instant on")
  func channelMap() throws {
    let bench = RadioBench(AirProgram.radios(2))
    let program = AirProgram(bench, 1)
    var central = try central(bench, program)
    _ = central.exchange()
    let instant = central.event + 8
    let map: UInt64 = 0x00_0000_03FF
    let payload = [UInt8](arrayLiteral: 0x01, 0xFF, 0x03, 0, 0, 0, UInt8(instant & 0xFF), UInt8(instant >> 8))
    _ = central.exchange(3, payload)
    while central.event < instant { expect(central.exchange() != nil) }
    var heard = 0
    for _ in 0..<20 {
      let channel = LL.ChannelSelection2.channel(
        eventCounter: central.event, accessAddress: Self.accessAddress, map: LL.ChannelMap(bits: map))
      let before = LL.ChannelSelection2.channel(
        eventCounter: central.event, accessAddress: Self.accessAddress, map: .all)
      let answer = central.exchange()
      expect((answer != nil) == (channel == before), "the old channel is right only where it is the new one")
      if answer != nil { heard += 1 }
    }
    expect(heard > 0 && heard < 20)
  }

  @Test("Our central connects to a program that advertises, and takes its answers on the link")
  func peripheral() throws {
    let bench = RadioBench(AirProgram.radios(2))
    let program = AirProgram(bench, 1)
    bench.command(0, .leCreateConnection(RadioBench.creation(1)))
    program.run(for: .milliseconds(50))
    let advert = LL.AdvertisingPDU.advInd(advertiser: RadioBench.address(1), data: [2, 1, 6], chSel: true).octets
    var request: AirProgram.Heard?
    while request == nil {
      program.send(advert, on: 37, at: bench.timeline.now + .milliseconds(1))
      request = program.next(within: .milliseconds(5)) { $0.type == 5 }
    }
    guard case .connectInd(let connect) = try LL.AdvertisingPDU(decoding: try required(request).pdu) else { return }
    equal(bench.connections(of: 0).count, 1)
    var (sn, nesn, exchanges): (UInt8, UInt8, Int) = (0, 0, 0)
    while exchanges < 50 {
      let pdu = try required(program.next { $0.accessAddress == connect.accessAddress })
      if pdu.pdu[0] >> 2 & 1 != sn { sn ^= 1 }
      if pdu.pdu[0] >> 3 & 1 == nesn { nesn ^= 1 }
      let payload: [UInt8] = exchanges == 10 ? [3, 0, 4, 0, 0x0A, 1, 0] : []
      program.send(
        [(payload.isEmpty ? 1 : 2) | nesn << 2 | sn << 3, UInt8(payload.count)] + payload, on: pdu.channelIndex,
        at: pdu.end + .microseconds(150), accessAddress: connect.accessAddress, crcInit: connect.crcInit)
      exchanges += 1
    }
    equal(bench.received[0].map(\.data.octets), [[3, 0, 4, 0, 0x0A, 1, 0]])
    expect(bench.disconnections(of: 0).isEmpty)
    program.run(for: .seconds(10))
    equal(bench.disconnections(of: 0).map(\.reason), [.connectionTimeout])
  }
}
