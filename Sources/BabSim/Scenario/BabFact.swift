import Bench

/// What can be said of a device that plays Bab. Before a report of the kind concerned, a fact is false.
enum BabFact: AppFactStatement {
  /// The host's latest `.lobby` report lists its peer id (or display name).
  case inLobby
  /// Its latest `.lobby` report equals the host's; true of the host.
  case lobbyEqualsHost
  /// Its latest `.phase` report.
  case phase(String)
  /// Its latest `.linkState` report.
  case linkState(String)
  /// Its latest `.turn` report names itself.
  case onTurn
  /// It has reported `.sessionEnded` since its app was last launched.
  case sessionEnded
  /// It has reported `.resumed` since its app was last launched.
  case resumed
  /// Its latest `.ready` report about itself.
  case ready
  /// Its latest `.role` report about itself.
  case role(String)
  /// The lines it has committed (or was given by a snapshot) are the host's, in order; true of the host.
  case linesEqualHost
  /// Its latest `.leaderboard` report equals the host's, and there is one; true of the host once it has one.
  case leaderboardEqualsHost
  /// It has reported `.summary`.
  case summaryShown
  case count(Counted, Condition.Comparison, Int)

  enum Counted: Hashable, Sendable {
    /// Lines in its history now.
    case committedLines
    /// Players in its latest `.lobby` report.
    case lobbyPlayers
    /// `.refused` reports, the whole run.
    case refusals
    /// `.violation` reports, the whole run.
    case violations
    /// `.packetReceived` reports of this type, the whole run.
    case packets(String)
  }

  func canBeAsked(of device: Int, _ cast: AppCast) -> Bool {
    let member = cast.members[device]
    let isLedFromOutside = member.leader.map { cast.members[$0].isForeign } ?? false
    if !member.isForeign { return !(comparesWithLeader && isLedFromOutside) }
    switch self {
    // The host's app tells this of every player.
    case .inLobby, .ready, .role, .onTurn: return member.leader != nil && member.leader != device && !isLedFromOutside
    case .lobbyEqualsHost, .phase, .linkState, .sessionEnded, .resumed, .linesEqualHost, .leaderboardEqualsHost,
      .summaryShown, .count:
      return false
    }
  }

  var comparesWithLeader: Bool {
    switch self {
    case .lobbyEqualsHost, .linesEqualHost, .leaderboardEqualsHost: true
    default: false
    }
  }
}

extension BabFact {
  /// What the words of a predicate say; nil when they are none of Bab's.
  init?(_ words: [String]) {
    switch words.joined(separator: " ") {
    case "in lobby": self = .inLobby
    case "on turn": self = .onTurn
    case "ready": self = .ready
    case "ended": self = .sessionEnded
    case "resumed": self = .resumed
    case "shows summary", "show summary": self = .summaryShown
    case "agrees on lobby", "agree on lobby": self = .lobbyEqualsHost
    case "agrees on lines", "agree on lines": self = .linesEqualHost
    case "agrees on leaderboard", "agree on leaderboard": self = .leaderboardEqualsHost
    case let word where BabVocabulary.phases.contains(word): self = .phase(word)
    case let word where BabVocabulary.linkStates.contains(word): self = .linkState(word)
    default:
      if words.count == 2, words[0] == "role" {
        self = .role(words[1])
      } else if let words = CountedWords(words), let counted = Counted(words.what) {
        self = .count(counted, words.comparison, words.bound)
      } else {
        return nil
      }
    }
  }
}

extension BabFact.Counted {
  fileprivate init?(_ words: [String]) {
    switch words.joined(separator: " ") {
    case "line", "lines": self = .committedLines
    case "player", "players": self = .lobbyPlayers
    case "refused packet", "refused packets": self = .refusals
    case "violation", "violations": self = .violations
    default:
      guard words.count == 2, BabVocabulary.packetTypes.contains(words[0]), ["packet", "packets"].contains(words[1])
      else { return nil }
      self = .packets(words[0])
    }
  }
}
