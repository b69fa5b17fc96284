import BabSim
import Conformance
import LobbyClient

// The engine as a program of its own: babbench conform --iut lobby-client.yaml
try IUTServer.serve(IUTGreeting(implementation: "lobby-client 1", ics: ICS([.roles, .screen, .refusals]))) { hello in
  LobbyClient(
    peerID: hello.configuration.peerID, displayName: hello.configuration.displayName,
    heartbeat: hello.configuration.heartbeatInterval)
}
