import Foundation
import LobbyRules
import VirtualProgram

// With one mistake: sound-client raw-chunks.
let mistake = CommandLine.arguments.dropFirst().first.map { name -> Mistake in
  guard let mistake = Mistake(rawValue: name) else {
    fatalError("there is no mistake \(name); there are \(Mistake.allCases.map(\.rawValue).joined(separator: ", "))")
  }
  return mistake
}

VirtualProgram.run(implementation: "sound-client 1") { setup in
  let manager = mistake.map { MistakenClient($0) } ?? ClientManager()
  let heartbeat = (try? setup.decode(Hello.self))?.heartbeatMilliseconds ?? 0
  if heartbeat > 0 { manager.heartbeatInterval = .milliseconds(heartbeat) }
  manager.guest = LobbyGuest(id: setup.peerID, name: setup.displayName, carrier: manager) {
    VirtualProgram.report($0, $1)
  }
  manager.guest.launched()
  return manager
} user: { manager, action in
  switch action.name {
  case "joinHost": manager.join()
  case "leave": manager.leave()
  default: manager.guest.perform(action.name, action.text, action.flag)
  }
}
