public import AppSeam

/// What a Bab app shows or claims; the only view oracles have into an engine.
public enum BabReport: Hashable, Sendable {
  /// First report of every engine.
  case identity(role: AppRole, peerID: String, displayName: String)
  case phase(String)
  /// DISCONNECTED, CONNECTING, CONNECTED, RECONNECTING.
  case linkState(String)
  /// The lobby as this app now shows it: whole, after every change.
  case lobby(LobbyView)
  /// Players in roster order as this app now believes them (host included if it plays), after every change.
  case roster([String])
  case role(player: String, role: String)
  case ready(player: String, Bool)
  /// Whose turn this app now shows, nil when nobody's.
  case turn(player: String?)
  /// Text put on this app's screen.
  case screen(ScreenLine)
  /// A line this app has committed to its history, in the order of its history.
  case committed(index: Int, lineID: String, text: String)
  /// A snapshot replaced the history: the whole list of committed line ids.
  case historyReplaced([String])
  /// Host: a line was generated for a player (private until committed).
  case lineGenerated(lineID: String, player: String, text: String)
  /// A player's completion or skip that this app (host) accepted.
  case lineAccepted(lineID: String, player: String, skipped: Bool, accuracyPermille: Int)
  /// A player's points after a line, all lines of the game together.
  case score(player: String, xp: Int)
  case leaderboard([LeaderboardRow])
  case vote(action: String, voter: String, yes: Bool)
  case voteResult(action: String, passed: Bool)
  case achievement(player: String, id: String)
  case summary(SummaryView)
  case vectorClock([ClockEntry])
  /// The engine claims that a whole packet went out on a link.
  case packetSent(LinkID, type: String, sequence: Int, fragments: Int)
  /// The engine took a whole packet from a link. `json` is the canonical text.
  case packetReceived(LinkID, type: String, senderID: String, json: String)
  /// Octets from a link that were not a packet, or fragments that were dropped.
  case refused(LinkID, reason: String)
  /// A peer broke an authority or safety rule; `rule` is a clause of Docs/Protocol.
  case violation(LinkID, rule: String, detail: String)
  /// Reconnected within the window and resumed from a snapshot.
  case resumed
  /// The session is over for this app, with why.
  case sessionEnded(String)

  /// Whether it is about the session as a person sees it, and not about the app's traffic, clock and refusals.
  public var isOfScreen: Bool {
    switch self {
    case .identity, .vectorClock, .packetSent, .packetReceived, .refused, .violation: false
    default: true
    }
  }
}
