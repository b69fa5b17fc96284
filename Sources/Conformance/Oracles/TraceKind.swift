public import BabSim

/// What a trace record is about: an oracle names the kinds it needs and is handed nothing else.
public enum TraceKind: UInt8, Hashable, Sendable, CaseIterable {
  /// `.input(.launched)`.
  case launched
  /// A person did something.
  case user
  /// A link came, went, or got an ATT_MTU.
  case link
  /// A value arrived at an app.
  case value
  /// The platform's answer to a transmission.
  case answer
  /// An app transmits a value.
  case transmit
  /// An app publishes, advertises, scans or connects.
  case presence
  case otherInput
  case otherEffect
  case identity
  /// Phase, link state, resumed, session ended.
  case session
  /// The lobby or the roster that an app shows.
  case roster
  case turn
  case screen
  /// Committed lines and replaced histories.
  case history
  /// A line generated or accepted.
  case line
  case score
  case leaderboard
  case vote
  case clock
  case packetSent
  case packetReceived
  /// Refused octets and broken rules.
  case complaint
  case otherReport
  case fault
  /// Radio records, steps, expectations and what a platform remarks: no oracle of an app reads them.
  case other

  /// The kind of an event.
  public init(_ event: TraceEvent) {
    switch event {
    case .input(let input): self = Self(input: input)
    case .effect(let effect): self = Self(effect: effect)
    case .report(let report): self = Self(report: report)
    case .fault: self = .fault
    case .radio, .step, .expectation, .platform: self = .other
    }
  }

  private init(input: AppInput) {
    switch input {
    case .launched: self = .launched
    case .user: self = .user
    case .connected, .connectFailed, .disconnected, .attMTU, .subscribed, .radioPower: self = .link
    case .valueReceived: self = .value
    case .submitted, .writeCompleted: self = .answer
    case .background, .advertisingStarted, .discovered, .servicesDiscovered, .valueRead, .readyToSend, .timer:
      self = .otherInput
    }
  }

  private init(effect: AppEffect) {
    switch effect {
    case .notify, .write, .writeWithoutResponse: self = .transmit
    case .publish, .advertise, .scan, .connect: self = .presence
    case .stopAdvertising, .stopScanning, .cancelConnect, .disconnect, .exchangeMTU, .discover, .subscribe, .read,
      .setValue, .setTimer, .cancelTimer, .report:
      self = .otherEffect
    }
  }

  private init(report: AppReport) {
    switch report {
    case .identity: self = .identity
    case .phase, .linkState, .resumed, .sessionEnded: self = .session
    case .lobby, .roster: self = .roster
    case .turn: self = .turn
    case .screen: self = .screen
    case .committed, .historyReplaced: self = .history
    case .lineGenerated, .lineAccepted: self = .line
    case .score: self = .score
    case .leaderboard, .summary: self = .leaderboard
    case .vote, .voteResult: self = .vote
    case .vectorClock: self = .clock
    case .packetSent: self = .packetSent
    case .packetReceived: self = .packetReceived
    case .refused, .violation: self = .complaint
    case .role, .ready, .achievement: self = .otherReport
    }
  }
}
