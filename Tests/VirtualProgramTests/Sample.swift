/// A program of Examples/corebluetooth or Examples/beamscribe, and what its description says of it.
struct Sample: Sendable {
  var program: String
  var role: String
  var claims: String
  var protocolName = "bab"
  var dialect = "guide"

  static let guideHost = Sample(program: "guide-host", role: "host", claims: "no-ends-links, re-advertises")
  static let soundHost = Sample(program: "sound-host", role: "host", claims: "no-ends-links, re-advertises")
  static let soundClient = Sample(program: "sound-client", role: "client", claims: "roles, reconnect, screen")

  static let beamHost = beam("host")
  static let beamGuest = beam("guest")

  private static func beam(_ role: String) -> Sample {
    Sample(
      program: "beam-" + role, role: role, claims: "all, no-mpc", protocolName: "beamscribe", dialect: "network")
  }

  /// What the names of its test purposes begin with.
  var suite: String { (protocolName == "bab" ? "BAB/" : "BEAM/") + "\(role.uppercased())/" }
}
