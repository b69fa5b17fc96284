import AppSeam
import BabSim
import Bench
import BluetoothWire
import CaptureCheck
import CaptureTestSupport
import Conformance
import Expectations
import Foundation
import SimKernel
import Testing
import VirtualRadio

/// What the bench was told to do, measured from outside: captures of a run give back its parameters.
@Suite("Calibration")
struct CalibrationTests {
  struct Setting: CustomStringConvertible, Sendable {
    var host: String
    var client: String
    var radio = "ideal"
    var description: String { "\(host) and \(client) in \(radio)" }
  }

  static let settings: [Setting] = [
    Setting(host: "ideal", client: "ideal"),
    Setting(host: "iphone", client: "android", radio: "{ packet loss: 2% }"),
    Setting(host: "android", client: "iphone", radio: "{ packet loss: 5% }"),
    Setting(host: "linux", client: "iphone"),
    Setting(host: "iphone", client: "linux", radio: "{ packet loss: 1% }"),
    Setting(
      host: "{ preset: ideal, att mtu: 100, advertising interval: 50ms }",
      client: "{ preset: ideal, connection interval: 15ms, supervision timeout: 3s, data length: 60, 2m: no }",
      radio: "{ packet loss: 10% }"),
    Setting(
      host: "{ preset: android, channel selection 2: no }",
      client: "{ preset: android, att mtu: 64, connection interval: 48.75ms, supervision timeout: 2.5s }"),
  ]

  @Test("An air capture gives back what phones and room were set to", arguments: Part.of(settings, 2))
  func air(_ setting: Setting) throws {
    let run = try MeasuredRun(host: setting.host, client: setting.client, radio: setting.radio)
    let (profile, text) = try run.profile("air.pcapng")
    let central = try required(profile.phone("central"), "\(text)")
    let peripheral = try required(profile.phone("peripheral"))
    expectLink(central, run, text)
    equal(peripheral.att.serverMTU, run.host.att.serverMTU)
    // A central asks a peripheral only for what it supports.
    if run.host.radio.supports2M { equal(central.radio.prefers2M, run.client.radio.prefers2M, "\(text)") }
    if run.host.radio.supportsChannelSelection2 {
      equal(central.radio.supportsChannelSelection2, run.client.radio.supportsChannelSelection2)
    }
    equal(peripheral.radio.supportsChannelSelection2, run.host.radio.supportsChannelSelection2)
    equal(dataLength(central, peripheral), dataLength(run.client, run.host), "\(text)")
    // Too long by one step at most, with the 35 distances and more that six seconds have.
    let set = Int(run.host.advertising.interval)
    expect((set...(set + 1)).contains(Int(peripheral.advertising.interval)), "\(text)")
    try expectLoss(profile, run, text)
  }

  @Test("An HCI capture of the central gives back what it can show", arguments: Part.of(settings, 2, number: 1))
  func hciOfCentral(_ setting: Setting) throws {
    let run = try MeasuredRun(host: setting.host, client: setting.client, radio: setting.radio)
    let (profile, text) = try run.profile("client.btsnoop")
    let central = try required(profile.phone("central"), "\(text)")
    expectLink(central, run, text)
    equal(profile.phone("peripheral")?.att.serverMTU, run.host.att.serverMTU)
    expectController(central, run.client, text)
    expect(profile.radio == nil)
    expect(text.contains("HCI shows no loss"))
  }

  @Test("An HCI capture of the peripheral gives back what it can show", arguments: Part.of(settings, 2, number: 1))
  func hciOfPeripheral(_ setting: Setting) throws {
    let run = try MeasuredRun(host: setting.host, client: setting.client, radio: setting.radio)
    let (profile, text) = try run.profile("host.btsnoop")
    expectLink(try required(profile.phone("central"), "\(text)"), run, text)
    let peripheral = try required(profile.phone("peripheral"))
    equal(peripheral.att.serverMTU, run.host.att.serverMTU)
    equal(peripheral.advertising.interval, run.host.advertising.interval, "\(text)")
    // This host does not ask its controller for the maximum. What a longer one agreed on with a client of fewer octets
    // is a bound, and told as one; without the extension nothing is agreed on, and the preset stays.
    var shown = run.host
    let agreed = dataLength(run.host, run.client)
    if agreed > 27 { shown.radio.maximumDataOctets = agreed }
    expectController(peripheral, shown, text)
    guard shown.radio != run.host.radio else { return }
    let part = try required(text.range(of: "\n  peripheral:\n").map { text[$0.upperBound...] })
    let line = try required(part.split(separator: "\n").first { $0.hasPrefix("    data length:") }, "\(text)")
    expect(line.contains("at least that"), "\(line)")
  }

