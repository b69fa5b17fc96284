import LobbyRules
import VirtualProgram

// With one mistake: sound-client raw-chunks.
let mistake: Mistake? = ChosenMistake.named(CommandLine.arguments.dropFirst().first)

VirtualProgram.run(implementation: "sound-client 1") { setup in
  let manager = mistake.map { MistakenClient($0) } ?? ClientManager()
  let heartbeat = (try? setup.decode(Hello.self))?.heartbeatMilliseconds ?? 0
  if heartbeat > 0 { manager.heartbeatInterval = .milliseconds(heartbeat) }
  manager.guest = LobbyGuest(id: setup.peerID, name: setup.displayName, carrier: manager) {
    VirtualProgram.report($0, $1)
  }
  manager.linkNumber = { VirtualProgram.link(with: $0) ?? 0 }
  manager.guest.launched()
  return manager
} user: { manager, action in
  switch action.name {
  case "joinHost": manager.join()
  case "leave": manager.leave()
  default: manager.guest.perform(action.name, action.text, action.flag)
  }
}
