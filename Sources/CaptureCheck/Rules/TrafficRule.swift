public import Judging
import SimKernel

/// One rule of the Core Specification that any traffic can be held against, whatever the apps above it are.
///
/// A rule blames a link end: `ledger.fail(at:device:record:)` is given the link's index as device (-1: a controller or
/// an advertiser) and the place of the packet as record. What it cannot judge, because the capture has not all of it,
/// it counts in `ledger.open`.
public protocol TrafficRule: TrafficObserver {
  /// Upper camel case, a claim in the third person; never reused.
  static var id: String { get }
  static var claim: String { get }
  /// The clause of the Core Specification.
  static var clause: String { get }
  /// When it cannot judge, for people.
  static var leavesOpen: String { get }
  /// The ATT PDUs that it wants of `.att`, by opcode, all unless it says otherwise; it is not called for others, or
  /// for one without an opcode.
  static var attOpcodes: OpcodeSet { get }
  /// The events of controllers that it wants of `.events`, by their code.
  static var eventCodes: OpcodeSet { get }
  /// Where the fragments are that it wants of `.fragments`.
  static var layer: RuleLayer { get }
  init()
  var ledger: OracleLedger { get }
}

/// Where a capture was taken.
public enum RuleLayer: Sendable {
  case hci, air, any
}

extension TrafficRule {
  public static var attOpcodes: OpcodeSet { .all }
  public static var eventCodes: OpcodeSet { .all }
  public static var layer: RuleLayer { .any }
  static func makeLedger() -> OracleLedger { OracleLedger(oracle: id, clause: clause) }

  /// - Parameter isStrict: what only the beginning or the end of a capture leaves open counts like what gaps do.
  func result(isStrict: Bool) -> OracleResult {
    OracleResult(ledger, id: Self.id, claim: Self.claim, clause: Self.clause, ignoresEdges: !isStrict)
  }

  /// Books what the capture does not decide; nil: of no link, and nothing but the capture's beginning is the reason.
  func leaveOpen(_ link: TrafficLink?, count: Int = 1) {
    ledger.open += count
    if link?.hasGaps != true { ledger.openAtEdges += count }
  }

  /// Books what the capture does not decide of a controller.
  func leaveOpen(_ adapter: TrafficAdapter) {
    ledger.open += 1
    if !adapter.hasLosses { ledger.openAtEdges += 1 }
  }

  /// Books a failure that the packet of `event` shows; `link` nil blames a controller or an advertiser.
  func fail(
    _ event: TrafficEvent, _ link: TrafficLink?, clause: String? = nil, expected: @autoclosure () -> String,
    actual: @autoclosure () -> String
  ) {
    fail(at: event.moment, link, clause: clause, expected: expected(), actual: actual())
  }

  /// Books a failure of a controller, or of the end of `link`, that an event shows.
  func fail(
    _ event: TrafficHCIEvent, _ link: TrafficLink?, clause: String? = nil, expected: @autoclosure () -> String,
    actual: @autoclosure () -> String
  ) {
    fail(at: event.moment, link, clause: clause, expected: expected(), actual: actual())
  }

  /// Books a failure that a PDU shows.
  func fail(
    _ pdu: TrafficPDU, clause: String? = nil, expected: @autoclosure () -> String, actual: @autoclosure () -> String
  ) {
    fail(at: pdu.moment, pdu.link, clause: clause, expected: expected(), actual: actual())
  }

  /// Judges how long the answer that `pdu` is has taken. Time that steps back tells nothing, and of a wait that no link
  /// would have outlived, or that is one long silence, a clock that was set is the likelier reason.
  func judge(
    _ pdu: TrafficPDU, since asked: TrafficMoment, within limit: SimDuration, question: @autoclosure () -> String,
    answer: @autoclosure () -> String
  ) {
    let taken = pdu.instant - asked.instant
    if taken < .zero || taken > RuleText.longestWait { return ledger.open += 1 }
    if taken <= limit { return ledger.judged += 1 }
    if pdu.moment.witnessed - asked.witnessed <= limit { return ledger.open += 1 }
    fail(
      pdu, expected: "an answer to \(question()) within \(limit.nanoseconds / 1_000_000_000) s",
      actual: "\(answer()) after \(RuleText.seconds(taken))")
  }

