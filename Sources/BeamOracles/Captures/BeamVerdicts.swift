import AppSeam
import BeamScribe
import CaptureCheck
import Conformance
import Judging
import SimKernel

/// Weighs what oracles say by what captures can show: where evidence is missing nothing is called wrong, and what no
/// capture shows is not judged.
struct BeamVerdicts {
  /// Why an oracle judges nothing in captures.
  static let unseen: [(why: String, oracles: [String])] = [
    (
      "what a device does over Bluetooth is not in a capture of a network",
      [BluetoothOffWhileUp.id, AdvertisingFits.id, BluetoothResumes.id, SightingsPrime.id]
    ),
    (
      "what apps show and count is not in a capture",
      [UnstableAreCounted.id, AlertsChangeNoText.id, VanishedHostsAreNoticed.id, NoCrashNoHang.id]
    ),
    (
      "what a browser has found, and what a person wants, is not in a capture",
      [InfrastructurePreferred.id, LostGuestsReturn.id]
    ),
    ("when a final was spoken is not in a capture", [SlowGuestsDelayNobody.id]),
  ]
  /// Oracles that read what guests show: in captures, what they are sent.
  static let shown = [FinalsExactlyOnce.id, PartialsAreReplaced.id, TranscriptConverges.id, AlertsReachAll.id]

  private let story: BeamStory
  private let isFull: Bool

  init(_ story: BeamStory, isFull: Bool) {
    self.story = story
    self.isFull = isFull
  }

  func weigh(_ result: OracleResult) -> OracleResult {
    var result = result
    if Self.unseen.contains(where: { $0.oracles.contains(result.id) }) {
      (result.judged, result.open, result.findings, result.suppressedFindings) = (0, 0, [], 0)
    }
    for index in result.findings.indices {
      let doubt = doubt(result.findings[index])
      point(&result.findings[index])
      if Self.shown.contains(result.id) { blameHost(&result.findings[index]) }
      if let doubt { result.findings[index].doubt(doubt) }
    }
    if result.id == BadFramesCloseTheirStream.id { result.open += undecidedBadFrames }
    result.settle()
    let isSeen = !Self.unseen.contains { $0.oracles.contains(result.id) }
    if result.verdict == .none, isSeen, isIncomplete { result.verdict = .inconclusive }
    result.openReason = reason(result)
    return result
  }

  private var undecidedBadFrames: Int {
    story.undecidedBadFrames
      + story.wires.reduce(0) { count, wire in
        let atGuest = wire.badAtGuest != nil && !wire.isGuestOver
        let atHost = wire.badAtHost != nil && !wire.isHostOver
        return count + (atGuest ? 1 : 0) + (atHost ? 1 : 0)
      }
  }

  /// Something of a stream is not in the captures.
  private var isIncomplete: Bool {
    isFull || story.wires.contains { $0.hasGap || !$0.connection.isFromStart && $0.isReady }
  }

  private func reason(_ result: OracleResult) -> String? {
    if result.id == BadFramesCloseTheirStream.id, undecidedBadFrames > 0 {
      return "a receiver that does not read what came cannot be told from one that goes on after it"
    }
    if isIncomplete { return "octets of streams are missing from the captures, or a stream began before them" }
    return result.open > 0 ? "the captures end before it is due" : nil
  }

  // MARK: Findings

  /// Why a finding is not certain; nil: it is.
  private func doubt(_ finding: Finding) -> String? {
    switch finding.oracle {
    case RetriesWait.id: "what its person asked for, and its browser found, no capture shows"
    case GuestsWithinCapacity.id:
      hasSeveralAddresses(finding.device) ? "which addresses belong to one guest is not known" : nil
    case FinalsExactlyOnce.id, PartialsAreReplaced.id:
      isIncomplete
        ? "octets are missing from the captures"
        : story.hosts.contains(where: \.isConfused) ? "which session it belongs to is not known" : nil
    case TranscriptConverges.id, AlertsReachAll.id, GatesOpen.id: doubtOfLate(finding)
    default: nil
    }
  }

