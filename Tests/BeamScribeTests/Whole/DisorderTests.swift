import AppSeam
import BeamScribe
import BluetoothWire
import Expectations
import SimKernel
import Testing

/// Inputs in any order, about anything: no engine stops, grows without bound, or acts without an input or a timer.
@Suite("Disorder")
struct DisorderTests {
  private struct Draw {
    var stream: RandomStream
    let type: String

    mutating func below(_ bound: Int) -> Int { Int(stream.below(UInt64(bound))) }
    mutating func flag() -> Bool { below(2) == 0 }

    mutating func connection() -> ConnectionID { ConnectionID(1 + below(24)) }

    mutating func octets() -> [UInt8] {
      let packets: [BeamPacket] = [
        .fullHistory(.init(chunks: [], upToSequence: 0)),
        .fullHistory(.init(chunks: [.init(sequence: 1, text: "a")], upToSequence: 1 + below(2))),
        .liveChunk(.init(isFinal: flag(), sentMilliseconds: Int64(below(5)), sequence: 1 + below(4), text: "b")),
        .alert(BeamAlert.allCases[below(3)]),
      ]
      let format: Frame.Format = below(3) == 0 ? .kindAndLength : .length
      switch below(8) {
      case 0: return (0..<below(12)).map { _ in UInt8(below(256)) }
      case 1: return Frame(Frame.Kind.allCases[below(5)]).encoded(.kindAndLength)
      case 2: return Array(Frame(body: packets[below(4)].encoded()).encoded(format).dropLast(below(9)))
      default: return Frame(body: packets[below(4)].encoded()).encoded(format)
      }
    }

    private static let long = String(repeating: "é", count: 9_000)

    mutating func action() -> BeamAction {
      let texts = ["", "a", "Name", Self.long]
      switch below(11) {
      case 0: return .startEvent(name: texts[below(4)])
      case 1: return below(4) == 0 ? .endEvent : .batteryOK
      case 2: return .speakPartial(texts[below(4)])
      case 3: return .speakFinal(texts[below(3)])
      case 4: return .batteryLow
      case 5: return .join
      case 6: return .joinEvent(name: texts[below(3)])
      case 7: return below(4) == 0 ? .leave : .join
      case 8: return .stopReading
      case 9: return .readAgain
      default: return .speakFinal("x")
      }
    }

    mutating func network() -> NetworkInput {
      let reason = NetworkReason.allCases[below(NetworkReason.allCases.count)]
      let interface: NetworkInterface = flag() ? .infrastructure : .peerToPeer
      switch below(16) {
      case 0: return .listenerReady(type: type, name: flag() ? "Name (2)" : "a", port: 1)
      case 1: return .listenerFailed(type: type, reason)
      case 2: return .found(EndpointID(below(6)), type: type, name: flag() ? "Name" : "a", interfaces: [interface])
      case 3: return .changed(EndpointID(below(6)), interfaces: [])
      case 4: return .lost(EndpointID(below(6)))
      case 5, 6: return .incoming(ConnectionID(1 + 2 * below(12)), interface, peer: "peer-\(below(9))")
      case 7: return .ready(connection(), interface)
      case 8: return .failed(connection(), reason)
      case 9, 10: return .received(connection(), octets: octets())
      case 11: return below(3) == 0 ? .ended(connection()) : .waiting(connection(), reason)
      case 12: return .submitted(connection(), accepted: flag())
      case 13: return .room(connection())
      case 14: return .viable(connection(), flag())
      default: return flag() ? .betterPath(connection(), flag()) : .cancelled(connection())
      }
    }

    mutating func input() -> AppInput {
      switch below(20) {
      case 0..<3: return .user(action())
      case 3: return .background(flag())
      case 4: return .radioPower(flag())
      case 5: return .advertisingStarted(flag())
      case 6:
        let names = [nil, "Name", "a"]
        return .discovered(
          Advertisement(
            address: BluetoothAddress(kind: .random, bits: 1), localName: names[below(3)],
            serviceUUIDs: [.beamScribe], rssi: 0))
      case 7: return .connected(LinkID(0), peer: BluetoothAddress(kind: .random, bits: 1))
      default: return .network(network())
      }
    }
  }

  @Test(
    "Drawn inputs stop no engine, and without input it comes to rest",
    arguments: [AppRole.beamHost, .beamGuest], [DialectName.beamNetwork, .beamMPC])
  func inputs(_ role: AppRole, _ dialect: DialectName) {
    for seed in 0..<8 as Range<UInt64> {
      var configuration = BeamConfiguration(dialect: dialect, peerID: "a", displayName: "a")
      configuration.sendOctets = 40
      configuration.pageOctets = 120
      let engine = BeamEngines.reference(role, configuration)
      var draw = Draw(
        stream: RandomStream(seed: seed, component: "test", purpose: "disorder"),
        type: configuration.serviceType)
      var timers: [(id: TimerID, at: SimInstant)] = []
      var now = SimInstant.zero
      func feed(_ input: AppInput) {
        for effect in engine.handle(input, at: now) {
          switch effect {
          case .setTimer(let id, let at):
            expect(at > now)
            timers.removeAll { $0.id == id }
            timers.append((id, at))
          case .cancelTimer(let id): timers.removeAll { $0.id == id }
          default: break
          }
        }
      }
      feed(.launched)
      for _ in 0..<3_000 {
        now = now + .milliseconds(Int64(draw.below(400)))
        if let index = timers.indices.filter({ timers[$0].at <= now }).min(by: { timers[$0].at < timers[$1].at }) {
          feed(.timer(timers.remove(at: index).id))
        } else {
          feed(draw.input())
        }
      }
      expect(timers.count <= 100)
      var fired = 0
      while let next = timers.indices.min(by: { timers[$0].at < timers[$1].at }), fired < 1_000 {
        now = max(now, timers[next].at)
        feed(.timer(timers.remove(at: next).id))
        fired += 1
      }
      expect(fired < 1_000, "seed \(seed)")
    }
  }
}
