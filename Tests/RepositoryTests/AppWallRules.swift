import Foundation

/// The bench knows no app by name: what is of an app is said in that app's own targets only, and no app knows another.
enum AppWallRules {
  struct App {
    /// Targets of the app; everything in them may say what it likes of it.
    var folderPrefix: String
    /// What gives it away, as regular expressions that mind the case.
    var banned: [(pattern: String, what: String)]
  }

  /// Folders outside that may name apps, with what they need it for.
  static let exempt: [(folder: String, why: String)] = [
    ("Sources/babbench", "the list of protocols that the executable offers, and the commands of one protocol"),
    ("Sources/parserfuzz", "the decoders of the apps that the executable offers"),
    ("Sources/Bystanders", "these apps share the air with the app, and say how they differ from it"),
  ]

  static let apps = [
    App(
      folderPrefix: "Sources/Bab",
      banned: [
        (#"(?<![A-Za-z0-9_])Bab(?!bench)[A-Z]\w*"#, "a type of Bab's"),
        (#"(?<![A-Za-z0-9_])Bab(?![A-Za-z0-9_])"#, "Bab by name"),
        (#"BAB[ /](?:\d+\.|HOST|CLIENT)"#, "a clause or a test purpose of Bab"),
        (#""bab""#, "Bab's name in options"),
        (#"(?i:BAB1[0-9A-F]{4}-1A46|12345678-1234-1234-1234-123456789AB)"#, "a UUID of Bab"),
        (#"(?i:0xBAB[1-4]|"BAB[1-4]")"#, "a UUID of Bab"),
        (
          #"(?<![A-Za-z0-9_])(?:HANDSHAKE|HEARTBEAT|GENERATE_REQUEST|DIALOG_LINE_ADDED|VOTE_REQUEST|VOTE_CAST|"#
            + #"FULL_STATE_SNAPSHOT|NAVIGATION_SYNC|LINE_COMPLETED|LINE_SKIPPED|ROLE_ASSIGNED|PLAYER_READY|"#
            + #"GAME_STARTED|TURN_ADVANCED|LEADERBOARD_UPDATE|LOBBY_UPDATE|CLIENT_JOIN|START_GAME)(?![A-Za-z0-9_])"#,
          "a packet of Bab"
        ),
      ]),
    App(
      folderPrefix: "Sources/Beam",
      banned: [
        (#"(?<![A-Za-z0-9_])Beam[A-Z]\w*"#, "a type of BeamScribe's"),
        (#"(?<![A-Za-z0-9_])BeamScribe(?![A-Za-z0-9_])"#, "BeamScribe by name"),
        (#"BEAM[ /](?:\d+\.|HOST|GUEST)"#, "a clause or a test purpose of BeamScribe"),
        (#""beamscribe""#, "BeamScribe's name in options"),
        (#"_beamscribe"#, "a service type of BeamScribe"),
        (#"(?i:BEA35C81-1A5E)"#, "a UUID of BeamScribe"),
        (#"(?<![A-Za-z0-9_])(?:liveChunk|fullHistory|sentTimestamp)(?![A-Za-z0-9_])"#, "a packet of BeamScribe"),
      ]),
  ]

  private static let expressions: [[(what: String, expression: NSRegularExpression)]] = apps.map { app in
    app.banned.map { ban in
      do {
        return (ban.what, try NSRegularExpression(pattern: ban.pattern))
      } catch {
        preconditionFailure("\(ban.pattern): \(error)")
      }
    }
  }

  static func findings(in file: SourceFile) -> [Finding] {
    guard file.path.hasPrefix("Sources/") else { return [] }
    if exempt.contains(where: { file.isInside($0.folder) }) { return [] }
    let text = file.lines.joined(separator: "\n")
    let units = Array(text.utf16)
    let whole = NSRange(location: 0, length: units.count)
    var findings: [Finding] = []
    let others = zip(apps, expressions).filter { !file.path.hasPrefix($0.0.folderPrefix) }.flatMap(\.1)
    for (what, expression) in others {
      var line = 1
      var place = 0
      for match in expression.matches(in: text, range: whole) {
        while place < match.range.location {
          if units[place] == 0x0A { line += 1 }
          place += 1
        }
        if findings.contains(where: { $0.line == line }) { continue }
        let words = String(decoding: units[match.range.location..<NSMaxRange(match.range)], as: UTF16.self)
        findings.append(
          Finding(path: file.path, line: line, message: "says \(words), \(what); the bench knows no app by name"))
      }
    }
    return findings.sorted { $0.line < $1.line }
  }
}
