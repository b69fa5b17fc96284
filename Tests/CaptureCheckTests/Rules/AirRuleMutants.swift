import BluetoothWire

@testable import CaptureCheck

private let linkLayerPart = "Core v5.4, Vol 6, Part B, "

extension RuleMutants {
  static var linkLayer: [RuleMutant] { requests + pdus + procedures }

  private static func request(_ alter: (inout LL.ConnectInd) -> Void) -> LL.AdvertisingPDU {
    var request = RuleScript.request
    request.accessAddress = 0x2B83_5A6D
    alter(&request)
    return .connectInd(request)
  }

  private static var requests: [RuleMutant] {
    [
      RuleMutant.air(
        ConnectionRequestsHaveTheirLength.self, "asks for a connection in 28 octets",
        air: { script in
          let whole = request { $0.hop = 7 }.octets
          script.onAir(LL.advertisingAccessAddress, [whole[0], 28] + whole[2..<30])
        }),
      RuleMutant.air(
        AccessAddressesFollowTheRules.self, "chooses advertising's access address except for one bit",
        air: {
          $0.advertise(request { $0.accessAddress = 0x8E89_BED7 })
        }),
      RuleMutant.air(HopsAreInRange.self, "hops by 17", air: { $0.advertise(request { $0.hop = 17 }) }),
      RuleMutant.air(
        ChannelMapsHaveTwoChannels.self, "connects on one channel",
        air: {
          $0.advertise(request { $0.channelMap = 0x10 })
        }),
      RuleMutant.air(
        ChannelMapsHaveTwoChannels.self, "leaves one channel on a connection",
        air: {
          $0.exchange(.control([0x01, 0x10, 0, 0, 0, 0] + RuleScript.word(300)), nil)
        }),
      RuleMutant.air(
        AirParametersAreInRange.self, "connects with an interval of 4",
        air: {
          $0.advertise(request { $0.interval = 4 })
        }),
      RuleMutant.air(
        AirParametersAreInRange.self, "connects with an empty transmit window", clause: linkLayerPart + "4.5.3",
        air: { $0.advertise(request { $0.windowSize = 0 }) }),
      RuleMutant.air(
        AirParametersAreInRange.self, "updates to a timeout that is too short",
        air: {
          $0.exchange(
            .control(
              [0x00, 2] + RuleScript.word(0) + RuleScript.word(400) + RuleScript.word(0) + RuleScript.word(100)
                + RuleScript.word(300)), nil)
        }),
      RuleMutant.air(
        AirParametersAreInRange.self, "asks for a latency of 500", clause: linkLayerPart + "2.4.2.16",
        air: {
          $0.exchange(
            .control(
              [0x0F, 24, 0, 40, 0] + RuleScript.word(500) + RuleScript.word(3_200)
                + [UInt8](repeating: 0, count: 15)), nil)
        }),
      RuleMutant.air(
        AirParametersAreInRange.self, "subrates by 501",
        air: {
          $0.exchange(
            .control(
              [0x27] + RuleScript.word(501) + RuleScript.word(0) + RuleScript.word(0) + RuleScript.word(0)
                + RuleScript.word(3_200)), nil)
        }),
      RuleMutant.air(
        AirParametersAreInRange.self, "asks for a continuation number that is the factor",
        air: {
          $0.exchange(
            .empty,
            .control(
              [0x26] + RuleScript.word(1) + RuleScript.word(4) + RuleScript.word(0) + RuleScript.word(4)
                + RuleScript.word(3_200)))
        }),
    ]
  }

  private static var pdus: [RuleMutant] {
    [
      RuleMutant.air(
        DataHeadersAreDefined.self, "uses the reserved LLID",
        air: {
          $0.exchange(RulePDU(llid: 0, payload: [1]), nil)
        }),
      RuleMutant.air(
        DataHeadersAreDefined.self, "begins a frame with an empty PDU", clause: linkLayerPart + "2.4.1",
        air: { $0.exchange(.start([]), nil) }),
      RuleMutant.air(
        PayloadsFitDataLength.self, "sends 101 octets where 100 were agreed",
        air: {
          $0.exchange(.start([97, 0, 5, 0] + [UInt8](repeating: 1, count: 97)), nil)
        }),
      RuleMutant.air(
        ControlPDUsHaveTheirLength.self, "sends LL_PING_REQ with an octet after it",
        air: {
          $0.exchange(.control([0x12, 0]), nil)
        }),
      RuleMutant.air(
        NothingElseWhileEncryptionStarts.self, "sends data after LL_ENC_REQ",
        air: { script in
          script.exchange(.control([0x03] + [UInt8](repeating: 0, count: 22)))
          script.exchange(RulePDU(llid: 2, payload: [1, 0, 4, 0]), nil)
        }),
    ]
  }

  private static var procedures: [RuleMutant] {
    [
      RuleMutant.air(
        EncryptionPDUsAreAnswers.self, "pauses an encryption that there is not", clause: linkLayerPart + "5.1.3.2",
        air: { $0.exchange(.empty, .control([0x0B])) }),
      RuleMutant.air(
        EncryptionPDUsAreAnswers.self, "starts an encryption that nobody asked for",
        air: {
          $0.exchange(.empty, .control([0x05]))
        }),
      RuleMutant.air(
        VersionIsSentOnce.self, "says its version again", air: { $0.exchange(.empty, RuleScript.peripheralVersion) }),
      RuleMutant.air(
        ProceduresGoOneByOne.self, "pings twice without an answer",
        air: { script in
          script.exchange(.control([0x12]))
          script.exchange(.control([0x12]), nil)
        }),
      RuleMutant.whole(ProceduresEndInTime.self, "answers a ping after 41 s") {
        var script = RuleScript.air()
        script.exchange(.control([0x12]))
        for _ in 0..<1_368 { script.exchange() }
        script.exchange(.empty, .control([0x13]))
        return (script, [script.last])
      },
      RuleMutant.air(
        UnknownResponsesNameAPDU.self, "does not know what was never sent",
        air: {
          $0.exchange(.control([0x07, 0x20]), nil)
        }),
    ]
  }

  static var advertising: [RuleMutant] {
    [
      RuleMutant.air(
        AdvertisingStructuresFit.self, "advertises a structure longer than the data",
        air: {
          $0.advertise(.advInd(advertiser: RuleScript.advertiser, data: [2, 1, 6, 5, 9, 0x42], chSel: false))
        }),
      RuleMutant.reset(
        AdvertisingDataFits31.self, "advertises 32 octets",
        reset: {
          $0.report(RuleScript.peer, [31, 0xFF] + [UInt8](repeating: 1, count: 30))
        }),
      RuleMutant.reset(
        RandomAddressesAreDefined.self, "uses the reserved subtype 10",
        reset: {
          $0.report([0xA1, 0xF4, 0xF3, 0xF2, 0xF1, 0xB0], [2, 1, 6])
        }),
      RuleMutant.reset(
        RandomAddressesAreDefined.self, "has a static address of ones",
        reset: {
          $0.report([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [2, 1, 6])
        }),
    ]
  }
}
