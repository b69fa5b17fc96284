import Foundation

/// The bench knows no app by name: what is of an app is said in its own targets only, and none speaks of another.
enum AppWallRules {
  struct App {
    /// How the folders of its targets begin; everything below them may say what it likes of it.
    var folders: [String]
    /// What gives it away, as regular expressions that mind the case.
    var banned: [(pattern: String, what: String)]
  }

  static let apps = [
    App(folders: ["Sources/Bab"], banned: bab), App(folders: ["Sources/Beam"], banned: beamScribe),
  ]

  /// Folders outside that may name the app, with what they need it for.
  static let exempt: [(folder: String, why: String)] = [
    ("Sources/babbench", "the list of protocols that the executable offers, and the commands of one protocol"),
    ("Sources/parserfuzz", "the decoders of the apps that the executable offers"),
    ("Sources/Bystanders", "these apps share the air with the app, and say how they differ from it"),
  ]

  private static let bab: [(pattern: String, what: String)] = [
    (#"(?<![A-Za-z0-9_])Bab(?!bench)[A-Z]\w*"#, "a type of Bab's"),
    (#"(?<![A-Za-z0-9_])Bab(?![A-Za-z0-9_])"#, "Bab by name"),
    (#"BAB[ /](?:\d+\.|HOST|CLIENT)"#, "a clause or a test purpose of Bab"),
    (#""bab""#, "Bab's name in options"),
    (#"(?i:BAB1[0-9A-F]{4}-1A46|12345678-1234-1234-1234-123456789AB)"#, "a UUID of Bab"),
    (#"(?i:0xBAB[1-4]|"BAB[1-4]")"#, "a UUID of Bab"),
    (
      #"(?<![A-Za-z0-9_])(?:HANDSHAKE|HEARTBEAT|GENERATE_REQUEST|DIALOG_LINE_ADDED|VOTE_REQUEST|VOTE_CAST|"#
        + #"FULL_STATE_SNAPSHOT|NAVIGATION_SYNC|LINE_COMPLETED|LINE_SKIPPED|ROLE_ASSIGNED|PLAYER_READY|GAME_STARTED|"#
        + #"TURN_ADVANCED|LEADERBOARD_UPDATE|LOBBY_UPDATE|CLIENT_JOIN|START_GAME)(?![A-Za-z0-9_])"#,
      "a packet of Bab"
    ),
  ]

  private static let beamScribe: [(pattern: String, what: String)] = [
    (#"(?<![A-Za-z0-9_])Beam[A-Z]\w*"#, "a type of BeamScribe's"),
    (#"BEAM[ /](?:\d+\.|HOST|GUEST)"#, "a clause or a test purpose of BeamScribe"),
    (#""beamscribe""#, "BeamScribe's name in options"),
    (#"_beamscribe"#, "a service type of BeamScribe"),
    (#"(?i:BEA35C81-1A5E)"#, "a UUID of BeamScribe"),
    (
      #"(?<![A-Za-z0-9_])(?:fullHistory|liveChunk|hostDisconnected|sessionResumed)(?![A-Za-z0-9_])"#,
      "a packet of BeamScribe"
    ),
  ]

  private static let expressions = apps.map { app in
    (
      folders: app.folders,
      banned: app.banned.map { ban -> (what: String, expression: NSRegularExpression) in
        do {
          return (ban.what, try NSRegularExpression(pattern: ban.pattern))
        } catch {
          preconditionFailure("\(ban.pattern): \(error)")
        }
      }
    )
  }

  static func findings(in file: SourceFile) -> [Finding] {
    guard file.path.hasPrefix("Sources/") else { return [] }
    if exempt.contains(where: { file.isInside($0.folder) }) { return [] }
    let foreign = expressions.filter { app in !app.folders.contains { file.path.hasPrefix($0) } }.flatMap(\.banned)
    let text = file.lines.joined(separator: "\n")
    let units = Array(text.utf16)
    let whole = NSRange(location: 0, length: units.count)
    var findings: [Finding] = []
    for (what, expression) in foreign {
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
