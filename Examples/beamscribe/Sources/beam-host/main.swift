import BeamApp
import Foundation
import VirtualProgram

/// What the bench tells apps of BeamScribe.
struct Hello: Decodable {
  struct Settings: Decodable {
    var advertisesFreeSeats: Bool?
    var writesSentTimestamp: Bool?
    var resumes: Bool?
  }
  var beamscribe: Settings?
}

VirtualProgram.run(implementation: "beam-host 1") { setup in
  var settings = HostSession.Settings()
  if let told = (try? setup.decode(Hello.self))?.beamscribe {
    settings.advertisesFreeSeats = told.advertisesFreeSeats ?? false
    settings.writesTime = told.writesSentTimestamp ?? true
    settings.resumes = told.resumes ?? true
  }
  // The bench's packets begin to count at another instant than the phone's clock (BEAM 8.11).
  let clock = { Int((Date().timeIntervalSince1970 - 67_225_600) * 1_000 + 0.000_5) }
  return HostSession(
    displayName: setup.displayName, settings: settings, kept: setup.kept, wallClock: clock,
    screen: { VirtualProgram.report($0, $1) }, keep: { VirtualProgram.keep($0) })
} user: { session, action in
  switch action.name {
  case "startEvent": session.startEvent(action.text("name_") ?? "")
  case "endEvent": session.endEvent()
  case "speakPartial": session.speakPartial(action.text("text") ?? "")
  case "speakFinal": session.speakFinal(action.text("text") ?? "")
  case "batteryLow": session.setBatteryLow(true)
  case "batteryOK": session.setBatteryLow(false)
  default: break
  }
} scene: { session, isInFront in
  session.setInFront(isInFront)
}
