import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

/// Seven clients of one host through whole host stacks; the law `time-division` has the same for controllers alone.
@Suite("Saturated links against closed forms")
struct SaturationTests {
  @Test(
    "Seven saturated links share the air as time division has it", arguments: [24, 40, 80] as [UInt16], [28])
  func fairness(interval: UInt16, buffers: Int) throws {
    // A lobby in which no event begins within the first exchange of another one, where links would take turns.
    for seed in 1...40 {
      let lobby = try SaturatedLobby(seed: UInt64(seed), interval: interval, buffers: buffers)
      guard let expected = TimeDivision.rates(lobby.anchors, interval: interval) else { continue }
      let rates = lobby.rates(seconds: 10)
      for (rate, expected) in zip(rates, expected) {
        expect(abs(rate - expected) / expected < 0.02, "\(rate) against \(expected) kbit/s")
      }
      let (sum, whole) = (rates.reduce(0, +), expected.reduce(0, +))
      expect(abs(sum - whole) / whole < 0.02, "\(sum) against \(whole) kbit/s")
      expect(whole > 205)
      return
    }
    Issue.record("no lobby without coincidences")
  }
}
