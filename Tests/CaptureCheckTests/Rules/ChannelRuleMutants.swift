@testable import CaptureCheck

extension RuleMutants {
  /// L2CAP and the Security Manager.
  static var channels: [RuleMutant] { frames + pairing }

  private static var frames: [RuleMutant] {
    [
      RuleMutant.host(FramesAreWhole.self, "continues a frame that nobody began") {
        $0.acl(toHost: true, boundary: 1, [1, 2, 3])
      },
      RuleMutant.host(FramesAreWhole.self, "begins a frame inside another one") { script in
        script.acl(toHost: true, [9, 0, 4, 0, 0x1B, 0x12, 0])
        script.acl(toHost: true, [1, 0, 4, 0, 0x13])
      },
      RuleMutant.air(
        FramesAreWhole.self, "begins a frame with one octet of it, and then another one",
        air: { script in
          script.exchange(.start([0x20]))
          script.exchange(.start([0x20]), nil)
        }),
      RuleMutant.host(FramesAreWhole.self, "sends more than the frame's length") {
        $0.acl(toHost: true, [1, 0, 4, 0, 0x13, 0])
      },
      RuleMutant.host(ChannelsAreDefinedForLE.self, "sends on the signalling channel of BR/EDR") {
        $0.frame(channel: 1, fromPeripheral: true, [0x0A, 1, 2, 0, 2, 0])
      },
      RuleMutant.host(SignallingPDUsAreWellFormed.self, "uses the identifier 0x00") {
        $0.frame(channel: 5, fromPeripheral: true, [0x12, 0] + RuleScript.word(8) + RuleScript.parameters)
      },
      RuleMutant.host(SignallingPDUsAreWellFormed.self, "states two octets too few") {
        $0.frame(channel: 5, fromPeripheral: true, [0x12, 2] + RuleScript.word(6) + RuleScript.parameters)
      },
      RuleMutant.host(SignallingPDUsAreWellFormed.self, "sends an Information Request") {
        $0.frame(channel: 5, fromPeripheral: true, [0x0A, 2, 2, 0, 2, 0])
      },
      RuleMutant.host(SignallingResponsesAnswerRequests.self, "answers with another identifier") { script in
        script.frame(channel: 5, fromPeripheral: true, [0x12, 2] + RuleScript.word(8) + RuleScript.parameters)
        script.frame(channel: 5, fromPeripheral: false, [0x13, 3, 2, 0, 0, 0])
      },
      RuleMutant.host(ParameterUpdatesComeFromPeripheral.self, "asks as the central") {
        $0.frame(channel: 5, fromPeripheral: false, [0x12, 2] + RuleScript.word(8) + RuleScript.parameters)
      },
      RuleMutant.host(RequestedParametersAreInRange.self, "asks for a timeout shorter than the latency") {
        $0.frame(channel: 5, fromPeripheral: true, [0x12, 2, 8, 0, 24, 0, 40, 0, 99, 0, 200, 0])
      },
      RuleMutant.host(RequestedParametersAreInRange.self, "asks for an interval of 5") {
        $0.frame(channel: 5, fromPeripheral: true, [0x12, 2, 8, 0, 5, 0, 40, 0, 0, 0, 200, 0])
      },
    ]
  }

  private static var pairing: [RuleMutant] {
    [
      RuleMutant.host(PairingPDUsHaveTheirLength.self, "sends a Pairing Request of six octets") {
        $0.security([0x01, 3, 0, 1, 16, 1], handle: 0x40)
      },
      RuleMutant.host(PairingParametersAreDefined.self, "offers keys of six octets") {
        $0.security([0x01, 3, 0, 1, 6, 1, 1], handle: 0x40)
      },
      RuleMutant.host(
        PairingParametersAreDefined.self, "has an IO capability of 5", clause: "Core v5.4, Vol 3, Part H, 3.5.2"
      ) {
        $0.security([0x02, 5, 0, 1, 16, 1, 1], fromPeripheral: true, handle: 0x40)
      },
      RuleMutant.host(PairingPhasesAreInOrder.self, "responds to no request") {
        $0.security([0x02, 3, 0, 1, 16, 1, 1], fromPeripheral: true, handle: 0x40)
      },
      RuleMutant.host(PairingPhasesAreInOrder.self, "confirms before the response") { script in
        script.security([0x01, 3, 0, 1, 16, 1, 1], handle: 0x40)
        script.security([0x03] + [UInt8](repeating: 9, count: 16), handle: 0x40)
      },
      RuleMutant.host(
        PairingPhasesAreInOrder.self, "hands out a key in the clear", clause: "Core v5.4, Vol 3, Part H, 3.6.1"
      ) { $0.security([0x06] + [UInt8](repeating: 9, count: 16), fromPeripheral: true, handle: 0x40) },
      RuleMutant.host(
        PairingPhasesAreInOrder.self, "asks for security as the central", clause: "Core v5.4, Vol 3, Part H, 2.4.6"
      ) { $0.security([0x0B, 1], handle: 0x40) },
    ] + secureConnections
  }

  /// Pairing Request and Response with AuthReq of each end, and something of one end after them.
  private static func pairing(
    _ summary: String, central: UInt8, peripheral: UInt8, fromPeripheral: Bool = false, _ pdu: [UInt8]
  ) -> RuleMutant {
    RuleMutant.host(SecureConnectionsAreAgreed.self, summary) { script in
      script.security([0x01, 3, 0, central, 16, 1, 1], handle: 0x40)
      script.security([0x02, 3, 0, peripheral, 16, 1, 1], fromPeripheral: true, handle: 0x40)
      script.security(pdu, fromPeripheral: fromPeripheral, handle: 0x40)
    }
  }

  private static var secureConnections: [RuleMutant] {
    [
      pairing(
        "sends a public key though the peripheral has no Secure Connections", central: 0x09, peripheral: 0x01,
        [0x0C] + [UInt8](repeating: 9, count: 64)),
      pairing(
        "answers with a DHKey check though the central has no Secure Connections", central: 0x01, peripheral: 0x09,
        fromPeripheral: true, [0x0D] + [UInt8](repeating: 9, count: 16)),
      pairing(
        "tells of a key pressed though neither end has Secure Connections", central: 0x05, peripheral: 0x05, [0x0E, 0]),
    ]
  }
}