  /// Books a failure that shows at a moment; `link` nil blames a controller or an advertiser.
  func fail(
    at moment: TrafficMoment, _ link: TrafficLink?, clause: String? = nil, expected: @autoclosure () -> String,
    actual: @autoclosure () -> String
  ) {
    ledger.fail(
      at: moment.instant, device: link?.index ?? -1, record: moment.place.record, clause: clause,
      expected: expected(), actual: actual())
  }
}

/// All rules, in the order in which reports list them.
public enum TrafficRules {
  public static var all: [any TrafficRule.Type] {
    attribute + channels + controller + linkLayer + advertising
  }

  private static var attribute: [any TrafficRule.Type] {
    [
      RequestsGoOneByOne.self,
      ResponsesAnswerRequests.self,
      ErrorsNameTheirRequest.self,
      CommandsAreNotAnswered.self,
      UnknownRequestsAreRefused.self,
      TransactionsEndInTime.self,
      BearersFallSilentAfterTimeout.self,
      IndicationsAreConfirmedOneByOne.self,
      MTUIsExchangedOnce.self,
      RxMTUIsAtLeast23.self,
      PDUsFitATTMTU.self,
      AttributeValuesAreAtMost512.self,
      AttributePDUsAreWellFormed.self,
      ErrorCodesAreDefined.self,
      HandlesAreNotReserved.self,
      HandleRangesAreInOrder.self,
      FoundHandlesAreInTheRange.self,
      PreparedWritesAreEchoed.self,
      AcceptedAccessIsDeclared.self,
      ValueUpdatesAreDeclared.self,
      ValueUpdatesAreSubscribed.self,
    ]
  }

  /// L2CAP and the Security Manager.
  private static var channels: [any TrafficRule.Type] {
    [
      FramesAreWhole.self,
      ChannelsAreDefinedForLE.self,
      SignallingPDUsAreWellFormed.self,
      SignallingResponsesAnswerRequests.self,
      ParameterUpdatesComeFromPeripheral.self,
      RequestedParametersAreInRange.self,
      PairingPDUsHaveTheirLength.self,
      PairingParametersAreDefined.self,
      PairingPhasesAreInOrder.self,
      SecureConnectionsAreAgreed.self,
    ]
  }

  private static var controller: [any TrafficRule.Type] {
    [
      CommandsKeepTheirAllowance.self,
      CompletionsAnswerCommands.self,
      EventsHaveTheirLength.self,
      CompletionsHaveTheirLength.self,
      ConnectionHandlesAreInRange.self,
      ConnectionParametersAreInRange.self,
      DataGoesToConnectedHandles.self,
      BoundaryFlagsAreDefined.self,
      ACLDataFitsTheBuffers.self,
      BuffersAreNotOverrun.self,
      CompletedPacketsWereSent.self,
    ]
  }

  private static var linkLayer: [any TrafficRule.Type] {
    [
      ConnectionRequestsHaveTheirLength.self,
      AccessAddressesFollowTheRules.self,
      HopsAreInRange.self,
      ChannelMapsHaveTwoChannels.self,
      AirParametersAreInRange.self,
      DataHeadersAreDefined.self,
      PayloadsFitDataLength.self,
      ControlPDUsHaveTheirLength.self,
      ProceduresGoOneByOne.self,
      ProceduresEndInTime.self,
      UnknownResponsesNameAPDU.self,
      NothingElseWhileEncryptionStarts.self,
      EncryptionPDUsAreAnswers.self,
      VersionIsSentOnce.self,
    ]
  }

  private static var advertising: [any TrafficRule.Type] {
    [AdvertisingStructuresFit.self, AdvertisingDataFits31.self, RandomAddressesAreDefined.self]
  }
}
