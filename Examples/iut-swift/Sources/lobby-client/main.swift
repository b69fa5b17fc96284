import BabSim
import BabSuite
import Conformance
import LobbyClient

// The engine as a program of its own: babbench conform --iut lobby-client.yaml
let greeting = IUTGreeting(
  implementation: "lobby-client 1", ics: ICS([.roles, .screen, .refusals]),
  reports: ["refused", "violation"])
try IUTServer.serve(greeting, of: .bab) { hello in
  LobbyClient(
    peerID: hello.configuration.peerID, displayName: hello.configuration.displayName,
    heartbeat: BabConfiguration(hello.configuration).heartbeatInterval)
}
