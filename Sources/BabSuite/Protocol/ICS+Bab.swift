public import Conformance

/// What an implementation of Bab may claim. What every host and every client must do (advertise, join, frame, ignore
/// what is forbidden) is no item and is always tested.
extension ICS.Item {
  public static let roles = Self(name: "roles", text: "Roles, readiness and the start with roles (BAB 5.3).")
  public static let turns = Self(name: "turns", text: "A game with turns and lines (BAB 5.4).")
  public static let generate = Self(name: "generate", text: "Another line on request (BAB 5.4.9).")
  public static let votes = Self(name: "votes", text: "Votes (BAB 5.5).")
  public static let scoring = Self(name: "scoring", text: "Points and ranking (BAB 6).")
  public static let summary = Self(name: "summary", text: "The session summary at the end (BAB 5.8.2, 9.1).")
  public static let achievements = Self(name: "achievements", text: "Achievements in the summary (BAB 9.3 to 9.10).")
  public static let reconnect = Self(name: "reconnect", text: "A lost player comes back and goes on (BAB 5.7).")
  public static let screen = Self(
    name: "screen",
    text:
      "Says what its screen shows: phase, link state, lobby, roster, roles, turn, line, history (reports of the app seam)."
  )
  public static let refusals = Self(name: "refusals", text: "Says what it refuses: refused and violation (BAB 7).")
  public static let solo = Self(name: "solo", text: "Solo mode (BAB 5.10).")
  public static let heartbeat = Self(name: "heartbeat", text: "Sends HEARTBEAT as configured (BAB 8.8).")
  public static let lenient = Self(
    name: "lenient",
    text: "Reads what the published decoder reads beyond plain JSON (BAB 4.30).")

  /// All of them, in the order of lists.
  static let bab: [Self] = [
    .roles, .turns, .generate, .votes, .scoring, .summary, .achievements, .reconnect, .screen, .refusals, .solo,
    .heartbeat, .lenient, .endsLinks, .readvertises, .ownPeerID, .ownScenarios,
  ]
}

/// What an app's platform, or the app itself, cannot be asked for; so that a correct app is not failed for it.
extension ICS.Item {
  /// A host whose platform cannot (Apple's `CBPeripheralManager` has no call for it) still gives no seat, and says
  /// nothing of the game, to whoever it would turn away.
  public static let endsLinks = Self(
    name: "ends-links", text: "A host's platform can end a link when the app asks (BAB 5.1.10, 5.1.11, 8.9).",
    standing: .assumed)
  public static let readvertises = Self(
    name: "re-advertises",
    text: "A host's platform goes on advertising after a connection, so that the app need not ask again (BAB 5.1.2).",
    standing: .peculiarity)
  public static let ownPeerID = Self(
    name: "own-peer-id",
    text: "The app chooses the id in its packets itself; the bench learns it from the first packet (BAB 1.5).",
    standing: .peculiarity)
  public static let ownScenarios = Self(
    name: "own-scenarios",
    text: "The app plays its own scenarios and lines, and cannot be given the bench's; it knows those of BAB 5.2.1.",
    standing: .peculiarity)
}
