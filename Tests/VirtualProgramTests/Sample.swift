/// A program of Examples/corebluetooth, and what its description says of it.
struct Sample: Sendable {
  var program: String
  var role: String
  var claims: String

  static let guideHost = Sample(program: "guide-host", role: "host", claims: "no-ends-links, re-advertises")
  static let soundHost = Sample(program: "sound-host", role: "host", claims: "no-ends-links, re-advertises")
  static let soundClient = Sample(program: "sound-client", role: "client", claims: "roles, reconnect, screen")

  /// What the names of its test purposes begin with.
  var suite: String { "BAB/\(role.uppercased())/" }
}
