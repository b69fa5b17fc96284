/// Something that is true or not of a run at an instant, decided from inputs, effects and reports alone.
public indirect enum Condition: Hashable, Sendable {
  /// A fact about so many of the devices (indices, ascending, never empty).
  case devices([Int], Quantifier, Fact)
  case all([Condition])
  case any([Condition])

  public enum Quantifier: String, Hashable, Sendable {
    case every, any, none
  }

  public enum Comparison: String, Hashable, Sendable, CaseIterable {
    case exactly, atLeast, atMost

    public func holds(_ value: Int, _ bound: Int) -> Bool {
      switch self {
      case .exactly: value == bound
      case .atLeast: value >= bound
      case .atMost: value <= bound
      }
    }
  }

  /// What can be said of one device. Before a report of the kind concerned, a fact is false.
  public enum Fact: Hashable, Sendable {
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
    /// The latest `.discovered` input any other device got of it has a local name that contains this.
    case advertisedNameContains(String)
    case count(Counted, Comparison, Int)
  }

  public enum Counted: Hashable, Sendable {
    /// `.connected` inputs without a `.disconnected` one; kill and radio off end all.
    case links
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
    /// Smallest ATT_MTU of its links, from `.attMTU` inputs (23 until one comes); 0 without a link.
    case attMTU
  }
}
