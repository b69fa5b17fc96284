import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing
import VirtualRadio

/// Both ends leave a link that has died, each exactly the timeout after its last valid PDU (Vol 6, Part B, 4.5.2),
/// whatever the peripheral may sleep through.
@Suite("Supervision with peripheral latency, drift and silence")
struct SupervisionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var interval: UInt16
    var latency: UInt16
    /// Device 1 is the central.
    var silent: Int?
    var testDescription: String {
      "interval \(interval), latency \(latency), \(silent.map { "device \($0) vanishes" } ?? "clocks drift")"
    }
  }

  static let cases: [Case] = [6, 24, 80, 400].flatMap { interval in
    [0, 1, 4, 30].flatMap { latency in
      [0, 1, nil].map { Case(interval: UInt16(interval), latency: UInt16(latency), silent: $0) }
    }
  }

  @Test("The link ends at both ends, exactly its timeout after the last valid PDU", arguments: cases)
  func ends(_ c: Case) throws {
    let timeout = max(100, (1 + c.latency) * c.interval * 2 / 8 + 20)
    for seed in 1...3 {
      let bench = RadioBench(
        RadioBench.radios(2) { configuration, index in
          // Both claim 20 ppm; a drift of 500 is more than any window is widened by.
          configuration.clockPartsPerMillion = c.silent == nil && index == 0 ? 500 : seed * 7 - 14
        }, seed: UInt64(seed), wantsAir: true)
      _ = try required(bench.connect(1, to: 0, interval: c.interval, latency: c.latency, timeout: timeout))
      // What a window is widened by, and 16 µs, against the drift since the anchor that was heard last, nanoseconds.
      let events = Int64(1 + c.latency) * Int64(c.interval) * 1_250_000
      let drift = Int64(500 - (seed * 7 - 14))
      if c.silent == nil, events * (drift - 40) <= 16_000 * 1_000_000 { continue }
      if let silent = c.silent {
        bench.run(for: .milliseconds(Int64(seed) * 3_777))
        bench.world.setRadio(silent, isOn: false)
      }
      bench.run(for: .milliseconds(Int64(timeout) * 10 * 4))
      for device in 0..<2 {
        let heard = bench.air.filter {
          $0.receiver == device && $0.fate == .received && $0.accessAddress != LL.advertisingAccessAddress
        }
        let last = try required(heard.map { $0.start + $0.duration }.max())
        let end = try required(bench.disconnections(of: device).first, "device \(device) keeps the link")
        equal(end.reason, .connectionTimeout)
        let ppm = c.silent == nil && device == 0 ? 500 : seed * 7 - 14
        let span = Int64(timeout) * 10_000_000
        equal(end.at, last + .nanoseconds(span + span / 1_000 * Int64(ppm) / 1_000))
      }
    }
  }
}
