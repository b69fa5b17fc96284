import LobbyRules
import VirtualProgram

// On a phone an app delegate does this; here the bench is its person.
VirtualProgram.run(implementation: "guide-host 1") { setup in
  let manager = BluetoothManager.shared
  let scenarios = (try? setup.decode(Hello.self))?.scenarios ?? []
  manager.hasHeaders = CommandLine.arguments.contains("--headers")
  manager.lobby = Lobby(id: setup.peerID, name: setup.displayName, scenarios: scenarios, carrier: manager)
  VirtualProgram.report("identity", ["role": setup.role, "peerID": setup.peerID, "displayName": setup.displayName])
  return manager
} user: { manager, action in
  if action.name == "startHosting" { manager.startHosting() }
  manager.lobby.perform(action.name, action.text)
}
