import AppSeam
import SimKernel

/// A transcript that goes on after its app was away (BEAM 5.7.3).
extension HostEngine {
  func resume(_ session: KeptSession) {
    finals = session.finals
    for final in finals { KeptSession.append(final: final, to: &keptFinals) }
    keptCount = configuration.kept.count
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

  /// Keeps the session as it is now.
  func keep() {
    guard configuration.settings.resumes, let event, !keepsNothing else { return }
    let session = KeptSession(name: event, isBatteryLow: isBatteryLow, guests: known, finals: [])
    let octets = session.encoded() + keptFinals
    keptCount = octets.count
    if isKeptWithinLimit() { effects.append(.keep(octets)) }
  }

  /// Keeps one more final: the session is as it was before, and this at its end.
  func keep(final: String) {
    guard configuration.settings.resumes, !keepsNothing else { return }
    var octets: [UInt8] = []
    KeptSession.append(final: final, to: &octets)
    keptFinals += octets
    keptCount += octets.count
    if isKeptWithinLimit() { effects.append(.keepMore(octets)) }
  }

  /// A session that is too long is not kept at all, because an older one would be another.
  private func isKeptWithinLimit() -> Bool {
    if keptCount <= configuration.keepOctets { return true }
    keepsNothing = true
    keptFinals = []
    effects.append(.keep([]))
    return false
  }

  func forgetKept() { if configuration.settings.resumes { effects.append(.keep([])) } }
}
