import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

@Suite("A program that answers our advertisers")
struct AirAnsweringTests {
  private static let own = BluetoothAddress(kind: .publicDevice, bits: 0x4567_89AB_CDEF)

  private func request(_ advertiser: BluetoothAddress?) -> [UInt8] {
    LL.AdvertisingPDU.scanReq(scanner: Self.own, advertiser: advertiser ?? Self.own).octets
  }

  /// LL/DDI/ADV/BV-05-C and BV-15-C.
  @Test("A SCAN_REQ T_IFS after ADV_IND gets its SCAN_RSP T_IFS later; one for another device gets none")
  func scanRequests() throws {
    let bench = RadioBench(AirProgram.radios(2))
    let program = AirProgram(bench, 1)
    bench.advertise(0, scanResponse: [3, 9, 0x41, 0x42])
    let advert = try required(program.next { $0.type == 0 })
    program.reply(to: advert, request(advert.advertiser))
    let response = try required(program.next(within: .milliseconds(1)) { $0.type == 4 })
    equal(response.start, advert.end + .microseconds(150 + 176 + 150))
    equal(Array(response.pdu.dropFirst(8)), [3, 9, 0x41, 0x42])
    for bits in [1 << 40, 1, 1 << 40 | 1] as [UInt64] {
      let advert = try required(program.next { $0.type == 0 })
      let other = BluetoothAddress(kind: .random, bits: RadioBench.address(0).bits ^ bits)
      program.reply(to: advert, request(other))
      expect(program.next(within: .milliseconds(1)) { $0.type == 4 } == nil)
    }
    equal(program.done, Array(repeating: .sent, count: 4))
  }

  /// LL/TIM/ADV: two microseconds are allowed (Vol 6, Part B, 4.2.4).
  @Test(
    "What begins two microseconds early or late is taken, and nothing farther away",
    arguments: [(-3, false), (-2, true), (2, true), (3, false)])
  func tolerance(microseconds: Int64, isTaken: Bool) throws {
    let bench = RadioBench(AirProgram.radios(2))
    let program = AirProgram(bench, 1)
    bench.advertise(0)
    let advert = try required(program.next { $0.type == 0 })
    program.reply(to: advert, request(advert.advertiser), off: .microseconds(microseconds))
    let response = program.next(within: .milliseconds(1)) { $0.type == 4 }
    expect((response != nil) == isTaken)
  }

  @Test("Nothing answers a wrong CRC, another CRC init, or another channel")
  func broken() throws {
    let bench = RadioBench(AirProgram.radios(2))
    let program = AirProgram(bench, 1)
    bench.advertise(0)
    for round in 0..<3 {
      let advert = try required(program.next { $0.type == 0 && $0.channelIndex == 37 })
      program.send(
        request(advert.advertiser), on: round == 2 ? 38 : 37, at: advert.end + .microseconds(150),
        crcInit: round == 1 ? 0x555554 : LL.advertisingCRCInit, flags: round == 0 ? 1 : 0)
      expect(program.next(within: .milliseconds(1)) { $0.type == 4 } == nil, "round \(round)")
    }
  }

  @Test("What comes too late, twice at once, or without a radio is not sent, and is told")
  func statuses() {
    let bench = RadioBench(AirProgram.radios(2))
    let program = AirProgram(bench, 1)
    program.run(for: .milliseconds(1))
    let now = bench.timeline.now
    program.send([2, 0], on: 37, at: now - .nanoseconds(1))
    program.send([2, 0], on: 37, at: now + .milliseconds(1))
    program.send([2, 0], on: 38, at: now + .milliseconds(1) + .microseconds(79))
    program.send([2, 0], on: 38, at: now + .milliseconds(1) + .microseconds(80))
    bench.world.enterAir([0x41, 0x09, 0, 0], device: 1)
    program.run(for: .milliseconds(2))
    equal(program.done, [.tooLate, .malformed, .isSending, .sent, .sent])
    bench.world.setRadio(1, isOn: false)
    program.send([2, 0], on: 37, at: bench.timeline.now)
    program.run(for: .milliseconds(1))
    equal(program.done.last, .isOff)
    for _ in 0..<1_025 { program.send([2, 0], on: 37, at: bench.timeline.now + .seconds(1)) }
    equal(program.done.last, .tooMany)
  }

  @Test("An answer that is said beforehand is sent T_IFS later, once or each time, as by the wall clock")
  func rules() throws {
    let bench = RadioBench(AirProgram.radios(2))
    let program = AirProgram(bench, 1)
    var packet = AirPacket(
      channelIndex: 0xFF, phy: .le1M, accessAddress: LL.advertisingAccessAddress,
      pdu: request(RadioBench.address(0)))
    packet.phy = 0
    let pattern = AirPattern(mask: [0x0F], octets: [0x00])
    program.say(.answer(tag: 5, to: pattern, packet))
    bench.advertise(0)
    program.run(for: .milliseconds(200))
    equal(program.heard.count { $0.type == 4 }, 1)
    packet.flags = 2
    program.say(.answer(tag: 6, to: pattern, packet))
    program.run(for: .milliseconds(200))
    expect(program.heard.count { $0.type == 4 } > 10)
    program.say(.forget(tag: 6))
    let count = program.heard.count { $0.type == 4 }
    program.run(for: .milliseconds(200))
    equal(program.heard.count { $0.type == 4 }, count)
  }

  /// LL/DDI/ADV/BV-45-C, and LL/CON/ADV/BV-05-C.
  @Test("AUX_SCAN_REQ and AUX_CONNECT_REQ are answered on the secondary channel", arguments: [LL.AirPHY.le1M, .le2M])
  func auxiliary(phy: LL.AirPHY) throws {
    for isScannable in [true, false] {
      let bench = RadioBench(AirProgram.radios(2))
      let program = AirProgram(bench, 1)
      var wanted = ExtendedAdvertising(properties: isScannable ? .scannable : .connectable)
      wanted.secondaryPHY = phy == .le2M ? .le2M : .le1M
      if isScannable { wanted.scanResponse = [4, 9, 1, 2, 3] }
      bench.advertise(0, wanted)
      let advert = try required(program.next { $0.channelIndex < 37 })
      equal(advert.phy, phy)
      program.reply(to: advert, isScannable ? request(RadioBench.address(0)) : AirLinkTests.connect().octets)
      let response = try required(program.next(within: .milliseconds(2)) { $0.channelIndex < 37 })
      let duration = LL.airTime(payloadLength: isScannable ? 12 : 34, phy: phy)
      equal(response.start, advert.end + .microseconds(300) + .nanoseconds(duration))
      let kind: LL.ExtendedPDU.Kind = isScannable ? .auxScanRsp : .auxConnectRsp
      let pdu = try LL.ExtendedPDU(decoding: response.pdu, as: kind)
      equal(pdu.advertiser, RadioBench.address(0))
      if isScannable {
        equal(pdu.data, [4, 9, 1, 2, 3])
      } else {
        equal(pdu.target, AirLinkTests.connect().initiator)
        equal(bench.connections(of: 0).count, 1)
      }
    }
  }

  @Test("An advertiser sends at the same times with a program in the room that is silent")
  func times() {
    func starts(_ hasProgram: Bool) -> [SimInstant] {
      let bench = RadioBench(
        AirProgram.radios(2) { radio, index in if !hasProgram { radio.hasExternalLinkLayer = false } }, wantsAir: true)
      bench.advertise(0)
      bench.run(for: .seconds(2))
      return bench.air.map(\.start)
    }
    equal(starts(true), starts(false))
  }
}
