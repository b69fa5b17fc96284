import AppSeam
import BeamScribe
import Bench
import Conformance
import SimKernel

/// A device of a run of BeamScribe, as the trace shows it.
final class BeamDevice: DeviceState {
  let dialect: DialectName
  /// What is written on streams by its dialect.
  var format: Frame.Format { dialect == .beamMPC ? .kindAndLength : .length }

  // MARK: Network

  var streams: [BeamStream] = []
  /// Attempts to connect that are neither ready nor over, with the instant of the effect.
  var attempts: [(id: ConnectionID, at: SimInstant, request: ConnectRequest)] = []
  var endpoints: [EndpointID: (name: String, interfaces: [NetworkInterface])] = [:]
  var isListening = false
  var isBrowsing = false
  var primedUntil = SimInstant.zero
  var isWiFiOff = false
  /// The bench has done something to its network that never was undone, or lasts.
  var isPartitioned = false
  /// The newest instant at which the bench did something to its network or app.
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

  /// Host: the finals of its sessions, the newest last.
  var sessions: [[String]] = []
  /// Guest: how many finals it shows.
  var shown = 0
  var alertsRaised: [String] = []

  var isHost: Bool { role == .beamHost }

  override init(index: Int, device: TraceHeader.Device) {
    dialect = DialectName(rawValue: device.dialect)
    super.init(index: index, device: device)
  }

  override func forget() {
    for stream in streams where stream.isUp { stream.end(at: .zero) }
    streams = []
    attempts = []
    endpoints = [:]
    isListening = false
    isBrowsing = false
    isAdvertising = false
    isScanning = false
    isWanted = false
    wantedName = nil
    lonelySince = nil
    shown = 0
  }

  func stream(_ id: ConnectionID) -> BeamStream? { streams.last { $0.id == id } }

  var streamsUp: [BeamStream] { streams.filter(\.isUp) }
  var hasStream: Bool { streams.contains(where: \.isUp) }

  /// Whether nothing that the bench did keeps it from speaking over its network.
  var isOnNetwork: Bool { !isVanished && !isKilled && !isInBackground && !isWiFiOff && !isPartitioned && !isForeign }
}
