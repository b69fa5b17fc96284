import BluetoothWire
import Expectations
import Foundation
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// Outages of faded links against their closed forms. In a room in which level decides only who is heard at all, a PDU
/// is lost exactly when its level falls below the sensitivity.
@Suite("Fading")
struct FadingTests {
  private static let blocks = 20_000

  /// The share of blocks whose level is too low, with a mean level so much above the sensitivity (hundredths of dB).
  private func outage(_ kind: RadioEnvironment.Fading.Kind, margin: Int) -> Double {
    var environment = RadioEnvironment.lossless
    environment.fading = RadioEnvironment.Fading(kind: kind, coherence: .milliseconds(1))
    environment.referenceLoss = 4_000
    let medium = Medium(
      environment: environment, seed: 5, names: ["a", "b"], positions: [Position(x: 0, y: 0), Position(x: 100, y: 0)],
      transmitPowers: [0, 0], sensitivities: [-4_000 - margin, -4_000 - margin])
    let lost = (0..<Self.blocks).count { block in
      let start = SimInstant(nanoseconds: Int64(block) * 1_000_000)
      return medium.judge(from: 0, to: 1, channel: 7, start: start, end: start + .microseconds(80), phy: .le1M)
        == .unheard
    }
    return Double(lost) / Double(Self.blocks)
  }

  private func isNear(_ measured: Double, near expected: Double) {
    // Four and a half standard deviations of a binomial share, and what a hundredth of a decibel is worth.
    let tolerance = 4.5 * (expected * (1 - expected) / Double(Self.blocks)).squareRoot() + 0.003 * expected
    expect(abs(measured - expected) < tolerance, "\(measured) against \(expected)")
  }

  @Test("Rayleigh: 1 − exp(−γ₀/γ̄)", arguments: [-300, 0, 300, 1_000, 2_000])
  func rayleigh(margin: Int) {
    isNear(outage(.rayleigh, margin: margin), near: 1 - exp(-pow(10, -Double(margin) / 1_000)))
  }

  @Test("Rician: 1 − Q₁(√(2K), √(2(K+1)γ₀/γ̄))", arguments: [0, 100, 600, 2_000], [0, 300, 1_000])
  func rician(factor: Int, margin: Int) {
    let k = Double(factor) / 100
    let threshold = pow(10, -Double(margin) / 1_000)
    // The density of the power gain, integrated by the midpoint rule: (K+1)·exp(−K−(K+1)x)·I₀(2√(K(K+1)x)).
    func bessel(_ x: Double) -> Double {
      var (sum, term) = (1.0, 1.0)
      for n in 1...200 {
        term *= (x / 2 / Double(n)) * (x / 2 / Double(n))
        sum += term
      }
      return sum
    }
    let steps = 4_000
    let expected =
      (0..<steps).reduce(0.0) { sum, step in
        let x = (Double(step) + 0.5) * threshold / Double(steps)
        return sum + (k + 1) * exp(-k - (k + 1) * x) * bessel(2 * (k * (k + 1) * x).squareRoot())
      } * threshold / Double(steps)
    isNear(outage(.rician(factor: factor), margin: margin), near: expected)
  }

  @Test("Log-normal: Φ(−margin/σ)", arguments: [-400, 0, 400, 1_200])
  func logNormal(margin: Int) {
    isNear(
      outage(.logNormal(deviation: 600), margin: margin), near: 0.5 * erfc(Double(margin) / 600 / 2.0.squareRoot()))
  }

  @Test("A gain holds for a block, a channel and a pair in both directions; log-normal for every channel")
  func blocks() {
    let rayleigh = Fading(.init(kind: .rayleigh, coherence: .milliseconds(10)), seed: 1)
    func gain(_ one: UInt64, _ other: UInt64, _ channel: Int, _ milliseconds: Int64) -> Int {
      rayleigh.gain(one, other, rfChannel: channel, at: .zero + .milliseconds(milliseconds))
    }
    equal(gain(1, 2, 3, 0), gain(2, 1, 3, 9))
    expect(gain(1, 2, 3, 0) != gain(1, 2, 3, 10))
    expect(gain(1, 2, 3, 0) != gain(1, 2, 4, 0))
    expect(gain(1, 2, 3, 0) != gain(1, 3, 3, 0))
    let shadows = Fading(.init(kind: .logNormal(deviation: 600), coherence: .milliseconds(10)), seed: 1)
    equal(shadows.gain(1, 2, rfChannel: 0, at: .zero), shadows.gain(1, 2, rfChannel: 39, at: .zero))
  }

  @Test("No draw exceeds the greatest gain")
  func greatest() {
    let kinds: [RadioEnvironment.Fading.Kind] = [
      .rayleigh, .rician(factor: 100), .rician(factor: 10_000), .logNormal(deviation: 2_000),
    ]
    for kind in kinds {
      let model = RadioEnvironment.Fading(kind: kind, coherence: .microseconds(1))
      let fading = Fading(model, seed: 3)
      let gains = (0..<20_000).map { fading.gain(1, 2, rfChannel: 0, at: SimInstant(nanoseconds: $0 * 1_000)) }
      expect((gains.max() ?? 0) <= Fading.greatestGain(model))
    }
  }

  @Test("The loss of a channel hits that channel only, at its rate")
  func channelLoss() {
    var environment = RadioEnvironment.lossless
    environment.channelLoss = (0..<40).map { $0 == 7 ? .partsPerMillion(300_000) : .never }
    let medium = Medium(
      environment: environment, seed: 5, names: ["a", "b"], positions: [Position(x: 0, y: 0), Position(x: 100, y: 0)],
      transmitPowers: [0, 0], sensitivities: [-9_000, -9_000])
    func lost(_ channel: Int) -> Double {
      let count = (0..<Self.blocks).count { block in
        let start = SimInstant(nanoseconds: Int64(block) * 1_000_000)
        let end = start + .microseconds(80)
        return medium.judge(from: 0, to: 1, channel: channel, start: start, end: end, phy: .le1M) != .received
      }
      return Double(count) / Double(Self.blocks)
    }
    isNear(lost(7), near: 0.3)
    equal(lost(8), 0)
  }
}