  @Test("A run with the fitted profile gives the same statistics again", arguments: [1, 3])
  func closedLoop(_ index: Int) throws {
    let setting = Self.settings[index]
    let first = try MeasuredRun(host: setting.host, client: setting.client, radio: setting.radio)
    let (profile, text) = try first.profile("air.pcapng", "client.btsnoop", "host.btsnoop")
    let second = try MeasuredRun(
      host: "fitted.yaml#peripheral", client: "fitted.yaml#central", radio: "fitted.yaml", seed: 77,
      profiles: .texts([("fitted.yaml", text)]))
    equal(second.scenario.radio.packetLoss, profile.radio?.packetLoss)
    let (again, _) = try second.profile("air.pcapng", "client.btsnoop", "host.btsnoop")
    for (a, b) in zip(profile.phones, again.phones) {
      var (a, b) = (a.preset, b.preset)
      expect(abs(Int(a.advertising.interval) - Int(b.advertising.interval)) <= 1)
      a.advertising = b.advertising
      equal(a, b)
    }
    equal(profile.phones.map(\.name), again.phones.map(\.name))
    try expectLoss(again, second, text)
    // ATT answers take whole connection events, so that medians are the same to the resolution of the histogram.
    for what in ["ATT request to response, central"] {
      let a = try required(profile.measured.first { $0.what == what })
      let b = try required(again.measured.first { $0.what == what })
      let difference = abs(a.median.nanoseconds - b.median.nanoseconds)
      expect(difference <= a.median.nanoseconds / 32 + 1_250_000, "\(a) \(b)")
    }
  }

  @Test("A limit of packets in an event is seen, and no limit is")
  func packetsPerEvent() throws {
    let slow = "{ preset: ideal, att mtu: 247, data length: 27, packets per event: 2 }"
    let run = try MeasuredRun(host: slow, client: slow)
    let (profile, text) = try run.profile("air.pcapng")
    equal(profile.phone("central")?.radio.packetsPerEvent, 2, "\(text)")
    let free = try MeasuredRun(host: "{ data length: 27 }", client: "{ data length: 27 }").profile("air.pcapng")
    equal(free.profile.phone("central")?.radio.packetsPerEvent, 0)
  }

  // MARK: Judges

  private func expectLink(_ central: PhonePreset, _ run: MeasuredRun, _ text: String) {
    let set = run.client.connection.initial
    equal(central.att.clientMTU, run.askedATTMTU, "\(text)")
    equal(central.connection.initial.intervalMinimum, set.intervalMinimum, "\(text)")
    equal(central.connection.initial.supervisionTimeout, set.supervisionTimeout)
    equal(central.connection.initial.peripheralLatency, set.peripheralLatency)
  }

  private func expectController(_ fitted: PhonePreset, _ set: PhonePreset, _ text: String) {
    equal(fitted.buffers.aclCount, set.buffers.aclCount, "\(text)")
    equal(fitted.buffers.aclOctets, set.buffers.aclOctets)
    equal(fitted.radio.maximumDataOctets, set.radio.maximumDataOctets, "\(text)")
    equal(fitted.radio.supports2M, set.radio.supports2M)
    equal(fitted.radio.supportsChannelSelection2, set.radio.supportsChannelSelection2)
  }

  /// What a connection of the two uses.
  private func dataLength(_ a: PhonePreset, _ b: PhonePreset) -> UInt16 {
    min(a.radio.maximumDataOctets, b.radio.maximumDataOctets)
  }

  private func expectLoss(_ profile: PhoneProfile, _ run: MeasuredRun, _ text: String) throws {
    let fitted = try required(profile.radio?.packetLoss, "\(text)")
    let set = run.scenario.radio.packetLoss
    let judged = try judged(text)
    expect(judged > 500)
    let (p, q) = (share(fitted), share(set))
    let error = 3 * (q * (1 - q) / Double(judged)).squareRoot()
    expect(abs(p - q) <= error + 1e-6, "\(p) instead of \(q) ± \(error) from \(judged)")
  }

  private func share(_ ratio: Ratio) -> Double { Double(ratio.numerator) / Double(ratio.denominator) }

  /// How many PDUs the file says it has judged.
  private func judged(_ text: String) throws -> Int {
    let line = try required(text.split(separator: "\n").first { $0.contains("were not acknowledged") })
    return try required(Int(line.split(separator: " ")[3]))
  }

  @Test("What real captures fit is a profile that scenarios can name", .enabled(if: !SharedTraffic.files.isEmpty))
  func foreign() throws {
    var fitted = 0
    for name in SharedTraffic.files {
      guard let report = try? StatsReport.read([SharedTraffic.folder + "/" + name]) else { continue }
      let calibration = Calibration(report, name: "real")
      if calibration.isEmpty { continue }
      fitted += 1
      guard case .success = PhoneProfile.read(octets: calibration.octets, file: name) else {
        Issue.record("\(name): \(String(decoding: calibration.octets, as: UTF8.self))")
        continue
      }
    }
    expect(fitted > 0)
  }
}
