import BluetoothWire
import RadioLaws
import SimKernel
import Testing
import VirtualRadio

/// Closed forms of Vol 6, Part B, 2.4 and 4.1: (payload + overhead) × 8 µs, T_IFS 150 µs, an empty PDU 80 µs on 1M.
@Suite("Throughput of notifications against closed forms")
struct ThroughputTests {
  /// A value of ATT_MTU − 3 octets is one L2CAP frame of ATT_MTU + 4 octets.
  struct Case: Sendable, CustomTestStringConvertible {
    var attMTU: Int
    var dataLength: Int
    var phy: HCI.PHY
    /// Microseconds for one value while an event lasts.
    var microsecondsPerValue: Int64
    var testDescription: String { "ATT_MTU \(attMTU), LL payload \(dataLength), \(phy)" }
  }

  static let cases = [
    // (251 + 10) × 8 + 150 + 80 + 150.
    Case(attMTU: 247, dataLength: 251, phy: .le1M, microsecondsPerValue: 2_468),
    // 247 + 4 octets in PDUs of 27: nine of 27 and one of 8.
    Case(attMTU: 247, dataLength: 27, phy: .le1M, microsecondsPerValue: 9 * (37 * 8 + 380) + (18 * 8 + 380)),
    // 23 + 4 octets: one PDU of 27.
    Case(attMTU: 23, dataLength: 27, phy: .le1M, microsecondsPerValue: 37 * 8 + 380),
    Case(attMTU: 23, dataLength: 251, phy: .le1M, microsecondsPerValue: 37 * 8 + 380),
    // On 2M an octet lasts 4 µs and the preamble two octets: (251 + 11) × 4 + 150 + 44 + 150.
    Case(attMTU: 247, dataLength: 251, phy: .le2M, microsecondsPerValue: 262 * 4 + 344),
    Case(attMTU: 185, dataLength: 251, phy: .le1M, microsecondsPerValue: 199 * 8 + 380),
  ]

  /// Nanoseconds for one value, measured where they arrive.
  private func timePerValue(_ c: Case) throws -> Int64 {
    let bench = RadioBench(
      RadioBench.radios(2) { configuration, _ in
        configuration.maximumDataLength = c.dataLength
        configuration.aclBuffers = 40
      })
    let (central, peripheral) = try #require(bench.connect(1, to: 0, interval: 320))
    if c.dataLength > 27 {
      bench.command(0, .leSetDataLength(peripheral, txOctets: UInt16(c.dataLength), txTime: 17_040))
      bench.run(for: .seconds(2))
    }
    if c.phy == .le2M {
      bench.command(1, .leSetPHY(central, tx: .le2M, rx: .le2M))
      bench.run(for: .seconds(6))
    }
    // As many values as fit half an interval, queued before the event begins.
    let values = min(38, Int(200_000 / c.microsecondsPerValue))
    let octets = [UInt8](repeating: 0x5A, count: c.attMTU + 4)
    bench.received[1].removeAll()
    for _ in 0..<values {
      for start in stride(from: 0, to: octets.count, by: 251) {
        bench.send(0, peripheral, Array(octets[start..<min(start + 251, octets.count)]))
      }
    }
    bench.run(for: .milliseconds(800))
    let instants = bench.received[1].map(\.at)
    #expect(bench.received[1].map(\.data.octets.count).reduce(0, +) == values * octets.count)
    let first = try #require(instants.first)
    let last = try #require(instants.last)
    let perPDU = (instants.count) / values
    let firstValue = instants[perPDU - 1]
    #expect(first < last)
    return (last - firstValue).nanoseconds / Int64(values - 1)
  }

  @Test("A peripheral that always has a value to send needs the closed form's time for each", arguments: cases)
  func closedForm(_ c: Case) throws {
    let expected = c.microsecondsPerValue * 1_000
    #expect(abs(try timePerValue(c) - expected) * 50 <= expected)
  }

  @Test("A lossless event carries 790.9 kbit/s of values at ATT_MTU 247 on 1M with data length extension")
  func headline() throws {
    #expect(try 244 * 8 * 1_000_000_000 / timePerValue(Self.cases[0]) == 790_923)
  }
}
