import SimKernel
import Synchronization
import VirtualRadio

@testable import HCIPorts

/// What a scripted world has seen; read by the test while the world runs on another thread.
final class Witness: Sendable {
  struct Entry: Hashable, Sendable {
    var instant: SimInstant
    var device: Int
    var event: ForeignEvent
  }

  private let state = Mutex<(entries: [Entry], handled: [SimInstant], lines: [String])>(([], [], []))

  var entries: [Entry] { state.withLock { $0.entries } }
  /// The instants of the script that happened.
  var handled: [SimInstant] { state.withLock { $0.handled } }
  var lines: [String] { state.withLock { $0.lines } }

  func events(device: Int) -> [ForeignEvent] { entries.filter { $0.device == device }.map(\.event) }
  func packets(device: Int) -> [[UInt8]] {
    events(device: device).compactMap { if case .packet(let octets) = $0 { octets } else { nil } }
  }
  func lines(with text: String) -> [String] { lines.filter { $0.contains(text) } }

  func saw(_ entry: Entry) { state.withLock { $0.entries.append(entry) } }
  func handled(_ instant: SimInstant) { state.withLock { $0.handled.append(instant) } }
  func log(_ line: String) { state.withLock { $0.lines.append(line) } }
}

/// A world that does what a list says, and answers like the simplest controller: each command with its Command Complete
/// event, anything else with Hardware Error. The command FC01 is answered with a flood of events.
final class ScriptedWorld: PacedWorld {
  static let flood: [UInt8] = [0x01, 0x01, 0xFC, 0x00]
  static let hardwareError: [UInt8] = [0x04, 0x10, 0x01, 0x00]

  private(set) var now = SimInstant.zero
  private var script: [SimInstant]
  var endInstant: SimInstant?
  private let outward = Fifo<(device: Int, packet: [UInt8])>()
  private let witness: Witness
  /// Packets that leave when somebody has taken a seat: what a host stack says to its controller.
  var greeting: [[UInt8]] = []
  /// Whether packets are answered: not those of a controller.
  var answers = true
  /// Never lets time pass beyond this instant.
  var stuckAt: SimInstant?

  init(script: [SimInstant] = [], end: SimInstant? = nil, witness: Witness) {
    self.script = script
    endInstant = end
    self.witness = witness
  }

  var nextInstant: SimInstant? { script.first }

  func advance(to instant: SimInstant) {
    precondition(instant >= now, "time goes forward")
    if let stuckAt, instant > stuckAt { return }
    while let next = script.first, next <= instant {
      script.removeFirst()
      witness.handled(next)
    }
    now = instant
  }

  func enter(_ event: ForeignEvent, device: Int) {
    witness.saw(Witness.Entry(instant: now, device: device, event: event))
    switch event {
    case .attached: for packet in greeting { outward.append((device, packet)) }
    case .detached: break
    case .packet where !answers: break
    case .packet(ScriptedWorld.flood):
      let event = [0x04, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 255)
      for _ in 0..<4_000 { outward.append((device, event)) }
    case .packet(let octets):
      let isCommand = octets.count >= 4 && octets[0] == 0x01
      outward.append((device, isCommand ? ScriptedWorld.complete(octets) : ScriptedWorld.hardwareError))
    }
  }

  static func complete(_ command: [UInt8]) -> [UInt8] { [0x04, 0x0E, 0x04, 0x01, command[1], command[2], 0x00] }

  func popOutward() -> (device: Int, packet: [UInt8])? { outward.popFirst() }
}
