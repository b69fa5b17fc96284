package import Bench
package import Conformance
package import SimKernel

/// What the network and Bluetooth of devices were in over time: `path`, `AWDL`, `BLE`, and a state for each stream.
///
/// Devices that never have to do with a network have none of these.
package struct NetworkStates: Sendable {
  /// Something that changes a state, whether it was seen in a run or is read from its trace.
  enum Change: Sendable {
    case path([String])
    case peerToPeer(isAwake: Bool)
    case opens(Int)
    case accepts(Int, String, peer: String)
    case ready(Int, String)
    case waits(Int, String)
    case viable(Int, Bool)
    case finished(Int)
    case failed(Int, String)
    case closed(Int)
    case advertises(Bool)
    case scans(Bool)
    case bluetooth(isOn: Bool)
    /// The app is launched, or was killed.
    case begins
    /// Anything else of a network.
    case network
  }

  private struct Stream: Sendable {
    var track: String
    var interface = ""
    var isOver = false
  }

  private struct Device: Sendable {
    var hasNetwork = false
    var streams: [Int: Stream] = [:]
    var advertises = false
    var scans = false
    var bluetoothIsOn = true
    /// The first word of whether it was awake says what it was before.
    var awakeIsKnown = false
  }

  /// By lane.
  private var devices: [Int: Device] = [:]
  private var states = StateSpans()

  package init() {}

  package mutating func read(_ record: TraceRecord) {
    if let change = Change(record.event) { read(change, lane: record.device, at: record.instant) }
  }

  package mutating func read(_ line: RunLog.Line) {
    if let change = Change(line) { read(change, lane: line.device, at: line.instant) }
  }

  /// Those of devices that have a network.
  package func spans(end: SimInstant) -> [StateSpan] {
    let tracks = ["path", "AWDL", "BLE"]
    func rank(_ span: StateSpan) -> Int { tracks.firstIndex(of: span.track) ?? tracks.count }
    let spans = states.spans(end: end).filter { devices[$0.lane]?.hasNetwork == true && $0.from < end }
    return spans.enumerated().sorted { a, b in
      (rank(a.element), a.element.track, a.offset) < (rank(b.element), b.element.track, b.offset)
    }.map(\.element)
  }

  private mutating func read(_ change: Change, lane: Int, at instant: SimInstant) {
    if lane < 0 { return }
    var device = devices[lane] ?? Device()
    defer { devices[lane] = device }
    switch change {
    case .advertises(let isOn): device.advertises = isOn
    case .scans(let isOn): device.scans = isOn
    case .bluetooth(let isOn): device.bluetoothIsOn = isOn
    case .begins:
      (device.advertises, device.scans, device.streams) = (false, false, [:])
      states.endTracks(lane: lane, at: instant) { $0.contains(Self.stream) }
    default: device.hasNetwork = true
    }
    switch change {
    case .path(let interfaces):
      states.set(
        interfaces.isEmpty ? "none" : interfaces.joined(separator: ", "), track: "path", lane: lane, at: instant)
    case .peerToPeer(let isAwake):
      if !device.awakeIsKnown { states.set(isAwake ? "asleep" : "awake", track: "AWDL", lane: lane, at: .zero) }
      device.awakeIsKnown = true
      states.set(isAwake ? "awake" : "asleep", track: "AWDL", lane: lane, at: instant)
    case .advertises, .scans, .bluetooth, .begins:
      states.set(Self.bluetooth(device), track: "BLE", lane: lane, at: instant)
    default: readStream(change, &device, lane: lane, at: instant)
    }
  }

  private static func bluetooth(_ device: Device) -> String {
    if !device.bluetoothIsOn { return "off" }
    let words = [device.advertises ? "advertises" : nil, device.scans ? "scans" : nil].compactMap { $0 }
    return words.isEmpty ? "idle" : words.joined(separator: ", ")
  }

  // MARK: Streams

  private static let stream = "stream"

  private mutating func readStream(_ change: Change, _ device: inout Device, lane: Int, at instant: SimInstant) {
    func set(_ id: Int, _ text: String, isOver: Bool = false) {
      guard let stream = device.streams[id], !stream.isOver else { return }
      device.streams[id]?.isOver = isOver
      states.set(text, track: stream.track, lane: lane, at: instant)
    }
    func interface(_ id: Int) -> String { device.streams[id]?.interface ?? "" }
    switch change {
    case .opens(let id):
      device.streams[id] = Stream(track: freeTrack(Self.stream, device))
      set(id, "connecting")
    case .accepts(let id, let interface, let peer):
      device.streams[id] = Stream(track: freeTrack("\(peer) \(Self.stream)", device), interface: interface)
      set(id, "ready, \(interface)")
    case .ready(let id, let interface):
      device.streams[id]?.interface = interface
      set(id, "ready, \(interface)")
    case .waits(let id, let reason): set(id, "waiting: \(reason)")
    case .viable(let id, let isViable): set(id, isViable ? "ready, \(interface(id))" : "not viable, \(interface(id))")
    case .finished(let id): set(id, "the other end has finished, \(interface(id))")
    case .failed(let id, let reason): set(id, "failed: \(reason)", isOver: true)
    case .closed(let id): set(id, "closed", isOver: true)
    default: break
    }
  }

  /// The first track of a name on which no stream is up.
  private func freeTrack(_ name: String, _ device: Device) -> String {
    let taken = device.streams.values.filter { !$0.isOver }.map(\.track)
    var number = 1
    while true {
      let track = number == 1 ? name : "\(name) (\(number))"
      if !taken.contains(track) { return track }
      number += 1
    }
  }
}
