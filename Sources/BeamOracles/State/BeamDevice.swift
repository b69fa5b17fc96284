import AppSeam
import BeamScribe
import Bench
import Conformance
import SimKernel

/// A device of a run of BeamScribe, as the trace shows it.
final class BeamDevice: DeviceState {
  let dialect: DialectName
  let isHost: Bool
  /// What is written on streams by its dialect.
  var format: Frame.Format { dialect == .beamMPC ? .kindAndLength : .length }

  // MARK: Network

  /// Those of the present run of its app; of those that are over, the newest.
  private(set) var streams: [BeamStream] = []
  /// Attempts to connect that are neither ready nor over, with the instant of the effect.
  var attempts: [(id: ConnectionID, at: SimInstant, request: ConnectRequest)] = []
  var endpoints: [(id: EndpointID, name: String, interfaces: [NetworkInterface])] = []
  /// Names that its browser has ever found, with the newest instant.
  private var namesFound: [(name: String, at: SimInstant)] = []
  /// The name to which its newest attempt to connect went.
  var joinedName: String?
  /// The name of the event whose end it has shown, if it has shown no history since.
  var knowsEndOf: String?
  var primedUntil = SimInstant.zero
  var isWiFiOff = false
  /// What the bench did to its network and has not taken back; loss and delay last.
  var isPartitioned = false
  var hasLeftNetwork = false
  var isImpaired = false
  var isHindered: Bool { isPartitioned || hasLeftNetwork || isImpaired }
  /// It has been moved: whom it reaches is not known.
  var hasMoved = false
  /// The newest instant at which the bench did something to it.
  var disturbedAt: SimInstant?

  // MARK: Bluetooth

  var isAdvertising = false
  var isScanning = false

  // MARK: What its person does

  /// A guest's person wants to see an event; a host's has one going on.
  var isWanted = false
  var wantedName: String?
  var eventName = ""
  /// Since when that is so, and no stream has been up.
  var lonelySince: SimInstant?

  // MARK: What it shows

  var state = ""
  /// Host: the finals of its sessions, the newest last.
  var sessions: [[String]] = []
  /// Guest: how many finals it shows.
  var shown = 0
  var alertsRaised: [String] = []

  override init(index: Int, device: TraceHeader.Device) {
    dialect = DialectName(rawValue: device.dialect)
    isHost = device.role == .beamHost
    super.init(index: index, device: device)
  }

  deinit { for stream in streams { stream.leave() } }

  override func forget() {
    for stream in streams { stream.leave() }
    streams = []
    attempts = []
    endpoints = []
    isAdvertising = false
    isScanning = false
    isWanted = false
    wantedName = nil
    lonelySince = nil
    knowsEndOf = nil
    shown = 0
    state = ""
  }

  /// Streams that are over are forgotten beyond this many.
  private static let streamLimit = 32

  func append(_ stream: BeamStream) {
    if streams.count >= Self.streamLimit {
      for stream in streams where !stream.isUp { stream.leave() }
      streams.removeAll { !$0.isUp }
    }
    streams.append(stream)
  }

  func stream(_ id: ConnectionID) -> BeamStream? { streams.last { $0.id == id } }

  func find(_ name: String, at instant: SimInstant) {
    if let place = namesFound.firstIndex(where: { $0.name == name }) {
      namesFound[place].at = instant
    } else {
      namesFound.append((name, instant))
    }
  }

  /// Whether its browser has told it of a name, so that it can look for it.
  ///
  /// After the end of an event it waits for one of the same name, and that counts only when it was told again: a name
  /// that is registered again before its goodbye has come through is no new result (BEAM 5.8.4).
  func knows(_ name: String) -> Bool {
    guard let found = namesFound.first(where: { $0.name == name }) else { return false }
    if state != BeamState.ended.rawValue { return true }
    return joinedName == name && lonelySince.map { found.at >= $0 } ?? true
  }

  var streamsUp: [BeamStream] { streams.filter(\.isUp) }
  var hasStream: Bool { streams.contains(where: \.isUp) }

  /// Devices that have a stream with this one which it has not ended; those that are none of the run count one by one.
  var guestCount: Int {
    var peers: [Int] = []
    var strangers = 0
    for stream in streams where stream.isUp && !stream.wasEndedByOwner {
      guard let peer = stream.peer else {
        strangers += 1
        continue
      }
      if !peers.contains(peer.index) { peers.append(peer.index) }
    }
    return peers.count + strangers
  }

  /// Whether it has spoken a final of this number and text in some session.
  func hasSpoken(_ text: String, as number: Int) -> Bool {
    for place in sessions.indices
    where number <= sessions[place].count && sessions[place][number - 1].isSame(as: text) {
      return true
    }
    return false
  }

  // MARK: What captures tell later

  /// A host has spoken so many finals, the texts of the newest of which are not known.
  func know(finals count: Int) {
    if sessions.isEmpty { sessions.append([]) }
    let missing = max(0, count - sessions[sessions.count - 1].count)
    sessions[sessions.count - 1] += Array(repeating: "", count: missing)
  }

  /// The text of a final that it has spoken before.
  func know(_ text: String, of number: Int) {
    guard let newest = sessions.last, newest.indices.contains(number - 1) else { return }
    sessions[sessions.count - 1][number - 1] = text
  }

  /// Whether nothing that the bench did keeps it from speaking over its network.
  var isOnNetwork: Bool { !isVanished && !isKilled && !isInBackground && !isWiFiOff && !isHindered && !isForeign }

  /// Whether nothing that the bench did to it is still to be felt.
  func isUndisturbed(at instant: SimInstant) -> Bool {
    isOnNetwork && disturbedAt.map { instant - $0 >= Bounds.settles } ?? true
  }
}
