import BluetoothWire
import CaptureFormats
import CaptureTestSupport
import Expectations
import SimKernel
import Testing

@testable import CaptureCheck

@Suite("Whatever is on the air")
struct AirTotalTests {
  private func record(_ header: AirHeader, _ octets: [UInt8], number: Int, at nanoseconds: Int64) -> CaptureRecord {
    CaptureRecord(
      number: number, link: .leLinkLayerWithHeader, nanoseconds: nanoseconds, originalLength: octets.count + 7,
      body: .air(header), octets: octets[...])
  }

  private func octets(_ random: inout RandomStream) -> [UInt8] {
    (0..<Int(random.next() % 60)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  @Test("Random PDUs with random access addresses and CRCs open no link", arguments: [1, 2, 3])
  func noise(seed: UInt64) {
    var random = RandomStream(seed: seed, component: "test", purpose: "air")
    let records = (0..<20_000).map { index in
      var header = AirHeader(accessAddress: UInt32(truncatingIfNeeded: random.next()))
      header.crc = UInt32(truncatingIfNeeded: random.next()) & 0xFF_FFFF
      return record(header, octets(&random), number: index + 1, at: Int64(index) * 1_000_000)
    }
    expect(AirLog.reading(records).opened.isEmpty)
  }

  @Test("Whatever headers say and times do, nothing traps, and links stay bounded", arguments: [1, 2, 3, 4])
  func anything(seed: UInt64) {
    var random = RandomStream(seed: seed, component: "test", purpose: "air")
    let request = SyntheticTrace.request
    let records = (0..<20_000).map { index in
      let pick = random.next()
      var header = AirHeader(
        accessAddress: pick % 8 < 5
          ? 0x5065_4A27 &+ UInt32(pick % 5)
          : pick % 8 == 5
            ? LL.advertisingAccessAddress : UInt32(truncatingIfNeeded: pick >> 8))
      let bits = random.next()
      header.isCRCValid = bits & 3 == 0 ? nil : bits & 3 != 1
      header.crc = bits & 4 == 0 ? nil : UInt32(truncatingIfNeeded: bits >> 32) & 0xFF_FFFF
      header.isFromCentral = bits & 24 == 0 ? nil : bits & 8 != 0
      header.eventCounter = bits & 96 != 0 ? nil : UInt16(truncatingIfNeeded: bits >> 16)
      header.rfChannel = bits & 128 == 0 ? nil : UInt8(bits >> 48 & 0x3F)
      header.isDecrypted = bits & 0x300 == 0x300
      header.isEncrypted = bits & 0xC00 == 0xC00 ? true : nil
      header.isLE2M = bits & 0x1000 != 0
      var pdu = octets(&random)
      if header.accessAddress == LL.advertisingAccessAddress, bits & 0x2000 != 0 {
        var request = request
        request.accessAddress &+= UInt32(bits >> 50 & 0xFFF)
        request.interval = UInt16(truncatingIfNeeded: random.next())
        request.timeout = UInt16(truncatingIfNeeded: random.next())
        request.windowOffset = UInt16(truncatingIfNeeded: random.next())
        pdu = request.octets
        header.isCRCValid = true
      } else if pdu.count > 2, bits & 0xC000 != 0 {
        pdu[1] = UInt8(pdu.count - 2)
        if bits & 0x4000 != 0 {
          pdu[0] |= 3
          pdu[2] %= 0x1A
          if let length = LL.ControlOpcode.dataLength(pdu[2]) {
            pdu = Array((pdu + [UInt8](repeating: 1, count: 40)).prefix(3 + length))
            pdu[1] = UInt8(1 + length)
          }
        }
      }
      let time: Int64
      switch random.next() % 50 {
      case 0: time = Int64(bitPattern: random.next())
      case 1: time = Int64.max
      case 2: time = Int64.min
      default: time = Int64(index) * 150_000
      }
      return record(header, pdu, number: index + 1, at: time)
    }
    let log = AirLog()
    let reader = TrafficReader(observers: [log])
    for record in records { reader.read(record, file: 0, at: SimInstant(nanoseconds: record.nanoseconds)) }
    reader.finish()
    expect(log.opened.filter { !$0.isFromStart }.count <= AirFollower.midConnectionLimit)
    equal(log.closed.count, log.opened.count)
    for link in log.opened { _ = link.air?.expectedRFChannel }
  }

  @Test("One changed octet in a capture that checks CRCs invents nothing")
  func singleOctets() {
    let pdus = SyntheticTrace.air
    let records = AirRecords.records(pdus, checksCRC: false)
    let whole = AirLog.reading(records)
    equal(whole.att.count, 1)
    for (index, record) in records.enumerated() {
      for place in record.octets.indices {
        for bit: UInt8 in [0x01, 0x80] {
          var changed = records
          changed[index].octets[place] ^= bit
          let log = AirLog.reading(changed)
          expect(log.att.allSatisfy { pdu in whole.att.contains { $0.octets == pdu.octets } })
          expect(log.opened.count <= 1)
        }
      }
    }
  }

  @Test("Links that come up and are never heard again stay bounded, and are closed at their supervision timeout")
  func manyLinks() {
    let request = SyntheticTrace.request
    let records = (0..<2_000).map { index in
      var next = request
      next.accessAddress &+= UInt32(index)
      var header = AirHeader(accessAddress: LL.advertisingAccessAddress)
      header.isCRCValid = true
      return record(header, next.octets, number: index + 1, at: Int64(index) * 100_000)
    }
    let log = AirLog.reading(records)
    equal(log.opened.count, 2_000)
    // At most `linkLimit` were up at the end; all others gave way to newer ones.
    equal(log.closed.count, 2_000)
  }
}
