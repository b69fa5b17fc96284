import AppSeam
import Bench
import Conformance
import Platform
import VirtualNetwork

/// What changes a state, as a run shows it and as its trace has it.
extension NetworkStates.Change {
  init?(_ event: TraceEvent) {
    switch event {
    case .network(.peerToPeer(let isAwake)): self = .peerToPeer(isAwake: isAwake)
    case .network: self = .network
    case .input(.launched), .fault(.kill): self = .begins
    case .input(.radioPower(let isOn)): self = .bluetooth(isOn: isOn)
    case .fault(.radioOff): self = .bluetooth(isOn: false)
    case .fault(.radioOn): self = .bluetooth(isOn: true)
    case .effect(.advertise): self = .advertises(true)
    case .effect(.stopAdvertising): self = .advertises(false)
    case .effect(.scan): self = .scans(true)
    case .effect(.stopScanning): self = .scans(false)
    case .effect(.network(.connect(let id, _))): self = .opens(id.rawValue)
    case .effect(.network): self = .network
    case .input(.network(let input)): self.init(input)
    default: return nil
    }
  }

  private init(_ input: NetworkInput) {
    switch input {
    case .pathChanged(let interfaces): self = .path(interfaces.map { Self.name($0.rawValue) })
    case .incoming(let id, let interface, let peer):
      self = .accepts(id.rawValue, Self.name(interface.rawValue), peer: peer)
    case .ready(let id, let interface): self = .ready(id.rawValue, Self.name(interface.rawValue))
    case .waiting(let id, let reason): self = .waits(id.rawValue, NetworkWords.of(reason))
    case .failed(let id, let reason): self = .failed(id.rawValue, NetworkWords.of(reason))
    case .viable(let id, let isViable): self = .viable(id.rawValue, isViable)
    case .ended(let id): self = .finished(id.rawValue)
    case .cancelled(let id): self = .closed(id.rawValue)
    default: self = .network
    }
  }

  /// As `trace.jsonl` has it.
  init?(_ line: RunLog.Line) {
    let id = Int(line.value("connection")) ?? -1
    let interface = Self.name(line.value("interface"))
    let reason = NetworkReason(rawValue: line.value("reason")).map(NetworkWords.of) ?? line.value("reason")
    switch (line.kind, line.name) {
    case ("network", "peerToPeer"): self = .peerToPeer(isAwake: line.value("awake") == "true")
    case ("input", "launched"), ("fault", "kill"): self = .begins
    case ("input", "radioPower"): self = .bluetooth(isOn: line.value("on") == "true")
    case ("fault", "radioOff"): self = .bluetooth(isOn: false)
    case ("fault", "radioOn"): self = .bluetooth(isOn: true)
    case ("effect", "advertise"): self = .advertises(true)
    case ("effect", "stopAdvertising"): self = .advertises(false)
    case ("effect", "scan"): self = .scans(true)
    case ("effect", "stopScanning"): self = .scans(false)
    case ("effect", "net.connect"): self = .opens(id)
    case ("input", "net.pathChanged"):
      let names = line.value("interfaces").split(separator: ",").map { Self.name($0.trimmingSpaces) }
      self = .path(names)
    case ("input", "net.incoming"): self = .accepts(id, interface, peer: line.value("peer"))
    case ("input", "net.ready"): self = .ready(id, interface)
    case ("input", "net.waiting"): self = .waits(id, reason)
    case ("input", "net.failed"): self = .failed(id, reason)
    case ("input", "net.viable"): self = .viable(id, line.value("viable") == "true")
    case ("input", "net.ended"): self = .finished(id)
    case ("input", "net.cancelled"): self = .closed(id)
    default:
      guard line.kind == "network" || line.name.hasPrefix("net.") else { return nil }
      self = .network
    }
  }

  /// What people call an interface.
  private static func name(_ interface: String) -> String {
    switch NetworkInterface(rawValue: interface) {
    case .infrastructure: "infrastructure"
    case .peerToPeer: "peer to peer"
    case nil: interface
    }
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String { String(drop { $0 == " " }) }
}
