public import AppSeam

/// Every report by name, with its fields: the only place that names them.
extension BabReport: AppStatement {
  public static let words: [BabReport] = [
    .packetReceived(LinkID(0), type: "", senderID: "", json: ""),
    .packetSent(LinkID(0), type: "", sequence: 0, fragments: 0), .vectorClock([]),
    .identity(role: .host, peerID: "", displayName: ""), .phase(""), .linkState(""),
    .lobby(LobbyView(scenarioID: "", difficulty: "", players: [])), .roster([]), .role(player: "", role: ""),
    .ready(player: "", false), .turn(player: nil), .screen(ScreenLine(lineID: "", text: nil)),
    .committed(index: 0, lineID: "", text: ""), .historyReplaced([]),
    .lineGenerated(lineID: "", player: "", text: ""),
    .lineAccepted(lineID: "", player: "", skipped: false, accuracyPermille: 0), .score(player: "", xp: 0),
    .leaderboard([]), .vote(action: "", voter: "", yes: false), .voteResult(action: "", passed: false),
    .achievement(player: "", id: ""),
    .summary(SummaryView(lines: 0, accuracyPermille: 0, durationMilliseconds: 0, rankings: [], achievements: [])),
    .refused(LinkID(0), reason: ""), .violation(LinkID(0), rule: "", detail: ""), .resumed, .sessionEnded(""),
  ]

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .packetReceived, .packetSent, .vectorClock, .refused, .violation: try visitWire(&visitor)
    case .turn, .screen, .committed, .historyReplaced, .lineGenerated, .lineAccepted: try visitGame(&visitor)
    case .score, .leaderboard, .vote, .voteResult, .achievement, .summary: try visitScores(&visitor)
    default: try visitSession(&visitor)
    }
  }

  private mutating func visitSession<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .identity(var role, var peerID, var displayName):
      try visitor.word("identity")
      try visitor.field("role", &role)
      try visitor.field("peerID", &peerID)
      try visitor.field("displayName", &displayName)
      self = .identity(role: role, peerID: peerID, displayName: displayName)
    case .phase(var phase):
      try visitor.word("phase")
      try visitor.field("phase", &phase)
      self = .phase(phase)
    case .linkState(var linkState):
      try visitor.word("linkState")
      try visitor.field("linkState", &linkState)
      self = .linkState(linkState)
    case .lobby(var lobby):
      try visitor.word("lobby")
      try visitor.field("scenarioID", &lobby.scenarioID)
      try visitor.field("difficulty", &lobby.difficulty)
      try visitor.field("players", &lobby.players)
      self = .lobby(lobby)
    case .roster(var players):
      try visitor.word("roster")
      try visitor.field("players", &players)
      self = .roster(players)
    case .role(var player, var role):
      try visitor.word("role")
      try visitor.field("player", &player)
      try visitor.field("role", &role)
      self = .role(player: player, role: role)
    case .ready(var player, var isReady):
      try visitor.word("ready")
      try visitor.field("player", &player)
      try visitor.field("ready", &isReady)
      self = .ready(player: player, isReady)
    case .resumed: try visitor.word("resumed")
    case .sessionEnded(var reason):
      try visitor.word("sessionEnded")
      try visitor.field("reason", &reason)
      self = .sessionEnded(reason)
    default: break
    }
  }

  private mutating func visitWire<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .vectorClock(var entries):
      try visitor.word("vectorClock")
      try visitor.records("entries", &entries)
      self = .vectorClock(entries)
    case .packetSent(var link, var type, var sequence, var fragments):
      try visitor.word("packetSent")
      try visitor.field("link", &link)
      try visitor.field("type", &type)
      try visitor.field("packet", &sequence)
      try visitor.field("fragments", &fragments)
      self = .packetSent(link, type: type, sequence: sequence, fragments: fragments)
    case .packetReceived(var link, var type, var senderID, var json):
      try visitor.word("packetReceived")
      try visitor.field("link", &link)
      try visitor.field("type", &type)
      try visitor.field("senderID", &senderID)
      try visitor.field("json", &json)
      self = .packetReceived(link, type: type, senderID: senderID, json: json)
    case .refused(var link, var reason):
      try visitor.word("refused")
      try visitor.field("link", &link)
      try visitor.field("reason", &reason)
      self = .refused(link, reason: reason)
    case .violation(var link, var rule, var detail):
      try visitor.word("violation")
      try visitor.field("link", &link)
      try visitor.field("rule", &rule)
      try visitor.field("detail", &detail)
      self = .violation(link, rule: rule, detail: detail)
    default: break
    }
  }

  private mutating func visitGame<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .turn(var player):
      try visitor.word("turn")
      try visitor.field("player", &player)
      self = .turn(player: player)
    case .screen(var line):
      try visitor.word("screen")
      try visitor.field("lineID", &line.lineID)
      try visitor.field("text", &line.text)
      self = .screen(line)
    case .committed(var index, var lineID, var text):
      try visitor.word("committed")
      try visitor.field("index", &index)
      try visitor.field("lineID", &lineID)
      try visitor.field("text", &text)
      self = .committed(index: index, lineID: lineID, text: text)
    case .historyReplaced(var lineIDs):
      try visitor.word("historyReplaced")
      try visitor.field("lineIDs", &lineIDs)
      self = .historyReplaced(lineIDs)
    case .lineGenerated(var lineID, var player, var text):
      try visitor.word("lineGenerated")
      try visitor.field("lineID", &lineID)
      try visitor.field("player", &player)
      try visitor.field("text", &text)
      self = .lineGenerated(lineID: lineID, player: player, text: text)
    case .lineAccepted(var lineID, var player, var skipped, var accuracy):
      try visitor.word("lineAccepted")
      try visitor.field("lineID", &lineID)
      try visitor.field("player", &player)
      try visitor.field("skipped", &skipped)
      try visitor.field("accuracyPermille", &accuracy)
      self = .lineAccepted(lineID: lineID, player: player, skipped: skipped, accuracyPermille: accuracy)
    default: break
    }
  }

  private mutating func visitScores<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .score(var player, var xp):
      try visitor.word("score")
      try visitor.field("player", &player)
      try visitor.field("xp", &xp)
      self = .score(player: player, xp: xp)
    case .leaderboard(var rows):
      try visitor.word("leaderboard")
      try visitor.records("rows", &rows)
      self = .leaderboard(rows)
    case .vote(var action, var voter, var isYes):
      try visitor.word("vote")
      try visitor.field("action", &action)
      try visitor.field("voter", &voter)
      try visitor.field("yes", &isYes)
      self = .vote(action: action, voter: voter, yes: isYes)
    case .voteResult(var action, var hasPassed):
      try visitor.word("voteResult")
      try visitor.field("action", &action)
      try visitor.field("passed", &hasPassed)
      self = .voteResult(action: action, passed: hasPassed)
    case .achievement(var player, var id):
      try visitor.word("achievement")
      try visitor.field("player", &player)
      try visitor.field("id", &id)
      self = .achievement(player: player, id: id)
    case .summary(var summary):
      try visitor.word("summary")
      try visitor.field("lines", &summary.lines)
      try visitor.field("accuracyPermille", &summary.accuracyPermille)
      try visitor.field("durationMilliseconds", &summary.durationMilliseconds)
      try visitor.records("rows", &summary.rankings)
      try visitor.field("achievements", &summary.achievements)
      self = .summary(summary)
    default: break
    }
  }
}

extension ClockEntry: WordRecord {
  public static let empty = ClockEntry(peerID: "", count: 0)

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("peerID", &peerID)
    try visitor.field("count", &count)
  }
}

extension LeaderboardRow: WordRecord {
  public static let empty = LeaderboardRow(rank: 0, player: "", score: 0, highlight: nil)

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("rank", &rank)
    try visitor.field("player", &player)
    try visitor.field("score", &score)
    try visitor.field("highlight", &highlight)
  }
}
