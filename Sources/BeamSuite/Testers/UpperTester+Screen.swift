import AppSeam
import BeamScribe
import Conformance
import SimKernel

/// The screen of a BeamScribe app, as its reports tell it. An implementation that does not claim `screen` may report
/// nothing, so a purpose that reads them names the item in `needs`.
extension UpperTester {
  /// A report with its place in the trace.
  typealias Shown = (record: Int, instant: SimInstant, report: BeamReport)

  /// The user does something.
  func user(_ action: BeamAction) { user(AppAction(action)) }

  /// What it has reported since the newest launch, in trace order.
  var shown: [Shown] {
    reports.compactMap { entry in entry.report.beam.map { (entry.record, entry.instant, $0) } }
  }

  /// - Parameter word: by which it is known that the implementation never says it.
  private func all<Value>(_ word: String, _ pick: (BeamReport) -> Value?) -> [Value] {
    seeks(word)
    return reports.compactMap { entry in entry.report.beam.flatMap(pick) }
  }

  /// States in the order in which they were shown.
  var states: [String] { all("state") { if case .state(let state) = $0 { state } else { nil } } }
  var state: String? { states.last }
  func shows(_ state: BeamState) -> Bool { self.state == state.rawValue }
  /// When a state was shown for the last time.
  func instant(of state: BeamState) -> SimInstant? {
    seeks("state")
    return shown.last { $0.report == .state(state.rawValue) }?.instant
  }

  /// Every final that it has shown, in order, also those that it has dropped since.
  var finalsShown: [BeamPacket.Chunk] {
    all("finalShown") {
      if case .finalShown(let sequence, let text) = $0 { BeamPacket.Chunk(sequence: sequence, text: text) } else { nil }
    }
  }

  /// What it shows now: the finals since it dropped all of them for the last time.
  var transcript: [BeamPacket.Chunk] {
    seeks("finalShown")
    var finals: [BeamPacket.Chunk] = []
    for entry in reports {
      switch entry.report.beam {
      case .finalShown(let sequence, let text): finals.append(BeamPacket.Chunk(sequence: sequence, text: text))
      case .transcriptCleared: finals = []
      default: break
      }
    }
    return finals
  }

  var texts: [String] { transcript.map(\.text) }
  var partialsShown: [BeamPacket.Chunk] {
    all("partialShown") {
      if case .partialShown(let sequence, let text) = $0 {
        BeamPacket.Chunk(sequence: sequence, text: text)
      } else {
        nil
      }
    }
  }

  /// Alerts, those that it noticed itself in brackets.
  var alertsShown: [String] {
    all("alertShown") { if case .alertShown(let alert, let own) = $0 { own ? "(\(alert))" : alert } else { nil } }
  }
  var refusals: [String] { all("refused") { if case .refused(_, let reason) = $0 { reason } else { nil } } }
  var latencies: [(sequence: Int, milliseconds: Int)] {
    all("latency") { if case .latency(let sequence, let milliseconds) = $0 { (sequence, milliseconds) } else { nil } }
  }
  var isCleared: Bool { shown.contains { $0.report == .transcriptCleared } }
  /// Counts of unstable streams, as reported for a guest.
  func unstable(_ peer: String) -> [Int] {
    all("unstable") { if case .unstable(peer, let count) = $0 { count } else { nil } }
  }
  var eventName: String? { all("eventNamed") { if case .eventNamed(let name) = $0 { name } else { nil } }.last }

  /// `it shows LOOKING, 3 finals`.
  var words: String { "it shows \(state ?? "nothing"), \(CountedNoun.text(transcript.count, "final"))" }
}

/// What the implementation asks its network for, and is told.
extension UpperTester {
  typealias Asked = (record: Int, instant: SimInstant, effect: NetworkEffect)
  typealias Told = (record: Int, instant: SimInstant, input: NetworkInput)

  var asks: [Asked] {
    effects.compactMap { entry in
      if case .network(let effect) = entry.effect { (entry.record, entry.instant, effect) } else { nil }
    }
  }

