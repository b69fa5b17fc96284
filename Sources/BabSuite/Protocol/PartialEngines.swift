import AppSeam
import BabSim
import Conformance

/// Engines of Bab that are less than whole: without a step, a packet, a report, or the documents of the lobby.
enum PartialEngines {
  static let all = [AppRole.host, .client].flatMap { role in
    steps(role) + packets(role) + reports(role) + profiles(role)
  }

  /// In the order in which a session sends them first.
  private static func types(_ role: AppRole) -> [PacketType] {
    role == .host
      ? [
        .handshake, .lobbyUpdate, .roleAssigned, .playerReady, .startGame, .gameStarted, .turnAdvanced,
        .dialogLineAdded, .lineCompleted, .lineSkipped, .leaderboardUpdate, .voteRequest, .voteCast, .navigationSync,
        .fullStateSnapshot, .heartbeat,
      ]
      : [
        .handshake, .clientJoin, .roleAssigned, .playerReady, .lineCompleted, .lineSkipped, .voteRequest, .voteCast,
        .generateRequest, .heartbeat,
      ]
  }

  /// Without each type, and without all from each on.
  private static func packets(_ role: AppRole) -> [PartialEngine] {
    let types = types(role)
    let parts = types.map { [$0] } + types.indices.dropFirst().dropLast().map { Array(types[$0...]) }
    return parts.map { part in
      let name = part.count == 1 ? "without \(part[0].rawValue)" : "without \(part[0].rawValue) and what comes after"
      return PartialEngine(
        name, role, own: part.map(\.rawValue), makeEngine: Mutant.withholding(part, role).makeEngine)
    }
  }

  private static func steps(_ role: AppRole) -> [PartialEngine] {
    let steps: [(SeamStep, own: [String])] =
      role == .host
      ? [
        (.publish, ["never publishes"]), (.advertise, ["never advertises"]),
        (.send, types(role).map { "sends no " + $0.rawValue }),
      ]
      : [
        (.scan, ["never scans"]), (.connect, ["connects to no host"]), (.discover, ["never discovers"]),
        (.subscribe, ["does not subscribe"]), (.send, types(role).map { "sends no " + $0.rawValue }),
      ]
    return steps.map { step, own in
      .stops(before: step, role, own: own, mayPass: step == .send ? alone + unheard : alone) {
        BabEngines.reference($0)
      }
    }
  }

  /// Without a radio, or by advertising and the table of attributes alone.
  private static let alone = ["BAB/*/SOLO/**", "BAB/*/ADV/**", "BAB/*/GATT/**", "BAB/CLIENT/LINK/BI-01-C"]

  /// What a host or client that sends nothing may pass: silent links end in time, and what is refused is reported.
  private static let unheard = [
    "BAB/HOST/LOBBY/BI-05-C", "BAB/HOST/AUTH/BI-26-C", "BAB/HOST/AUTH/BI-27-C", "BAB/HOST/AUTH/BI-28-C",
    "BAB/CLIENT/FRAG/BI-22-C",
  ]

  private static func reports(_ role: AppRole) -> [PartialEngine] {
    BabReport.names.map { .unsaid($0, role) { BabEngines.reference($0) } }
  }

  /// What the documents of a profile say, and no packet more.
  private static func profiles(_ role: AppRole) -> [PartialEngine] {
    Profile.bab.dropFirst().map { profile in
      PartialEngine(
        "profile \(profile.name)", role, own: [], profile: profile,
        makeEngine: Mutant.speaking(without: profile.foreignTypes, role).makeEngine)
    }
  }
}