  /// The same of what did not come, or not in time.
  private func doubtOfLate(_ finding: Finding) -> String? {
    let isUndecided = story.wires.indices.contains { place in
      let wire = story.wires[place]
      return (wire.hostDevice == finding.device || wire.guestDevice == finding.device)
        && story.hostStreams[place].isUndecided
    }
    if isUndecided { return "which session it belongs to is not known" }
    return doubt(finding) { place in
      let stream = story.hostStreams[place]
      switch finding.oracle {
      case TranscriptConverges.id: return stream.missesFinal
      case AlertsReachAll.id: return stream.missesAlert
      default: return stream.leavesFinalsOut || stream.hasOldHistory && story.connections[place].isSeenAtHost
      }
    }
  }

  /// Two addresses of a host, and a guest that only its address tells.
  private func hasSeveralAddresses(_ host: Int) -> Bool {
    let own = story.wires.filter { $0.hostDevice == host }
    return Set(own.map(\.connection.hostEnd.address)).count > 1
      && own.contains { !story.cast.isNamed[$0.guestDevice] }
  }

  /// What did not come in time is held against its host when something later came without it, or when the stream
  /// carried nothing for long though it could.
  private func doubt(_ finding: Finding, _ isProven: (Int) -> Bool) -> String? {
    let places = story.wires.indices.filter { place in
      let wire = story.wires[place]
      return (wire.hostDevice == finding.device || wire.guestDevice == finding.device)
        && wire.connection.begunAt <= finding.instant
    }
    let whole = places.filter { !story.wires[$0].hasGap && story.connections[$0].isFromStart }
    if whole.isEmpty { return "octets of the stream are missing from the captures" }
    if whole.contains(where: isProven) { return nil }
    // How much a history holds, a silence does not show.
    if finding.clause == "BEAM 5.4.7" { return "nothing shows that more was spoken when it was sent" }
    // A gate is that of the stream that began then.
    let own = finding.oracle == GatesOpen.id ? whole.filter { story.connections[$0].begunAt == finding.since } : whole
    return own.contains { carriedNothing($0, finding) } ? nil : "nothing shows that the stream could carry it"
  }

  /// Whether a guest was heard all the time, took what came, and was sent nothing by a host whose app ran.
  private func carriedNothing(_ place: Int, _ finding: Finding) -> Bool {
    let wire = story.wires[place]
    let since = finding.since ?? finding.instant
    let end = since + Bounds.carriesInCapture
    let begin = max(since - StreamHearing.silence, wire.connection.guestHeard.first ?? since)
    let due = finding.instant - Bounds.arrives
    return wire.connection.guestHeard.isSteady(from: begin, to: end)
      && !wire.sentAt.contains { $0 >= since && $0 <= end }
      && story.wires.contains { $0.hostDevice == wire.hostDevice && $0.sentAt.contains { $0 >= due && $0 <= end } }
  }

  /// A finding of something that was due names the packet that made it so.
  private func point(_ finding: inout Finding) {
    guard finding.record == nil else { return }
    let since = finding.since ?? finding.instant
    let landmark = story.landmarks.first { $0.instant == since }?.place
    let opened = story.wires.first {
      ($0.hostDevice == finding.device || $0.guestDevice == finding.device)
        && $0.connection.begunAt == since
    }?.connection.openedBy
    finding.record = (landmark ?? opened)?.record
  }

  /// What a guest was sent, its host sent.
  private func blameHost(_ finding: inout Finding) {
    let guest = finding.device
    let stream = story.wires.last { $0.guestDevice == guest && $0.connection.begunAt <= finding.instant }
    guard let stream else { return }
    finding.actual = "to \(story.cast.name(guest)): \(finding.actual)"
    finding.device = stream.hostDevice
  }
}
