public import BabSim
import SimKernel

/// A named defect: a reference engine with one clause broken, which a judge must fail.
public struct Mutant: Sendable {
  /// Lower case with hyphens, as scenarios and options name engines.
  public let name: String
  /// The clause of Docs/Protocol that it breaks.
  public let clause: String
  public let role: AppRole
  public let summary: String
  /// The id of the oracle that must fail it in a whole game; nil where only test purposes do.
  public let oracle: String?
  /// Changes what the inner engine is told about its game; most mutants leave it alone.
  let adjust: @Sendable (inout BabConfiguration) -> Void
  let wrapped: @Sendable (any AppEngine, BabConfiguration) -> any AppEngine

  init(
    _ name: String, _ role: AppRole, clause: String, failedBy oracle: String? = nil,
    _ summary: String,
    adjust: @escaping @Sendable (inout BabConfiguration) -> Void = { _ in },
    wrapped: @escaping @Sendable (any AppEngine, BabConfiguration) -> any AppEngine = { engine, _ in engine }
  ) {
    self.name = name
    self.clause = clause
    self.role = role
    self.summary = summary
    self.oracle = oracle
    self.adjust = adjust
    self.wrapped = wrapped
  }

  /// A defect in what is said or heard, packet by packet (`PacketMutant`).
  static func packets(
    _ name: String, _ role: AppRole, clause: String, _ summary: String,
    outgoing: @escaping @Sendable (PacketMutant, LinkID, BabPacket) -> [PacketMutant.Speech] = { _, _, packet in
      [.packet(packet)]
    },
    incoming: @escaping @Sendable (PacketMutant, LinkID, BabPacket) -> [BabPacket] = { _, _, packet in [packet] },
    observing: @escaping @Sendable (PacketMutant, AppInput) -> Void = { _, _ in },
    showing: @escaping @Sendable (PacketMutant, AppReport) -> [AppReport] = { _, report in [report] },
    reading: @escaping @Sendable (PacketMutant, LinkID, [UInt8]) -> [UInt8]? = { _, _, text in text }
  ) -> Mutant {
    Mutant(
      name, role, clause: clause, summary,
      wrapped: { engine, configuration in
        PacketMutant(
          wrapping: engine, role: role, configuration: configuration, outgoing: outgoing, incoming: incoming,
          observing: observing, showing: showing, reading: reading)
      })
  }

  /// The defect around an engine; the engine must have been made with `configuration` after `adjusted`.
  public func wrap(_ engine: any AppEngine, configuration: BabConfiguration) -> any AppEngine {
    wrapped(engine, configuration)
  }

  /// The configuration the inner engine gets.
  public func adjusted(_ configuration: BabConfiguration) -> BabConfiguration {
    var adjusted = configuration
    adjust(&adjusted)
    return adjusted
  }
}

/// Every planted defect.
public enum Mutants {
  public static let all: [Mutant] = games + published + clauses

  /// Those that break a single clause, by the group of the catalogue that finds them.
  static let clauses: [Mutant] = [
    adv, gatt, mtu, frag, wire, lobby, role, start,
    turn, vote, score, sync, link, load, auth, robust,
  ].flatMap { $0 }

