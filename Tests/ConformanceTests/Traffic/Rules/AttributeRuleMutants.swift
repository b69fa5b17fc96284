@testable import Conformance

private let attributeProtocol = "Core v5.4, Vol 3, Part F, "

extension RuleMutants {
  static var attribute: [RuleMutant] { transactions + mtu }

  private static var transactions: [RuleMutant] {
    [
      RuleMutant(RequestsGoOneByOne.self, "asks again before the answer has come") { script in
        script.client([0x0A, 0x15, 0x00])
        script.client([0x0A, 0x12, 0x00])
      },
      RuleMutant(ResponsesAnswerRequests.self, "answers a read with a write's response") { script in
        script.client([0x0A, 0x15, 0x00])
        script.server([0x13])
      },
      RuleMutant(
        ResponsesAnswerRequests.self, "sends a response that nobody asked for", clause: attributeProtocol + "3.3.2"
      ) { $0.server([0x0B, 1]) },
      RuleMutant(
        ResponsesAnswerRequests.self, "names another request in an error", clause: attributeProtocol + "3.4.1.1"
      ) { script in
        script.client([0x0A, 0x15, 0x00])
        script.server([0x01, 0x0C, 0x15, 0x00, 0x02])
      },
      RuleMutant(
        ResponsesAnswerRequests.self, "names another handle in an error", clause: attributeProtocol + "3.4.1.1"
      ) { script in
        script.client([0x0A, 0x15, 0x00])
        script.server([0x01, 0x0A, 0x16, 0x00, 0x02])
      },
      RuleMutant(CommandsAreNotAnswered.self, "answers a write command with an error") { script in
        script.client([0x52, 0x15, 0x00, 1])
        script.server([0x01, 0x52, 0x15, 0x00, 0x03])
      },
      RuleMutant(TransactionsEndInTime.self, "answers after 31 s") { script in
        script.client([0x0A, 0x15, 0x00])
        script.wait(milliseconds: 31_000)
        script.server([0x0B, 1])
      },
      RuleMutant(TransactionsEndInTime.self, "never answers, and the link ends 31 s later") { script in
        script.client([0x0A, 0x15, 0x00])
        script.wait(milliseconds: 31_000)
        script.disconnect()
      },
      RuleMutant(BearersFallSilentAfterTimeout.self, "goes on although nothing was answered for 31 s") { script in
        script.client([0x0A, 0x15, 0x00])
        script.wait(milliseconds: 31_000)
        script.client([0x52, 0x12, 0x00, 1])
      },
      RuleMutant(IndicationsAreConfirmedOneByOne.self, "indicates twice without a confirmation") { script in
        script.server([0x1D, 0x12, 0x00, 1])
        script.server([0x1D, 0x12, 0x00, 2])
      },
      RuleMutant(
        IndicationsAreConfirmedOneByOne.self, "confirms what was not indicated", clause: attributeProtocol + "3.4.7.3"
      ) { $0.client([0x1E]) },
    ]
  }

  private static var mtu: [RuleMutant] {
    [
      RuleMutant(MTUIsExchangedOnce.self, "exchanges ATT_MTU again") { $0.client([0x02, 0xB9, 0x00]) },
      RuleMutant(RxMTUIsAtLeast23.self, "asks for an ATT_MTU of 22") { $0.client([0x02, 22, 0]) },
      RuleMutant(RxMTUIsAtLeast23.self, "answers with an ATT_MTU of 22", clause: attributeProtocol + "3.4.2.2") {
        $0.server([0x03, 22, 0])
      },
      RuleMutant(PDUsFitATTMTU.self, "notifies one octet more than ATT_MTU") {
        $0.server([0x1B, 0x12, 0x00] + [UInt8](repeating: 7, count: 183))
      },
    ]
  }
}
