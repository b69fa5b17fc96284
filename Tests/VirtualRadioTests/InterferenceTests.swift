import BluetoothWire
import Foundation
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// Interferers against closed forms: a PDU is judged by what was on during each part of it.
@Suite("Interference")
struct InterferenceTests {
  /// What became of PDUs of one length, sent at intervals at which the interferer has forgotten the last one.
  struct Tally {
    var sent = 0
    var unheard = 0
    var corrupted = 0
    var lost: Int { unheard + corrupted }
    var loss: Double { Double(lost) / Double(sent) }
  }

  static func medium(_ interferers: [RadioEnvironment.Interferer], seed: UInt64 = 1) -> Medium {
    var environment = RadioEnvironment.lossless
    environment.interferers = interferers
    return Medium(
      environment: environment, seed: seed, names: ["sender", "receiver"],
      positions: [Position(x: 0, y: 0), Position(x: 100, y: 0)], transmitPowers: [0, 0],
      sensitivities: [-9_500, -9_500])
  }

  /// One metre from the receiver, as the sender is: the level is that of the sender plus `power`.
  private func interferer(
    _ name: String = "access point", _ spectrum: RadioEnvironment.Interferer.Spectrum = .flat(0...39), power: Int,
    _ activity: RadioEnvironment.Interferer.Activity
  ) -> RadioEnvironment.Interferer {
    .init(name: name, position: Position(x: 200, y: 0), spectrum: spectrum, power: power, activity: activity)
  }

  private func send(_ medium: Medium, count: Int, payload: Int, phy: HCI.PHY = .le1M, channel: Int = 20) -> Tally {
    var tally = Tally()
    var start = SimInstant.zero + .milliseconds(5)
    let duration = SimDuration(nanoseconds: LL.airTime(payloadLength: payload, phy: phy))
    for _ in 0..<count {
      let fate = medium.judge(from: 0, to: 1, channel: channel, start: start, end: start + duration, phy: phy)
      tally.sent += 1
      if fate == .unheard { tally.unheard += 1 }
      if fate == .corrupted { tally.corrupted += 1 }
      start = start + .microseconds(15_013)
    }
    return tally
  }

  private func expect(_ value: Double, _ expected: Double, within: Double = 0.02, _ what: String) {
    #expect(abs(value - expected) < within * expected, "\(what): \(value) against \(expected)")
  }

  /// An interferer that nothing survives, exponential on (1 ms) and off (2 ms). A PDU is unheard when it is on at its
  /// start, a third, or begins within the access address; it has a bad CRC when it begins later within the PDU.
  @Test("CRC errors are losses whose interference begins after the access address", arguments: [HCI.PHY.le1M, .le2M])
  func shareOfCRCErrors(phy: HCI.PHY) {
    // Long and short PDU in microseconds: on 2M, each bit after the access address takes half the time.
    let heard: Double = phy == .le1M ? 40 : 24
    for payload in [251, 0] {
      let medium = Self.medium([
        interferer(power: 1_000, .onOff(meanOn: .milliseconds(1), meanOff: .milliseconds(2)))
      ])
      let duration = Double(LL.airTime(payloadLength: payload, phy: phy)) / 1_000
      let tally = send(medium, count: 100_000, payload: payload, phy: phy)
      let clear = 2.0 / 3 * exp(-heard / 2_000)
      let unheard = 1 - clear
      let corrupted = clear * (1 - exp(-(duration - heard) / 2_000))
      expect(tally.loss, unheard + corrupted, "loss of \(payload) octets")
      if payload > 0 {
        expect(
          Double(tally.corrupted) / Double(tally.lost), corrupted / (unheard + corrupted), "share of CRC errors")
      }
      expect(Double(tally.unheard) / Double(tally.sent), unheard, "unheard")
    }
  }

