import BluetoothWire
import Expectations
import Testing

@testable import VirtualRadio

@Suite("Phone presets")
struct PhonePresetTests {
  @Test("Presets are found by name, each name once")
  func names() {
    equal(PhonePreset.all.map(\.name), ["ideal", "iphone", "android", "android-7", "linux"])
    equal(PhonePreset.named("iphone"), .iphone)
    expect(PhonePreset.named("iPhone") == nil)
  }

  @Test("Every value is one the Core Specification allows", arguments: PhonePreset.all)
  func limits(phone: PhonePreset) {
    expect((23...517).contains(phone.att.serverMTU) && (23...517).contains(phone.att.clientMTU))
    let asked = phone.connection.initial
    expect(6 <= asked.intervalMinimum && asked.intervalMinimum <= asked.intervalMaximum)
    expect(asked.intervalMaximum <= 3_200 && asked.peripheralLatency <= 499)
    expect((10...3_200).contains(asked.supervisionTimeout))
    // Vol 6, Part B, 4.5.2, in units of 0.25 ms.
    expect(Int(asked.supervisionTimeout) * 40 > (1 + Int(asked.peripheralLatency)) * Int(asked.intervalMaximum) * 10)
    expect((27...251).contains(phone.radio.maximumDataOctets) && phone.buffers.aclOctets >= 27)
    expect(phone.buffers.aclCount > 0 && phone.buffers.notificationQueue > 0 && phone.buffers.writeCommandQueue > 0)
    expect([20, 30, 50, 75, 100, 150, 250, 500].contains(phone.radio.declaredClockPartsPerMillion))
    let declared = phone.radio.declaredClockPartsPerMillion
    expect(phone.radio.clockDrift.lowerBound >= -declared && phone.radio.clockDrift.upperBound <= declared)
    expect((0x20...0x4000).contains(phone.advertising.interval))
    expect((0x20...0x4000).contains(phone.background.advertisingInterval))
    for scan in [phone.scanning.foreground, phone.scanning.background, phone.scanning.connecting] {
      expect(0x0004 <= scan.window && scan.window <= scan.interval && scan.interval <= 0x4000)
    }
    expect(phone.radio.sensitivity <= -7_000, "Vol 6, Part A, 4.1 asks for -70 dBm")
    expect((-2_000...2_000).contains(phone.radio.transmitPower), "Vol 6, Part A, 3: -20 dBm to +20 dBm")
  }

  @Test("Every phone can host the seven clients of a lobby", arguments: PhonePreset.all)
  func lobby(phone: PhonePreset) {
    expect(phone.connection.linksAsPeripheral >= 7)
  }

  @Test("An old Android pairs again where its peer has lost their bond, others end the link")
  func lostBonds() {
    equal(PhonePreset.all.filter { $0.lostBond == .pairsAgain }.map(\.name), ["android-7"])
  }

  @Test("An Android has advertising sets, as many as a controller has; other phones advertise one thing at a time")
  func sets() {
    equal(PhonePreset.all.map(\.advertising.sets), [1, 1, 4, 4, 1])
    equal(Radio.advertisingSets, 4)
  }

  @Test("Rooms are found by name, and each of them is a possible one")
  func rooms() {
    equal(
      RadioEnvironment.presets.map(\.name), ["ideal", "living-room", "convention-hall", "open-field", "subway"])
    equal(RadioEnvironment.preset(named: "subway"), .subway)
    for (_, room) in RadioEnvironment.presets {
      expect((180...400).contains(room.pathLossExponent))
      for interferer in room.interferers {
        guard case .wifi(let channel) = interferer.spectrum else { continue }
        expect((1...13).contains(channel))
      }
    }
  }
}
