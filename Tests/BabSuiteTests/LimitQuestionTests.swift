import Conformance
import Expectations
import Foundation
import Testing
import VirtualRadio

@testable import BabSuite

@Suite("Questions about limits")
struct LimitQuestionTests {
  /// The distance at which the signal of an Android phone is so far above the noise, metres.
  private func distance(_ room: RadioEnvironment, signalToNoise: Double, shadowing: Double) throws -> Double {
    let android = try required(PhonePreset.all.first { $0.name == "android" })
    let budget = Double(android.radio.transmitPower - room.referenceLoss - room.noiseFloor) / 100
    return pow(10, (budget - signalToNoise - shadowing) / (Double(room.pathLossExponent) / 10))
  }

  @Test("Brackets of distances follow from the link budget", arguments: ["distance", "distance-open-field"])
  func brackets(_ name: String) throws {
    let question = try required([LimitQuestion].bab.first { $0.name == name })
    let bracket = try required(question.bracket)
    let room = try required(
      RadioEnvironment.preset(named: name == "distance" ? "living-room" : "open-field"))
    let low = try distance(room, signalToNoise: 16.25, shadowing: Double(room.shadowing) / 100)
    let high = try distance(room, signalToNoise: 8.1, shadowing: 0)
    equal(bracket.low, "\(Int(low)) m")
    equal(bracket.high, "\(Int(high)) m")
    // 37 octets with preamble, access address, header and CRC; BER = ½ exp(−SNR / 2).
    let errors = exp(-pow(10, 0.81) / 2) / 2
    expect(pow(1 - errors, Double((37 + 10) * 8)) < 0.001)
  }
}
