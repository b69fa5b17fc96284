import AppSeam
import BabSim
import BabSuite
import Bench
import BluetoothWire
import Conformance
import Expectations
import Foundation
import SimKernel
import VirtualRadio

/// The air and the HCI seams of one run of a scenario.
final class AirRun: TraceReader {
  struct HostLink {
    var device: Int
    var isCentral: Bool
    var peer: BluetoothAddress
    var openedAt: SimInstant
    var sent = ACLFrames()
    var received = ACLFrames()
  }

  /// ATT PDUs out of ACL data, put together by the rule of Vol 3, Part A, 7.2.1 and nothing else.
  struct ACLFrames {
    var att: [[UInt8]] = []
    private var held: [UInt8] = []

    mutating func add(_ data: HCI.ACLData) {
      if data.boundary != .continuing { held = [] }
      held += data.octets
      guard held.count >= 4, held.count == 4 + Int(held[0]) + Int(held[1]) << 8 else { return }
      if held[2] == 4, held[3] == 0 { att.append(Array(held[4...])) }
      held = []
    }
  }

  private(set) var pdus: [AirPDU] = []
  private(set) var hostLinks: [HostLink] = []
  private(set) var header: TraceHeader?
  private(set) var outcome: RunOutcome?
  private var handles: [[HCI.ConnectionHandle: Int]] = []

  var wantsAir: Bool { true }
  var wantsHCI: Bool { true }

  func begin(_ header: TraceHeader) {
    self.header = header
    handles = Array(repeating: [:], count: header.devices.count)
  }

  func read(_ record: TraceRecord) {
    guard case .radio(let event) = record.event else { return }
    switch event {
    case .air(let pdu): pdus.append(pdu)
    case .hciEvent(.leConnectionComplete(let complete)) where complete.status == .success:
      handles[record.device][complete.handle] = hostLinks.count
      hostLinks.append(
        HostLink(
          device: record.device, isCentral: complete.role == .central, peer: complete.peer, openedAt: record.instant))
    case .hciEvent: break
    case .hciCommand: break
    case .aclToController(let data):
      if let index = handles[record.device][data.handle] { hostLinks[index].sent.add(data) }
    case .aclToHost(let data):
      if let index = handles[record.device][data.handle] { hostLinks[index].received.add(data) }
    case .isoToController, .isoToHost: break
    }
  }

  func end(_ outcome: RunOutcome) { self.outcome = outcome }

  static func shipped(_ path: String, events: Int? = nil) throws -> AirRun {
    var scenario = try ScenarioFile.load(Repository.path("Scenarios/\(path).yaml"), language: .bab()).get()
    if let events { scenario.limits.events = events }
    let run = AirRun()
    _ = try World.run(
      scenario, options: RunOptions(seed: 1), readers: [run],
      engines: [AppProtocol.bab].engines)
    return run
  }
}
