import BluetoothWire
import SimKernel
import VirtualRadio

/// Messages of a program at a radio, beside a controller that advertises and scans.
extension FuzzedDecoder {
  static let air = FuzzedDecoder(
    "air", "messages of a program for the air, one after another",
    in: ["Sources/VirtualRadio/Seats/AirMessage+Octets.swift"], limit: 1_024,
    words: [
      [0x41, 0x01, 0x06, 0x00], [0x41, 0x02], [0x41, 0x03], [0x41, 0x04, 0x02, 0x00],
      [37, 1, 0xD6, 0xBE, 0x89, 0x8E, 0x55, 0x55, 0x55, 0],
    ],
    valid: { stream in
      (0..<1 + stream.number(below: 6)).flatMap { _ -> [UInt8] in
        let pdu = pdus(stream.number(below: 4), stream.octets(stream.number(below: 40)))
        let packet = AirPacket(
          channelIndex: UInt8([37, 37, 38, 5][stream.number(below: 4)]), phy: .le1M,
          accessAddress: LL.advertisingAccessAddress, pdu: pdu)
        let instant = SimInstant(nanoseconds: Int64(stream.below(20_000_000)))
        let message =
          stream.number(below: 3) > 0
          ? AirMessage.send(tag: 1, at: instant, packet)
          : .answer(tag: 2, to: AirPattern(mask: [0x0F], octets: [UInt8(stream.number(below: 6))]), packet)
        return [UInt8(message.encoded.count)] + message.encoded
      }
    },
    decode: { input in
      let world = airWorld()
      var (rest, kinds) = (input[...], UInt64(0))
      while let count = rest.popFirst() {
        let octets = Array(rest.prefix(Int(count)))
        rest = rest.dropFirst(Int(count))
        world.enterAir(octets, device: 1)
        if AirMessage(ofProgram: octets) != nil { kinds += 1 }
        play(world, events: 40)
      }
      play(world, events: 400)
      return .accepted(kind: min(kinds, 8), canonical: nil)
    })

  /// One of each kind that somebody answers.
  private static func pdus(_ kind: Int, _ octets: [UInt8]) -> [UInt8] {
    let (own, other) = (airAddress(1), airAddress(0))
    switch kind {
    case 0: return LL.AdvertisingPDU.advInd(advertiser: own, data: Array(octets.prefix(31)), chSel: true).octets
    case 1: return LL.AdvertisingPDU.scanReq(scanner: own, advertiser: other).octets
    case 2:
      return LL.ConnectInd(
        initiator: own, advertiser: other, channelSelectionAlgorithm2: true, accessAddress: 0x5065_5DAB,
        crcInit: 1, windowSize: 1, windowOffset: 0, interval: 24, latency: 0, timeout: 100,
        channelMap: 0x1F_FFFF_FFFF, hop: 7, sleepClockAccuracy: 5
      ).octets
    default: return [0x07, UInt8(octets.count)] + octets
    }
  }

  private static func airAddress(_ index: UInt64) -> BluetoothAddress {
    BluetoothAddress(kind: .publicDevice, bits: 0x00A0_5000_0001 + index)
  }

  private static func airWorld() -> RadioWorld {
    var program = RadioConfiguration(name: "b", address: airAddress(1), position: Position(x: 100, y: 0))
    program.hasExternalLinkLayer = true
    let world = RadioWorld(
      timeline: Timeline(), environment: .ideal, seed: 1,
      radios: [RadioConfiguration(name: "a", address: airAddress(0), position: Position(x: 0, y: 0)), program])
    world.airProgram(isThere: true, device: 1)
    let controller = world.controllers[0]
    controller.submit(.leSetAdvertisingParameters(.init(intervalMinimum: 32, intervalMaximum: 32)))
    controller.submit(.leSetAdvertisingEnable(true))
    controller.submit(.leSetScanParameters(.init(isActive: true, interval: 16, window: 16)))
    controller.submit(.leSetScanEnable(true, filterDuplicates: false))
    return world
  }

  private static func play(_ world: RadioWorld, events: Int) {
    for _ in 0..<events {
      guard let event = world.timeline.advance(limit: .zero + .seconds(1), runsAhead: false) else { return }
      world.handle(event)
      while let device = world.nextWaiting() {
        while world.controllers[device].popForHost() != nil {}
        while world.popForProgram(device) != nil {}
      }
    }
  }
}
