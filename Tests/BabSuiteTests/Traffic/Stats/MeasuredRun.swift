import AppSeam
import BabSim
import Bench
import BluetoothWire
import CaptureCheck
import CaptureTestSupport
import Conformance
import Foundation
import SimKernel
import VirtualRadio

/// A run of two phones in a room, and what its captures measure.
struct MeasuredRun {
  let scenario: Scenario
  let folder: CaptureFolder

  /// - Parameters:
  ///   - host, client: what stands behind `phone:`; the host is the peripheral, the client the central.
  ///   - radio: what stands behind `radio:`.
  init(
    host: String, client: String, radio: String = "ideal", seed: UInt64 = 3, profiles: ProfileSource = .none
  ) throws {
    let text = """
      name: measured
      radio: \(radio)
      devices:
        host: { phone: \(host) }
        client: { phone: \(client) }
      game: { lines: 12, autoplay: { think: 700ms..1800ms, accuracy: 70%..100% } }
      steps:
        - host: start hosting
        - after: 6s
          client: join
        - when: client in lobby
          within: 30s
          host: start lobby game
        - when: everyone is FINISHED
          within: 3min
      """
    scenario = try ScenarioReader.read(text: text, file: "measured.yaml", language: .bab(), profiles: profiles)
      .get()
    folder = try CaptureFolder()
    let air = try AirCaptureReader(path: folder.path + "/air.pcapng")
    let hci = try HCICaptureReader(folder: folder.path)
    _ = try World.run(scenario, options: RunOptions(seed: seed), readers: [air, hci]) { BabEngines.reference($1) }
    try air.close()
    try hci.close()
  }

  var host: PhonePreset { scenario.devices[0].phone }
  var client: PhonePreset { scenario.devices[1].phone }

  /// What the client's ATT_EXCHANGE_MTU_REQ says: the phone's own where the platform exchanges by itself, else what the
  /// app asks for, as far as the phone goes. An Android phone that could take 517 says 185 when its app wishes no more.
  var askedATTMTU: Int {
    let att = client.att
    if att.exchangesAutomatically { return att.clientMTU }
    return min(scenario.devices[1].dialect.profile.wishedATTMTU, att.clientMTU)
  }

  func path(_ name: String) -> String { folder.path + "/" + name }

  /// Of captures by their names.
  func report(_ names: String...) throws -> StatsReport { try StatsReport.read(names.map(path)) }

  /// A profile that was written and read again.
  func profile(_ names: String..., preset: PhonePreset? = nil) throws -> (profile: PhoneProfile, text: String) {
    let octets = Calibration(try StatsReport.read(names.map(path)), name: "fitted", preset: preset).octets
    return (try PhoneProfile.read(octets: octets, file: "fitted.yaml").get(), String(decoding: octets, as: UTF8.self))
  }
}

extension PhoneProfile {
  func phone(_ name: String) -> PhonePreset? { phones.first { $0.name == name }?.preset }
}
