import LobbyRules
import VirtualProgram

// With one mistake: sound-host raw-chunks.
let mistake: Mistake? = ChosenMistake.named(CommandLine.arguments.dropFirst().first)

VirtualProgram.run(implementation: "sound-host 1") { setup in
  let scenarios = (try? setup.decode(Hello.self))?.scenarios ?? []
  let manager = mistake.map { MistakenHost($0) } ?? HostManager()
  manager.lobby = Lobby(id: setup.peerID, name: setup.displayName, scenarios: scenarios, carrier: manager)
  VirtualProgram.report("identity", ["role": setup.role, "peerID": setup.peerID, "displayName": setup.displayName])
  return manager
} user: { manager, action in
  if action.name == "startHosting" { manager.startHosting() }
  manager.lobby.perform(action.name, action.text)
}
