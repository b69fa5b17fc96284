import BabOracles
import BabSim
import Conformance
import SimKernel

/// One game in a pipe world in which every oracle has something to judge.
enum LobbyGame {
  /// One host and eight clients, one more than a lobby holds; the named engine in place of one of them.
  static func judge(
    _ engine: String = AppProtocol.reference, role: AppRole = .host, dialect: Dialect = .guide,
    types: [any BabOracle.Type] = OracleRegistry.all, readers: [any TraceReader] = []
  ) throws -> Judgement {
    var peers = [PipeWorld.Peer(name: "host", role: .host)]
    for index in 1...dialect.capacity { peers.append(PipeWorld.Peer(name: "client-\(index)", role: .client)) }
    // The third peer is the one that vanishes and comes back.
    peers[role == .host ? 0 : 2].engine = engine
    let reader = OracleReader(types: types)
    let world = try PipeWorld(peers, dialect: dialect, readers: [reader] + readers) { $0.totalLines = 0 }
    play(world, clients: dialect.capacity)
    world.run(until: 130_000)
    guard let judgement = reader.judgement else { throw NoJudgement() }
    return judgement
  }

  struct NoJudgement: Error {}

  private static func play(_ world: PipeWorld, clients: Int) {
    world.user(.startHosting, 0, at: 100)
    for client in 1...clients { world.user(.joinHost, client, at: 500 + Int64(client)) }
    world.user(.setLobbyScenario("coffee-shop"), 0, at: 6_000)
    world.user(.setLobbyDifficulty("hard"), 0, at: 7_000)
    world.user(.startLobbyGame, 0, at: 20_000)
    let accuracies = [1_000, 1_000, 850, 950, 400, 1_000, 900]
    // Everybody taps "complete" all the time; only the player whose turn it is may have an effect.
    for round in 0..<100 {
      let accuracy = accuracies[round % accuracies.count]
      let action = UserAction.completeLine(
        accuracyPermille: accuracy, errorCount: accuracy == 1_000 ? 0 : 1, durationMilliseconds: 1_500)
      for peer in 0...clients { world.user(action, peer, at: 21_000 + Int64(round) * 500 + Int64(peer)) }
    }
    world.user(.skipLine, 1, at: 30_100)
    world.vanish(2, at: 35_000, for: 8_000)
    world.kill(1, at: 60_000)
    world.vanish(0, at: 82_000)
  }
}
