import AppSeam
import BabSim
import Bench
import Judging
import SimKernel

/// The members of `report` lines, and of the tables that results share with them.
extension JSONText {
  private mutating func name(_ word: StaticString) {
    key("name")
    value(word)
  }

  mutating func options(_ options: [TraceHeader.Option]) {
    key("options")
    beginArray()
    for option in options {
      beginObject()
      member("key", option.key)
      member("value", option.value)
      endObject()
    }
    endArray()
  }

  mutating func report(_ report: AppReport) {
    switch report {
    case .identity(let role, let peerID, let displayName):
      name("identity")
      member("role", role.rawValue)
      member("peerID", peerID)
      member("displayName", displayName)
    case .phase(let phase):
      name("phase")
      member("phase", phase)
    case .linkState(let linkState):
      name("linkState")
      member("linkState", linkState)
    case .lobby(let lobby):
      name("lobby")
      member("scenarioID", lobby.scenarioID)
      member("difficulty", lobby.difficulty)
      member("players", lobby.players)
    case .roster(let players):
      name("roster")
      member("players", players)
    case .role(let player, let role):
      name("role")
      member("player", player)
      member("role", role)
    case .ready(let player, let isReady):
      name("ready")
      member("player", player)
      member("ready", isReady)
    case .resumed: name("resumed")
    case .sessionEnded(let reason):
      name("sessionEnded")
      member("reason", reason)
    case .packetSent, .packetReceived, .refused, .violation, .vectorClock: wireReport(report)
    default: gameReport(report)
    }
  }

  private mutating func wireReport(_ report: AppReport) {
    switch report {
    case .vectorClock(let entries):
      name("vectorClock")
      key("entries")
      beginArray()
      for entry in entries {
        beginObject()
        member("peerID", entry.peerID)
        member("count", entry.count)
        endObject()
      }
      endArray()
    case .packetSent(let link, let type, let sequence, let fragments):
      name("packetSent")
      member("link", link.rawValue)
      member("type", type)
      member("packet", sequence)
      member("fragments", fragments)
    case .packetReceived(let link, let type, let senderID, let json):
      name("packetReceived")
      member("link", link.rawValue)
      member("type", type)
      member("senderID", senderID)
      member("json", json)
    case .refused(let link, let reason):
      name("refused")
      member("link", link.rawValue)
      member("reason", reason)
    case .violation(let link, let rule, let detail):
      name("violation")
      member("link", link.rawValue)
      member("rule", rule)
      member("detail", detail)
    default: break
    }
  }

  private mutating func gameReport(_ report: AppReport) {
    switch report {
    case .turn(let player):
      name("turn")
      member("player", player)
    case .screen(let line):
      name("screen")
      member("lineID", line.lineID)
      member("text", line.text)
    case .committed(let index, let lineID, let text):
      name("committed")
      member("index", index)
      member("lineID", lineID)
      member("text", text)
    case .historyReplaced(let lineIDs):
      name("historyReplaced")
      member("lineIDs", lineIDs)
    case .lineGenerated(let lineID, let player, let text):
      name("lineGenerated")
      member("lineID", lineID)
      member("player", player)
      member("text", text)
    case .lineAccepted(let lineID, let player, let skipped, let accuracy):
      name("lineAccepted")
      member("lineID", lineID)
      member("player", player)
      member("skipped", skipped)
      member("accuracyPermille", accuracy)
    default: scoreReport(report)
    }
  }

  private mutating func scoreReport(_ report: AppReport) {
    switch report {
    case .score(let player, let xp):
      name("score")
      member("player", player)
      member("xp", xp)
    case .leaderboard(let rows):
      name("leaderboard")
      leaderboard(rows)
    case .vote(let action, let voter, let isYes):
      name("vote")
      member("action", action)
      member("voter", voter)
      member("yes", isYes)
    case .voteResult(let action, let hasPassed):
      name("voteResult")
      member("action", action)
      member("passed", hasPassed)
    case .achievement(let player, let id):
      name("achievement")
      member("player", player)
      member("id", id)
    case .summary(let summary):
      name("summary")
      member("lines", summary.lines)
      member("accuracyPermille", summary.accuracyPermille)
      member("durationMilliseconds", summary.durationMilliseconds)
      leaderboard(summary.rankings)
      member("achievements", summary.achievements)
    default: break
    }
  }

  private mutating func leaderboard(_ rows: [LeaderboardRow]) {
    key("rows")
    beginArray()
    for row in rows {
      beginObject()
      member("rank", row.rank)
      member("player", row.player)
      member("score", row.score)
      member("highlight", row.highlight)
      endObject()
    }
    endArray()
  }
}
