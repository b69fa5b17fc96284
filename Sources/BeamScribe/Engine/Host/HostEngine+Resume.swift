import AppSeam
import SimKernel

/// A transcript that goes on after its app was away (BEAM 5.7.3).
extension HostEngine {
  func resume(_ session: KeptSession) {
    finals = session.finals
    for final in finals { KeptSession.append(final: final, to: &keptFinals) }
    known = session.guests
    isBatteryLow = session.isBatteryLow
    host(session.name)
    resumeSession()
  }

  /// Every guest that was there is to be told, each once.
  func resumeSession() {
    guard !known.isEmpty else { return }
    owed = known
    report(.alertRaised(BeamAlert.sessionResumed.rawValue))
  }

  /// Keeps the session as it is now; one that is too long is not kept at all, because an older one would be another.
  func keep() {
    guard configuration.settings.resumes, let event, !keepsNothing else { return }
    let session = KeptSession(name: event, isBatteryLow: isBatteryLow, guests: known, finals: [])
    let octets = session.encoded() + keptFinals
    keepsNothing = octets.count > configuration.keepOctets
    if keepsNothing { keptFinals = [] }
    effects.append(.keep(keepsNothing ? [] : octets))
  }

  func forgetKept() { if configuration.settings.resumes { effects.append(.keep([])) } }
}
