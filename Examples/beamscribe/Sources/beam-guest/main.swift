import BeamApp
import Foundation
import VirtualProgram

VirtualProgram.run(implementation: "beam-guest 1") { setup in
  // The bench's packets begin to count at another instant than the phone's clock (BEAM 8.11).
  GuestSession(wallClock: { Int((Date().timeIntervalSince1970 - 67_225_600) * 1_000 + 0.000_5) }) {
    VirtualProgram.report($0, $1)
  }
} user: { session, action in
  switch action.name {
  case "join": session.join(nil)
  case "joinEvent": session.join(action.text("name_").flatMap { $0.isEmpty ? nil : $0 })
  case "leave": session.leave()
  case "stopReading": session.setReading(false)
  case "readAgain": session.setReading(true)
  default: break
  }
} scene: { session, isInFront in
  if isInFront { session.cameToFront() }
}
