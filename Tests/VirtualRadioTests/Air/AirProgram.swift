import BluetoothWire
import RadioLaws
import SimKernel

@testable import VirtualRadio

/// A program at the radio of a device of a `RadioBench`: what it hears, and what it sends.
final class AirProgram {
  /// What a message `81` says.
  struct Heard {
    var start: SimInstant
    var end: SimInstant
    var channelIndex: UInt8
    var phy: LL.AirPHY
    var accessAddress: UInt32
    var rssi: Int8
    var isValid: Bool
    var pdu: [UInt8]

    var type: UInt8 { pdu[0] & 0x0F }
    var advertiser: BluetoothAddress? {
      BluetoothAddress(
        kind: pdu[0] & 0x40 == 0 ? .publicDevice : .random,
        bits: pdu[2..<8].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
  }

  let bench: RadioBench
  let device: Int
  private(set) var heard: [Heard] = []
  private(set) var done: [AirStatus] = []
  private var tag: UInt16 = 0

  init(_ bench: RadioBench, _ device: Int) {
    self.bench = bench
    self.device = device
    bench.world.airProgram(isThere: true, device: device)
  }

  /// Radios of which the last one is a program's.
  static func radios(_ count: Int, change: (inout RadioConfiguration, Int) -> Void = { _, _ in })
    -> [RadioConfiguration]
  {
    RadioBench.radios(count) { radio, index in
      radio.hasExternalLinkLayer = index == count - 1
      change(&radio, index)
    }
  }

  func say(_ message: AirMessage) {
    bench.world.enterAir(message.encoded, device: device)
    bench.drain()
    listen()
  }

  func listen() {
    while let octets = bench.world.popForProgram(device) {
      if octets[1] == 0x82, let status = AirStatus(rawValue: octets[6]) { done.append(status) }
      if octets[1] == 0x81 { heard.append(Heard(octets)) }
    }
  }

  func send(
    _ pdu: [UInt8], on channelIndex: UInt8, at start: SimInstant, phy: LL.AirPHY = .le1M,
    accessAddress: UInt32 = LL.advertisingAccessAddress, crcInit: UInt32 = LL.advertisingCRCInit, flags: UInt8 = 0
  ) {
    tag += 1
    var packet = AirPacket(channelIndex: channelIndex, phy: phy, accessAddress: accessAddress, pdu: pdu)
    (packet.crcInit, packet.flags) = (crcInit, flags)
    say(.send(tag: tag, at: start, packet))
  }

  /// T_IFS after a PDU, or a little earlier or later.
  func reply(to heard: Heard, _ pdu: [UInt8], off: SimDuration = .zero, flags: UInt8 = 0) {
    send(
      pdu, on: heard.channelIndex, at: heard.end + .microseconds(150) + off, phy: heard.phy,
      accessAddress: heard.accessAddress, flags: flags)
  }

  /// Runs until the next PDU that is wanted is over; nil: it does not come in time.
  func next(within span: SimDuration = .seconds(1), _ isWanted: (Heard) -> Bool) -> Heard? {
    let end = bench.timeline.now + span
    while true {
      let count = heard.count
      bench.run(until: end) {
        listen()
        return heard.count > count
      }
      if let found = heard[count...].first(where: isWanted) { return found }
      if bench.timeline.now >= end { return nil }
    }
  }

  func run(for span: SimDuration) {
    bench.run(for: span)
    listen()
  }
}

extension AirProgram.Heard {
  init(_ octets: [UInt8]) {
    func number(_ from: Int, _ count: Int) -> UInt64 {
      octets[from..<from + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    start = SimInstant(nanoseconds: Int64(number(4, 8)))
    end = start + .nanoseconds(Int64(number(12, 4)))
    (channelIndex, phy) = (octets[16], LL.AirPHY(rawValue: octets[17]) ?? .le1M)
    accessAddress = UInt32(number(18, 4))
    (rssi, isValid) = (Int8(bitPattern: octets[22]), octets[23] & 1 != 0)
    pdu = Array(octets[24...])
  }
}
