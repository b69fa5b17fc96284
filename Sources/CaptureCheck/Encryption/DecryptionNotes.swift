import SimKernel

/// What a report says of encryption that was read, or could not be.
extension Checker {
  /// - Parameter links: of all captures, as the follower has them.
  static func notes(
    on decryptions: [LinkDecryption], _ ring: KeyRing, links: [TrafficLink],
    _ listed: [CheckReport.Link] = []
  ) -> [TrafficNote] {
    let sessions = decryptions.flatMap(\.sessions)
    var notes = sessions.compactMap { note($0, links) }
    if ring.given.isEmpty { return notes }
    for link in listed {
      guard let gap = link.gapKinds.first(where: { $0.kind == .encrypted }) else { continue }
      let address = links.first { $0.index == link.index }?.accessAddress
      if sessions.contains(where: { $0.place.file == link.file && $0.accessAddress == address }) { continue }
      notes.append(
        TrafficNote(
          place: gap.first,
          text: "link \(link.index): no key can be used, since the capture lacks LL_ENC_REQ or LL_ENC_RSP of it"))
    }
    if ring.identities.resolved > 0 {
      notes.append(
        TrafficNote(
          text: CountedNoun.text(ring.identities.resolved, "resolvable private address", "resolvable private addresses")
            + " resolved by an identity resolving key"))
    }
    if ring.trialsLeft == 0 {
      notes.append(
        TrafficNote(
          text: "the limit of \(KeyRing.trials) trials of packet counters is reached; what was left is not read"))
    }
    return notes
  }

  private static func note(_ session: EncryptedSession, _ links: [TrafficLink]) -> TrafficNote? {
    let link = links.last {
      $0.file == session.place.file && $0.accessAddress == session.accessAddress
        && $0.openedBy.number <= session.place.number
    }
    let name = link.map { "link \($0.index): " } ?? ""
    if let origin = session.origin {
      let read = CountedNoun.text(session.read, "PDU")
      let rest =
        session.unread == 0
        ? "all MICs right" : "\(session.unread) whose MIC fits no packet counter stay ciphertext"
      return TrafficNote(place: session.place, text: "\(name)encrypted with \(origin.words): \(read) read, \(rest)")
    }
    guard session.tried > 0, session.unread > 0 else { return nil }
    let keys = CountedNoun.text(session.tried, "key was", "keys were")
    return TrafficNote(
      place: session.place,
      text: "\(name)no key fits, \(keys) tried: the MIC of none of \(session.unread) encrypted PDUs is right")
  }
}
