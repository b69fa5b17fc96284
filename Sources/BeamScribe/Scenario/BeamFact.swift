import AppSeam
import Bench

/// What can be said of a device that has BeamScribe. Before a report of the kind concerned, a fact is false.
enum BeamFact: AppFactStatement {
  /// Its latest `.state` report.
  case state(BeamState)
  /// The finals that it shows are the host's, in order; true of the host.
  case transcriptEqualsHost
  /// It has dropped what it showed, since its app was last launched.
  case cleared
  /// One of the finals that it shows.
  case shows(String)
  /// The partial that it shows.
  case showsPartial(String)
  /// It has shown this alert, since its app was last launched.
  case alert(String)
  /// It has refused a stream for this reason, the whole run.
  case refused(String)
  /// A host: its event has this name.
  case named(String)
  /// It has streams, and all are on this interface.
  case on(NetworkInterface)
  case count(Counted, Condition.Comparison, Int)

  enum Counted: Hashable, Sendable {
    /// Finals that it shows now.
    case finals
    /// A host: guests with a stream up now, and with an open one.
    case guests, openGuests
    /// Streams that are ready now.
    case streams
    /// How often it has shown LOST, the whole run.
    case losses
    /// Alerts that it has shown, the whole run; own: those that nobody sent.
    case alerts, ownAlerts
    /// `.refused` reports, the whole run.
    case refusals
    /// A host: streams of guests that ended too early, the whole run.
    case unstable
    /// `.latency` reports, the whole run.
    case latencies
    /// `.packetReceived` reports of this type, the whole run.
    case packets(String)
  }

  func canBeAsked(of device: Int, _ cast: AppCast) -> Bool {
    let member = cast.members[device]
    if member.isForeign { return false }
    return !(comparesWithLeader && member.leader.map { cast.members[$0].isForeign } ?? false)
  }

  var comparesWithLeader: Bool { self == .transcriptEqualsHost }
}

extension BeamFact {
  /// What the words of a predicate say; nil when they are none of BeamScribe's.
  init?(_ words: [String]) {
    if words.count == 1, let state = BeamState(rawValue: words[0].uppercased()) {
      self = .state(state)
      return
    }
    switch (words.first, words.dropFirst().first, words.count) {
    case ("agrees", "on", 3), ("agree", "on", 3):
      guard words[2] == "transcript" else { return nil }
      self = .transcriptEqualsHost
    case ("cleared", "transcript", 2): self = .cleared
    case ("shows", let text?, 2), ("show", let text?, 2): self = .shows(text)
    case ("shows", "partial", 3), ("show", "partial", 3): self = .showsPartial(words[2])
    case ("alert", let alert?, 3):
      guard BeamVocabulary.alerts.contains(alert), words[2] == "shown" else { return nil }
      self = .alert(alert)
    case ("refused", let reason?, 2) where BeamVocabulary.reasons.contains(reason): self = .refused(reason)
    case ("event", "named", 3): self = .named(words[2])
    case ("on", let name?, 2):
      guard let interface = NetworkInterface(rawValue: name) else { return nil }
      self = .on(interface)
    default:
      guard let words = CountedWords(words), let counted = Counted(words.what) else { return nil }
      self = .count(counted, words.comparison, words.bound)
    }
  }
}

extension BeamFact.Counted {
  fileprivate init?(_ words: [String]) {
    switch words.joined(separator: " ") {
    case "final", "finals": self = .finals
    case "guest", "guests": self = .guests
    case "open guest", "open guests": self = .openGuests
    case "stream", "streams": self = .streams
    case "loss", "losses": self = .losses
    case "alert", "alerts": self = .alerts
    case "own alert", "own alerts": self = .ownAlerts
    case "refused stream", "refused streams": self = .refusals
    case "unstable stream", "unstable streams": self = .unstable
    case "claimed latency", "claimed latencies": self = .latencies
    default:
      guard words.count == 2, BeamVocabulary.packetTypes.contains(words[0]), ["packet", "packets"].contains(words[1])
      else { return nil }
      self = .packets(words[0])
    }
  }
}
