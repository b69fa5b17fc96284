@testable import CaptureCheck

private let attributeProtocol = "Core v5.4, Vol 3, Part F, "

extension RuleMutants {
  static var attribute: [RuleMutant] { transactions + mtu + handles + shapes + values }

  private static var transactions: [RuleMutant] {
    [
      RuleMutant.host(RequestsGoOneByOne.self, "asks again before the answer has come") { script in
        script.client([0x0A, 0x15, 0x00])
        script.client([0x0A, 0x12, 0x00])
      },
      RuleMutant.host(RequestsGoOneByOne.self, "asks again between two fragments of the answer") { script in
        script.client([0x0A, 0x15, 0x00])
        script.acl(toHost: true, [4, 0, 4, 0, 0x0B, 1])
        script.client([0x0A, 0x12, 0x00])
      },
      RuleMutant.host(ResponsesAnswerRequests.self, "answers a read with a write's response") { script in
        script.client([0x0A, 0x15, 0x00])
        script.server([0x13])
      },
      RuleMutant.host(
        ResponsesAnswerRequests.self, "sends a response that nobody asked for", clause: attributeProtocol + "3.3.2"
      ) { $0.server([0x0B, 1]) },
      RuleMutant.host(
        ErrorsNameTheirRequest.self, "names another request in an error"
      ) { script in
        script.client([0x0A, 0x15, 0x00])
        script.server([0x01, 0x0C, 0x15, 0x00, 0x02])
      },
      RuleMutant.host(
        ErrorsNameTheirRequest.self, "names another handle in an error"
      ) { script in
        script.client([0x0A, 0x15, 0x00])
        script.server([0x01, 0x0A, 0x16, 0x00, 0x02])
      },
      RuleMutant.host(
        ErrorsNameTheirRequest.self, "names a handle beside those that were read at once"
      ) { script in
        script.client([0x0E, 0x12, 0x00, 0x15, 0x00])
        script.server([0x01, 0x0E, 0x13, 0x00, 0x02])
      },
      RuleMutant.host(
        ErrorsNameTheirRequest.self, "refuses a handle after the end that was asked for"
      ) { script in
        script.client([0x08, 0x10, 0x00, 0x1F, 0x00, 0x02, 0x2A])
        script.server([0x01, 0x08, 0x21, 0x00, 0x02])
      },
      RuleMutant.host(CommandsAreNotAnswered.self, "answers a write command with an error") { script in
        script.client([0x52, 0x15, 0x00, 1])
        script.server([0x01, 0x52, 0x15, 0x00, 0x03])
      },
      RuleMutant.host(TransactionsEndInTime.self, "answers after 31 s") { script in
        script.client([0x0A, 0x15, 0x00])
        script.pass(seconds: 31)
        script.server([0x0B, 1])
      },
      RuleMutant.host(TransactionsEndInTime.self, "never answers, and the link ends 31 s later") { script in
        script.client([0x0A, 0x15, 0x00])
        script.pass(seconds: 31)
        script.disconnect()
      },
      RuleMutant.host(BearersFallSilentAfterTimeout.self, "goes on although nothing was answered for 31 s") { script in
        script.client([0x0A, 0x15, 0x00])
        script.pass(seconds: 31)
        script.client([0x52, 0x12, 0x00, 1])
      },
      RuleMutant.host(IndicationsAreConfirmedOneByOne.self, "indicates twice without a confirmation") { script in
        script.server([0x1D, 0x12, 0x00, 1])
        script.server([0x1D, 0x12, 0x00, 2])
      },
      RuleMutant.host(
        IndicationsAreConfirmedOneByOne.self, "confirms what was not indicated", clause: attributeProtocol + "3.4.7.3"
      ) { $0.client([0x1E]) },
    ]
  }

  private static var mtu: [RuleMutant] {
    [
      RuleMutant.host(MTUIsExchangedOnce.self, "exchanges ATT_MTU again") { $0.client([0x02, 0xB9, 0x00]) },
      RuleMutant.host(RxMTUIsAtLeast23.self, "asks for an ATT_MTU of 22") { $0.client([0x02, 22, 0]) },
      RuleMutant.host(RxMTUIsAtLeast23.self, "answers with an ATT_MTU of 22", clause: attributeProtocol + "3.4.2.2") {
        $0.server([0x03, 22, 0])
      },
      RuleMutant.host(PDUsFitATTMTU.self, "notifies one octet more than ATT_MTU") {
        $0.server([0x1B, 0x12, 0x00] + [UInt8](repeating: 7, count: 183))
      },
    ]
  }