  /// While the interferer is on, a bit is lost with λ; the states are a Markov chain with the rates a = 1/off and
  /// b = 1/on, so a PDU of T bits survives with (off, on)/(off + on) · exp([[−a, a], [b, −b − λ]]·T) · (1, 1).
  @Test("An interferer that is weaker than the PDU costs the bits it covers", arguments: [0, 27, 251])
  func weakInterferer(payload: Int) {
    // The shorter the PDU, the stronger the interferer, so that each loss can be counted well.
    let power = [0: -850, 27: -950, 251: -1_100][payload]!
    let medium = Self.medium([
      interferer(power: power, .onOff(meanOn: .microseconds(400), meanOff: .microseconds(600)))
    ])
    let ratio = pow(10, Double(medium.level(from: 0, to: 1) - medium.level(ofInterferer: 0, at: 1)) / 1_000)
    let bit = -log(1 - 0.5 * exp(-ratio / 2))
    let (a, b) = (1.0 / 600, 1.0 / 400)
    let time = Double(LL.airTime(payloadLength: payload, phy: .le1M)) / 1_000
    let root = sqrt((a + b + bit) * (a + b + bit) - 4 * a * bit)
    let (r1, r2) = ((-a - b - bit + root) / 2, (-a - b - bit - root) / 2)
    /// exp(M·T) = e^(r1·T)·(M − r2)/(r1 − r2) − e^(r2·T)·(M − r1)/(r1 − r2), times (1, 1): row by row.
    func survival(_ rowSum: Double) -> Double {
      (exp(r1 * time) * (rowSum - r2) - exp(r2 * time) * (rowSum - r1)) / (r1 - r2)
    }
    let expected = 1 - (0.6 * survival(0) + 0.4 * survival(-bit))
    let tally = send(medium, count: 100_000, payload: payload)
    expect(tally.loss, expected, "loss of \(payload) octets")
  }

  @Test(
    "The mask of a Wi-Fi channel at the advertising channels, hundredths of dB",
    arguments: [
      // |2402 + 2 k − centre| MHz: 10, 14, 68; 35, 11, 43; 60, 36, 18.
      (1, [1_000, 2_266, 4_000]), (6, [4_000, 2_000, 4_000]), (11, [4_000, 4_000, 2_622]),
    ])
  func mask(wifi: Int, expected: [Int]) {
    let spectrum = RadioEnvironment.Interferer.Spectrum.wifi(wifi)
    #expect([0, 12, 39].map { spectrum.attenuation(onRFChannel: $0) } == expected)
    // In the middle nothing, and a flat range is silent beside itself.
    #expect(spectrum.attenuation(onRFChannel: (5 + 5 * wifi) / 2) == 0)
    let flat = RadioEnvironment.Interferer.Spectrum.flat(3...4)
    #expect((2...5).map { flat.attenuation(onRFChannel: $0) } == [nil, 0, 0, nil])
  }

  /// Saturated Wi-Fi 1, 6 and 11, as strong as the advertiser or stronger: only the mask leaves it its channels.
  @Test("Under Wi-Fi 1, 6 and 11 advertising lives on 37, 38 and 39", arguments: [0, 12, 39])
  func advertisingChannels(channel: Int) {
    let always = RadioEnvironment.Interferer.Activity.onOff(meanOn: .seconds(1_000_000), meanOff: .microseconds(1))
    // So that about a quarter of the PDUs is lost on each channel.
    let power = [0: -100, 12: 700, 39: 1_500][channel]!
    let medium = Self.medium([1, 6, 11].map { interferer("wifi \($0)", .wifi($0), power: power, always) })
    let noise = (0..<3).reduce(pow(10, -10.4)) {
      let level = medium.level(ofInterferer: $1, at: 1)
      let attenuation = medium.interference.attenuation($1, onRFChannel: channel) ?? 0
      return $0 + pow(10, Double(level - attenuation) / 1_000)
    }
    let ratio = pow(10, Double(medium.level(from: 0, to: 1)) / 1_000) / noise
    let payload = 37
    let bits = Double(LL.airTime(payloadLength: payload, phy: .le1M)) / 1_000
    let tally = send(medium, count: 40_000, payload: payload, channel: channel)
    expect(1 - tally.loss, pow(1 - 0.5 * exp(-ratio / 2), bits), "RF channel \(channel)")
    #expect(tally.loss < 0.5)
  }

  @Test("A scanner finds an advertiser on each of the three channels under Wi-Fi 1, 6 and 11")
  func discovery() {
    var environment = RadioEnvironment.lossless
    environment.interferers = [1, 6, 11].map {
      interferer(
        "wifi \($0)", .wifi($0), power: -100, .onOff(meanOn: .seconds(1_000_000), meanOff: .microseconds(1)))
    }
    let bench = RadioBench(RadioBench.radios(2), environment: environment, wantsAir: true)
    bench.advertise(0, interval: 32)
    bench.command(1, .leSetScanParameters(.init(isActive: false, interval: 0x0100, window: 0x0100)))
    bench.command(1, .leSetScanEnable(true, filterDuplicates: false))
    bench.run(for: .seconds(20))
    for rfChannel: UInt8 in [0, 12, 39] {
      let heard = bench.air.filter { $0.rfChannel == rfChannel && $0.fate == .received }
      // A third of 800 events.
      #expect(heard.count > 150, "RF channel \(rfChannel): \(heard.count)")
    }
  }
}
