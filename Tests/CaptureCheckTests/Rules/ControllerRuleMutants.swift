@testable import CaptureCheck

private let hostController = "Core v5.4, Vol 4, Part E, "

extension RuleMutants {
  /// What is wrong at the HCI.
  static var controller: [RuleMutant] { commands + data }

  private static var commands: [RuleMutant] {
    [
      RuleMutant.reset(
        CommandsKeepTheirAllowance.self, "sends a command while the last one is unanswered",
        reset: { script in
          script.command(0x1009)
          script.command(0x1001)
        }),
      RuleMutant.reset(
        CompletionsAnswerCommands.self, "completes a command that was not sent",
        reset: { script in
          script.event(0x0E, [1] + RuleScript.word(0x1009) + [0])
        }),
      RuleMutant.reset(
        EventsHaveTheirLength.self, "ends LE Connection Complete one octet early",
        reset: { script in
          script.event(
            0x3E,
            [1, 0, 0x40, 0, 0, 1] + RuleScript.peer + RuleScript.word(24) + RuleScript.word(0) + RuleScript.word(200))
        }),
      RuleMutant.host(EventsHaveTheirLength.self, "counts two handles, and names one") { script in
        script.event(0x13, [2, 0x40, 0, 0, 0])
      },
      RuleMutant.host(
        CompletionsHaveTheirLength.self, "completes LE Remote Connection Parameter Request Reply without its handle"
      ) { script in
        script.command(0x2020, [0x40, 0] + RuleScript.parameters + [0, 0, 0, 0])
        script.event(0x0E, [1] + RuleScript.word(0x2020) + [0])
      },
      RuleMutant.reset(
        ConnectionHandlesAreInRange.self, "connects with the handle 0x0F00", clause: hostController + "7.7.65.1",
        reset: { script in
          script.event(
            0x3E,
            [1, 0, 0x00, 0x0F, 0, 1] + RuleScript.peer + RuleScript.word(24) + RuleScript.word(0)
              + RuleScript.word(200) + [5])
        }),
      RuleMutant.host(ConnectionHandlesAreInRange.self, "sends data with the handle 0x0F00") {
        $0.acl(0x0F00, toHost: false, [1, 0, 4, 0, 0x13])
      },
      RuleMutant.reset(
        ConnectionParametersAreInRange.self, "connects with an interval of 5",
        reset: { script in
          script.command(
            0x200D,
            RuleScript.word(96) + RuleScript.word(48) + [0, 1] + RuleScript.peer + [1] + RuleScript.word(5)
              + RuleScript.word(40) + RuleScript.word(0) + RuleScript.word(200) + [0, 0, 0, 0])
        }),
      RuleMutant.host(
        ConnectionParametersAreInRange.self, "asks for a latency of 500", clause: hostController + "7.8.18"
      ) {
        $0.command(0x2013, [0x40, 0, 24, 0, 40, 0] + RuleScript.word(500) + RuleScript.word(3_200) + [0, 0, 0, 0])
      },
      RuleMutant.host(
        ConnectionParametersAreInRange.self, "reports a timeout that is too short", clause: hostController + "7.7.65.3"
      ) { $0.event(0x3E, [3, 0, 0x40, 0] + RuleScript.word(400) + RuleScript.word(0) + RuleScript.word(100)) },
    ]
  }

  private static var data: [RuleMutant] {
    [
      RuleMutant.reset(
        DataGoesToConnectedHandles.self, "sends data of a handle that was never connected",
        reset: {
          $0.acl(0x40, toHost: true, [1, 0, 4, 0, 0x13])
        }),
      RuleMutant.host(BoundaryFlagsAreDefined.self, "sends a flushable first fragment as the host") {
        $0.acl(toHost: false, boundary: 2, [4, 0, 4, 0, 0x52, 0x12, 0, 9])
      },
      RuleMutant.host(BoundaryFlagsAreDefined.self, "sends a first fragment that cannot be flushed as the controller") {
        $0.acl(toHost: true, boundary: 0, [1, 0, 4, 0, 0x13])
      },
      RuleMutant.host(ACLDataFitsTheBuffers.self, "sends 252 octets to buffers of 251") {
        $0.acl(toHost: false, [0, 1, 4, 0] + [UInt8](repeating: 0x52, count: 248))
      },
      RuleMutant.host(BuffersAreNotOverrun.self, "sends a fifth packet to four buffers") { script in
        for _ in 0..<5 { script.client([0x52, 0x12, 0, 9]) }
      },
      RuleMutant.host(CompletedPacketsWereSent.self, "completes two packets of one") { script in
        script.client([0x52, 0x12, 0, 9])
        script.completedPackets(2)
      },
    ]
  }
}
