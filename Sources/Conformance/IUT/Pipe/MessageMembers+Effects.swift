import AppSeam
import BabSim
import Bench
import BluetoothWire
import SimKernel

/// Reading effects and reports, in the notation of Docs/Formats/trace.md.
extension MessageMembers {
  private static let links: ClosedRange<Int64> = 0...Int64(Int32.max)

  func link() throws(MessageProblem) -> LinkID { LinkID(try int("link", Self.links)) }

  func characteristics() throws(MessageProblem) -> [ServiceDefinition.Characteristic] {
    try objects("characteristics") { (members) throws(MessageProblem) in
      ServiceDefinition.Characteristic(
        uuid: try members.uuid("uuid"), properties: .init(rawValue: try members.octet("properties")))
    }
  }

  /// - Parameter address: the address that a text stands for.
  func effect(address: (UInt64) -> BluetoothAddress) throws(MessageProblem) -> AppEffect {
    let name = try text("name")
    switch name {
    case "publish":
      return .publish(ServiceDefinition(uuid: try uuid("service"), characteristics: try characteristics()))
    case "advertise":
      return .advertise(
        AdvertisementRequest(localName: try text("localName"), serviceUUIDs: try uuids("services")))
    case "stopAdvertising": return .stopAdvertising
    case "scan": return .scan(services: try uuids("services"))
    case "stopScanning": return .stopScanning
    case "connect": return .connect(address(try addressBits("address")))
    case "cancelConnect": return .cancelConnect(address(try addressBits("address")))
    case "setTimer":
      return .setTimer(TimerID(try int("timer")), at: SimInstant(nanoseconds: try integer("at")))
    case "cancelTimer": return .cancelTimer(TimerID(try int("timer")))
    case "setValue": return .setValue(characteristic: try uuid("characteristic"), octets: try octets("octets"))
    default: break
    }
    if let effect = try linkEffect(name) { return effect }
    if let report = try report(name) { return .report(report) }
    let near = Suggestion.nearest(to: name, in: Self.effectNames).map { "; did you mean \"\($0)\"?" } ?? ""
    throw MessageProblem(place: "name", reason: "\"\(name)\" is no effect or report\(near)")
  }

  private func linkEffect(_ name: String) throws(MessageProblem) -> AppEffect? {
    switch name {
    case "disconnect": return .disconnect(try link())
    case "exchangeMTU": return .exchangeMTU(try link(), try int("attMTU", 0...65_535))
    case "discover": return .discover(try link(), service: try uuid("service"))
    case "subscribe":
      return .subscribe(try link(), characteristic: try uuid("characteristic"), try boolean("on"))
    case "read": return .read(try link(), characteristic: try uuid("characteristic"))
    case "write":
      return .write(try link(), characteristic: try uuid("characteristic"), octets: try octets("octets"))
    case "writeWithoutResponse":
      return .writeWithoutResponse(
        try link(), characteristic: try uuid("characteristic"), octets: try octets("octets"))
    case "notify":
      return .notify(try link(), characteristic: try uuid("characteristic"), octets: try octets("octets"))
    default: return nil
    }
  }

  private func report(_ name: String) throws(MessageProblem) -> AppReport? {
    switch name {
    case "identity":
      return .identity(
        role: try word("role", AppRole.allCases), peerID: try text("peerID"), displayName: try text("displayName"))
    case "phase": return .phase(try text("phase"))
    case "linkState": return .linkState(try text("linkState"))
    case "lobby":
      return .lobby(
        LobbyView(
          scenarioID: try text("scenarioID"), difficulty: try text("difficulty"), players: try texts("players")))
    case "roster": return .roster(try texts("players"))
    case "role": return .role(player: try text("player"), role: try text("role"))
    case "ready": return .ready(player: try text("player"), try boolean("ready"))
    case "resumed": return .resumed
    case "sessionEnded": return .sessionEnded(try text("reason"))
    default: break
    }
    if let report = try wireReport(name) { return report }
    if let report = try gameReport(name) { return report }
    return try scoreReport(name)
  }

  private func wireReport(_ name: String) throws(MessageProblem) -> AppReport? {
    switch name {
    case "vectorClock":
      return .vectorClock(
        try objects("entries") { (entry) throws(MessageProblem) in
          ClockEntry(peerID: try entry.text("peerID"), count: try entry.integer("count", Int64.min...Int64.max))
        })
    case "packetSent":
      return .packetSent(
        try link(), type: try text("type"), sequence: try int("packet"), fragments: try int("fragments"))
    case "packetReceived":
      return .packetReceived(
        try link(), type: try text("type"), senderID: try text("senderID"), json: try text("json"))
    case "refused": return .refused(try link(), reason: try text("reason"))
    case "violation": return .violation(try link(), rule: try text("rule"), detail: try text("detail"))
    default: return nil
    }
  }

  private func gameReport(_ name: String) throws(MessageProblem) -> AppReport? {
    switch name {
    case "turn": return .turn(player: try optionalText("player"))
    case "screen": return .screen(ScreenLine(lineID: try text("lineID"), text: try optionalText("text")))
    case "committed":
      return .committed(index: try int("index"), lineID: try text("lineID"), text: try text("text"))
    case "historyReplaced": return .historyReplaced(try texts("lineIDs"))
    case "lineGenerated":
      return .lineGenerated(lineID: try text("lineID"), player: try text("player"), text: try text("text"))
    case "lineAccepted":
      return .lineAccepted(
        lineID: try text("lineID"), player: try text("player"), skipped: try boolean("skipped"),
        accuracyPermille: try int("accuracyPermille"))
    default: return nil
    }
  }

  private func scoreReport(_ name: String) throws(MessageProblem) -> AppReport? {
    switch name {
    case "score": return .score(player: try text("player"), xp: try int("xp"))
    case "leaderboard": return .leaderboard(try rows())
    case "vote": return .vote(action: try text("action"), voter: try text("voter"), yes: try boolean("yes"))
    case "voteResult": return .voteResult(action: try text("action"), passed: try boolean("passed"))
    case "achievement": return .achievement(player: try text("player"), id: try text("id"))
    case "summary":
      return .summary(
        SummaryView(
          lines: try int("lines"), accuracyPermille: try int("accuracyPermille"),
          durationMilliseconds: try integer("durationMilliseconds"), rankings: try rows(),
          achievements: try texts("achievements")))
    default: return nil
    }
  }

  private func rows() throws(MessageProblem) -> [LeaderboardRow] {
    try objects("rows") { (row) throws(MessageProblem) in
      LeaderboardRow(
        rank: try row.int("rank"), player: try row.text("player"), score: try row.int("score"),
        highlight: try row.optionalText("highlight"))
    }
  }

  /// Every name that `effect` takes.
  static let effectNames = [
    "publish", "advertise", "stopAdvertising", "scan", "stopScanning", "connect", "cancelConnect", "setTimer",
    "cancelTimer", "setValue", "disconnect", "exchangeMTU", "discover", "subscribe", "read", "write",
    "writeWithoutResponse", "notify", "identity", "phase", "linkState", "lobby", "roster", "role", "ready", "resumed",
    "sessionEnded", "vectorClock", "packetSent", "packetReceived", "refused", "violation", "turn", "screen",
    "committed", "historyReplaced", "lineGenerated", "lineAccepted", "score", "leaderboard", "vote", "voteResult",
    "achievement", "summary",
  ]
}