  var tellings: [Told] {
    inputs.compactMap { entry in
      if case .network(let input) = entry.input { (entry.record, entry.instant, input) } else { nil }
    }
  }

  /// Attempts to connect, the oldest first.
  var attempts: [(instant: SimInstant, id: ConnectionID, request: ConnectRequest)] {
    asks.compactMap { if case .connect(let id, let request) = $0.effect { ($0.instant, id, request) } else { nil } }
  }

  /// Requests for a listener.
  var listens: [(instant: SimInstant, request: ListenRequest)] {
    asks.compactMap { if case .listen(let request) = $0.effect { ($0.instant, request) } else { nil } }
  }

  /// Whether it has asked for a listener and not ended it, whatever the network says.
  var isListening: Bool {
    for entry in asks.reversed() {
      if case .listen = entry.effect { return true }
      if case .stopListening = entry.effect { return false }
    }
    return false
  }

  var isBrowsing: Bool {
    for entry in asks.reversed() {
      if case .browse = entry.effect { return true }
      if case .stopBrowsing = entry.effect { return false }
    }
    return false
  }

  /// When it primed Wi-Fi from peer to peer, and for how long.
  var primings: [(instant: SimInstant, time: SimDuration)] {
    asks.compactMap { if case .prime(let time) = $0.effect { ($0.instant, time) } else { nil } }
  }

  /// Streams that came in from a peer, the oldest first.
  func incoming(_ peer: String) -> [(instant: SimInstant, id: ConnectionID)] {
    tellings.compactMap { if case .incoming(let id, _, peer) = $0.input { ($0.instant, id) } else { nil } }
  }

  /// When its own stream became ready.
  func ready(_ id: ConnectionID) -> SimInstant? {
    tellings.first { if case .ready(id, _) = $0.input { true } else { false } }?.instant
  }

  /// Octets that it has handed over for a stream.
  func sends(_ id: ConnectionID) -> [(record: Int, instant: SimInstant, octets: Int)] {
    asks.compactMap {
      if case .send(id, let octets) = $0.effect { ($0.record, $0.instant, octets.count) } else { nil }
    }
  }

  func finished(_ id: ConnectionID) -> SimInstant? { asks.first { $0.effect == .finish(id) }?.instant }
  func cancelled(_ id: ConnectionID) -> SimInstant? { asks.first { $0.effect == .cancel(id) }?.instant }

  /// When it was told that one of its streams, or attempts, is over.
  func over(_ id: ConnectionID) -> SimInstant? {
    tellings.first { entry in
      switch entry.input {
      case .failed(id, _), .ended(id): true
      default: false
      }
    }?.instant
  }

  /// When an attempt or a stream of its own was over for it, by the network or by itself.
  func end(_ id: ConnectionID) -> SimInstant? {
    [over(id), cancelled(id)].compactMap(\.self).min()
  }

  /// When it was told something of a stream for the first time.
  func told(_ condition: (NetworkInput) -> Bool) -> SimInstant? { tellings.first { condition($0.input) }?.instant }
  func lastTold(ofNetwork condition: (NetworkInput) -> Bool) -> SimInstant? {
    tellings.last { condition($0.input) }?.instant
  }

  /// When it asked for something that is not of the network, the first time.
  func firstAsked(_ condition: (AppEffect) -> Bool) -> SimInstant? { effects.first { condition($0.effect) }?.instant }
  func lastAsked(_ condition: (AppEffect) -> Bool) -> SimInstant? { effects.last { condition($0.effect) }?.instant }

  /// When its person last did something.
  var userInstant: SimInstant? {
    inputs.last { if case .user = $0.input { true } else { false } }?.instant
  }
}

extension AppEffect {
  var isAdvertise: Bool { if case .advertise = self { true } else { false } }
  var isScan: Bool { if case .scan = self { true } else { false } }
  /// Something of BLE, whatever it is.
  var isOfBluetooth: Bool {
    switch self {
    case .setTimer, .cancelTimer, .network, .keep, .keepMore, .report: false
    default: true
    }
  }
}