  /// Those that an oracle finds in a whole game.
  static let games: [Mutant] = [
    Mutant(
      "second-host", .client, clause: "BAB 1.1", failedBy: OneHostPerLobby.id,
      "publishes and advertises the service itself once it has joined",
      wrapped: { SecondHost(wrapping: $0, dialect: $1.dialect) }),
    Mutant(
      "capacity-not-enforced", .host, clause: "BAB 2.3", failedBy: RosterWithinCapacity.id,
      "takes twice as many peers as its dialect allows", adjust: { $0.dialect.capacity *= 2 }),
    Mutant(
      "ghost-kept", .host, clause: "BAB 5.7.1", failedBy: NoGhostsAfterSupervisionTimeout.id,
      "does not notice that a link has ended", wrapped: { engine, _ in GhostKept(wrapping: engine) }),
    Mutant(
      "lobby-update-forgotten", .host, clause: "BAB 5.2.4", failedBy: LobbyStateConverges.id,
      "tells a client the lobby once, and no change of it",
      wrapped: { engine, _ in LobbyUpdateForgotten(wrapping: engine) }),
    Mutant(
      "start-not-sent-to-last", .host, clause: "BAB 5.2.8", failedBy: StartReachesAll.id,
      "starts the game without telling the client that joined last",
      wrapped: { engine, _ in StartNotSentToLast(wrapping: engine) }),
    Mutant(
      "commits-twice", .client, clause: "BAB 5.4.7", failedBy: CommittedLinesArePrefix.id,
      "commits every line twice", wrapped: { engine, _ in CommitsTwice(wrapping: engine) }),
    Mutant(
      "reorders-history", .client, clause: "BAB 5.4.7", failedBy: CommittedLinesArePrefix.id,
      "commits every two lines in the wrong order", wrapped: { engine, _ in ReordersHistory(wrapping: engine) }),
    Mutant(
      "completes-for-another", .host, clause: "BAB 5.4.5", failedBy: OnlyCurrentPlayerCompletes.id,
      "lets the person at the host complete whoever's line is pending",
      wrapped: { CompletesForAnother(wrapping: $0, configuration: $1) }),
    Mutant(
      "private-text-shown", .host, clause: "BAB 5.4.4", failedBy: PrivateTextReachesOnlyItsPlayer.id,
      "shows every generated line on its own screen", wrapped: { engine, _ in PrivateTextShown(wrapping: engine) }),
    Mutant(
      "wrong-formula", .host, clause: "BAB 6.1", failedBy: ScoresFollowFormula.id,
      "counts by the formula of the other dialect",
      adjust: { $0.dialect.scoring = $0.dialect.scoring == .guide ? .sdk : .guide }),
    Mutant(
      "streak-bonus-forgotten", .host, clause: "BAB 6.3", failedBy: ScoresFollowFormula.id,
      "gives no more than fifteen points to a line",
      wrapped: { engine, _ in StreakBonusForgotten(wrapping: engine) }),
    Mutant(
      "ranking-reversed", .host, clause: "BAB 6.7", failedBy: RankingFollowsScores.id,
      "puts the lowest score first", wrapped: { engine, _ in RankingReversed(wrapping: engine) }),
    Mutant(
      "oversize-fragment", .host, clause: "BAB 3.4", failedBy: FragmentsFitATTMTU.id,
      "forgets the ATT header when it cuts packets", wrapped: { engine, _ in OversizeFragment(wrapping: engine) }),
    Mutant(
      "ignores-queue-full", .host, clause: "BAB 5.9.2", failedBy: NothingReportedSentThatWasNot.id,
      "takes a refused notification for a sent one", wrapped: { engine, _ in IgnoresQueueFull(wrapping: engine) }),
    Mutant(
      "claims-sent", .client, clause: "BAB 5.9.3", failedBy: NothingReportedSentThatWasNot.id,
      "reports a packet sent before the platform has answered", wrapped: { engine, _ in ClaimsSent(wrapping: engine) }),
    Mutant(
      "ignores-packets", .client, clause: "BAB 3.9", failedBy: NothingSentIsLost.id,
      "loses every third packet between its platform and itself",
      wrapped: { engine, _ in IgnoresPackets(wrapping: engine) }),
    Mutant(
      "clock-goes-back", .client, clause: "BAB 5.6.3", failedBy: VectorClocksNeverGoBack.id,
      "starts its own clock entry over from time to time", wrapped: { engine, _ in ClockGoesBack(wrapping: engine) }),
    Mutant(
      "no-snapshot-on-return", .host, clause: "BAB 5.7.4", failedBy: ReconnectedPeersResume.id,
      "sends no snapshot to a client that comes back", wrapped: { engine, _ in NoSnapshotOnReturn(wrapping: engine) }),
    Mutant(
      "never-gives-up", .client, clause: "BAB 5.7.8", failedBy: LostSessionsEnd.id,
      "looks for its lost host for an hour", adjust: { $0.dialect.reconnectWindow = .seconds(3_600) }),
    Mutant(
      "never-rests", .client, clause: "BAB 7.13", failedBy: NoCrashNoHang.id,
      "keeps a timer firing at one instant for ever", wrapped: { engine, _ in NeverRests(wrapping: engine) }),
  ]

  public static func named(_ name: String) -> Mutant? { all.first { $0.name == name } }
}

/// Makes engines by name, as scenarios ask for them.
public enum EngineCatalogue {
  /// The engine that keeps every clause.
  public static let reference = "reference"

  /// A name that is neither `reference` nor a mutant, or a mutant of the other role.
  public struct UnknownEngine: Error, CustomStringConvertible {
    public var description: String
  }

  /// Every name there is for a role, the reference first.
  public static func names(role: AppRole) -> [String] {
    [reference] + Mutants.all.filter { $0.role == role }.map(\.name)
  }

  /// How to make an engine of that name and role, as often as one is needed.
  public static func maker(
    name: String, role: AppRole
  ) throws(UnknownEngine) -> @Sendable (BabConfiguration) -> any AppEngine {
    if name == reference { return { makeReference(role, $0) } }
    guard let mutant = Mutants.named(name) else {
      throw UnknownEngine(
        description: "no engine is called \"\(name)\"; there is reference, and babbench list --mutants shows the others"
      )
    }
    guard mutant.role == role else {
      throw UnknownEngine(description: "engine \"\(name)\" is a \(mutant.role.rawValue), not a \(role.rawValue)")
    }
    return maker(mutant)
  }

  /// How to make a mutant.
  static func maker(_ mutant: Mutant) -> @Sendable (BabConfiguration) -> any AppEngine {
    { configuration in
      let adjusted = mutant.adjusted(configuration)
      return mutant.wrap(makeReference(mutant.role, adjusted), configuration: adjusted)
    }
  }

  public static func makeEngine(
    name: String, role: AppRole, configuration: BabConfiguration
  ) throws(UnknownEngine) -> any AppEngine {
    try maker(name: name, role: role)(configuration)
  }

  static func makeReference(_ role: AppRole, _ configuration: BabConfiguration) -> any AppEngine {
    switch role {
    case .host: HostEngine(configuration: configuration)
    case .client: ClientEngine(configuration: configuration)
    }
  }
}
