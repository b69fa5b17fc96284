import AppSeam
import BeamScribe
import SimKernel

/// What a mutant remembers, and what it does by itself.
struct SeamNotes {
  let configuration: BeamConfiguration
  var now = SimInstant.zero
  /// Asked for by the mutant itself, after what the inner engine asked for.
  var added: [AppEffect] = []
  /// Told to the inner engine, after the input at hand.
  var fed: [AppInput] = []
  /// Words of its own, by whatever number it likes.
  var numbers: [Int: Int] = [:]
  var texts: [Int: String] = [:]
  var held: [AppInput] = []
  var heldEffects: [AppEffect] = []
  /// Streams of a host that are up, in the order in which they came, with their peers and instants.
  var streams: [(id: ConnectionID, peer: String, interface: NetworkInterface, since: SimInstant)] = []
  /// The history of these streams is out: they are open.
  var open: [ConnectionID] = []
  /// A guest's stream that is up, the newest last.
  var ready: [ConnectionID] = []
  var isInEvent = false
  /// A host: when the finals of its event were spoken.
  var finals: [SimInstant] = []
  /// A guest: finals that it shows.
  var shown: [String] = []
  var state = ""

  init(_ configuration: BeamConfiguration) { self.configuration = configuration }

  subscript(_ number: Int) -> Int {
    get { numbers[number] ?? 0 }
    set { numbers[number] = newValue }
  }

  mutating func report(_ report: BeamReport) { added.append(.report(report)) }
  mutating func ask(_ effect: NetworkEffect) { added.append(.network(effect)) }
  mutating func feed(_ input: NetworkInput) { fed.append(.network(input)) }

  /// A timer that the reference engines do not use.
  static let timer = TimerID(1_000_000_007)

  mutating func setTimer(after wait: SimDuration) { added.append(.setTimer(Self.timer, at: now + wait)) }

  /// Follows what every form may want to know.
  mutating func follow(_ input: AppInput) {
    switch input {
    case .launched:
      streams = []
      open = []
      ready = []
      shown = []
    case .user(let action):
      switch action.beam {
      case .startEvent:
        if !isInEvent { finals = [] }
        isInEvent = true
      case .endEvent: isInEvent = false
      default: break
      }
    case .network(.incoming(let id, let interface, let peer)): streams.append((id, peer, interface, now))
    case .network(.ready(let id, _)): ready.append(id)
    case .network(.failed(let id, _)), .network(.ended(let id)), .network(.cancelled(let id)):
      streams.removeAll { $0.id == id }
      open.removeAll { $0 == id }
      ready.removeAll { $0 == id }
    default: break
    }
  }

  mutating func follow(_ effect: AppEffect) {
    switch effect.beam {
    case .finalShown(_, let text):
      shown.append(text)
      finals.append(now)
    case .transcriptCleared: shown = []
    case .state(let name): state = name
    case .gateOpened(let id, _): open.append(id)
    default: break
    }
  }
}