  private static var handles: [RuleMutant] {
    [
      RuleMutant.host(HandlesAreNotReserved.self, "reads the handle 0x0000") { $0.client([0x0A, 0, 0]) },
      RuleMutant.host(HandlesAreNotReserved.self, "notifies the handle 0x0000") { $0.server([0x1B, 0, 0, 1]) },
      RuleMutant.host(HandleRangesAreInOrder.self, "looks for descriptors from 0x0014 to 0x0013") {
        $0.client([0x04, 0x14, 0x00, 0x13, 0x00])
      },
      RuleMutant.host(
        HandleRangesAreInOrder.self, "looks for services from 0x0000", clause: attributeProtocol + "3.4.4.9"
      ) {
        $0.client([0x10, 0, 0, 0xFF, 0xFF, 0x00, 0x28])
      },
      RuleMutant.host(FoundHandlesAreInTheRange.self, "lists a characteristic after the end that was asked for") {
        script in
        script.client([0x08, 0x10, 0x00, 0x1F, 0x00, 0x03, 0x28])
        script.server([0x09, 0x07, 0x21, 0x00, 0x02, 0x22, 0x00, 0x01, 0x2A])
      },
      RuleMutant.host(
        FoundHandlesAreInTheRange.self, "lists descriptors in falling order", clause: attributeProtocol + "3.4.3.2"
      ) { script in
        script.client([0x04, 0x13, 0x00, 0x1F, 0x00])
        script.server([0x05, 0x01, 0x18, 0x00, 0x02, 0x29, 0x13, 0x00, 0x02, 0x29])
      },
    ]
  }

  private static var shapes: [RuleMutant] {
    [
      RuleMutant.host(AttributePDUsAreWellFormed.self, "lists half a characteristic") { script in
        script.client([0x08, 0x10, 0x00, 0x1F, 0x00, 0x03, 0x28])
        script.server([0x09, 0x07, 0x11, 0x00, 0x02, 0x12])
      },
      RuleMutant.host(AttributePDUsAreWellFormed.self, "answers Find Information in format 3") { script in
        script.client([0x04, 0x13, 0x00, 0x1F, 0x00])
        script.server([0x05, 0x03, 0x18, 0x00, 0x02, 0x29])
      },
      RuleMutant.host(AttributePDUsAreWellFormed.self, "notifies half a handle") { $0.server([0x1B, 0x12]) },
      RuleMutant.host(ErrorCodesAreDefined.self, "answers with the error 0x00") { script in
        script.client([0x0A, 0x15, 0x00])
        script.server([0x01, 0x0A, 0x15, 0x00, 0x00])
      },
      RuleMutant.host(UnknownRequestsAreRefused.self, "answers an unknown request with Unlikely Error") { script in
        script.client([0x30, 1])
        script.server([0x01, 0x30, 0x00, 0x00, 0x0E])
      },
    ]
  }

  private static var values: [RuleMutant] {
    [
      RuleMutant.host(AttributeValuesAreAtMost512.self, "prepares an octet after the 512th") {
        $0.client([0x16, 0x12, 0x00, 0x00, 0x02, 1])
      },
      RuleMutant.host(PreparedWritesAreEchoed.self, "echoes another value") { script in
        script.client([0x16, 0x12, 0x00, 0, 0, 1, 2, 3])
        script.server([0x17, 0x12, 0x00, 0, 0, 1, 2, 4])
      },
      RuleMutant.host(AcceptedAccessIsDeclared.self, "accepts a write of a value that is read only") { script in
        script.client([0x12, 0x15, 0x00, 1])
        script.server([0x13])
      },
      RuleMutant.host(ValueUpdatesAreDeclared.self, "notifies a value that is read only") {
        $0.server([0x1B, 0x15, 0x00, 1])
      },
      RuleMutant.host(ValueUpdatesAreSubscribed.self, "notifies although nobody has asked for it") {
        $0.server([0x1B, 0x17, 0x00, 1])
      },
    ]
  }
}
