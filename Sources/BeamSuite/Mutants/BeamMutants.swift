package import Conformance

/// Every planted defect of BeamScribe, in the order of its page: hosts, guests.
package enum BeamMutants {
  package static let all: [Mutant] = hosts + guests

  static let hosts: [Mutant] = [
    hostBluetooth, hostListening, hostGate, hostFrames, hostWire, hostText, hostHistory, hostAlerts, hostCapacity,
    hostRest,
    hostMPC,
  ].flatMap { $0 }

  static let guests: [Mutant] = [
    guestBluetooth, guestFinding, guestAttempts, guestFrames, guestWire, guestText, guestHistory, guestAlerts,
    guestRetries, guestPaths, guestRest, guestMPC,
  ].flatMap { $0 }

  package static func named(_ name: String) -> Mutant? { all.first { $0.name == name } }
}
