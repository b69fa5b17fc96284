import BluetoothWire
import CaptureTestSupport
import Expectations
import SimKernel
import Testing

@testable import CaptureCheck

/// Counts ATT PDUs by opcode, HCI events by code, LE subevents and commands by opcode.
private final class OpcodeCounter: TrafficObserver {
  let interests: TrafficEvent.Interests = [.att, .events, .commands]
  private(set) var counts: [String: Int] = [:]
  /// Packet numbers by key, for whoever looks into a difference.
  private(set) var places: [String: [Int]] = [:]

  func observe(_ event: TrafficEvent) {
    guard case .command(_, let opcode, _) = event.kind else { return }
    let text = String(opcode.rawValue, radix: 16)
    add("command " + String(repeating: "0", count: 4 - text.count) + text, event.place)
  }

  func observe(event: TrafficHCIEvent) {
    add("event \(HCIScript.text(event.code))", event.place)
    if event.code == 0x3E, let subevent = event.parameters.first {
      add("meta \(HCIScript.text(subevent))", event.place)
    }
  }

  func observe(att pdu: TrafficPDU) {
    if let opcode = pdu.octets.first { add("att \(HCIScript.text(opcode))", pdu.place) }
  }

  private func add(_ key: String, _ place: PacketPlace) {
    counts[key, default: 0] += 1
    places[key, default: []].append(place.number)
  }
}

@Suite(
  "Shared captures: what they hold, counted as Wireshark counts it",
  .enabled(if: CaptureTool.tsharkPath != nil && !SharedTraffic.files.isEmpty))
struct SharedCountTests {
  /// tshark's counts by the same keys.
  private func theirs(_ path: String) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    let fields = ["btatt.opcode", "bthci_evt.code", "bthci_evt.le_meta_subevent", "bthci_cmd.opcode"]
    // A truncated file ends its run with an error; what it printed before is whole.
    for row in try CaptureTool.fields(path, fields) {
      for (name, cell) in zip(["att", "event", "meta", "command"], row) {
        for value in cell.split(separator: ",") {
          counts["\(name) \(value.replacing("0x", with: ""))", default: 0] += 1
        }
      }
    }
    return counts
  }

  @Test("ATT opcodes, HCI events, LE subevents and commands", arguments: Part.of(SharedTraffic.files, 3))
  func counts(file: String) throws {
    let path = SharedTraffic.folder + "/" + file
    let counter = OpcodeCounter()
    let outcome = SharedTraffic.read(path, [counter])
    guard let theirs = try? theirs(path) else {
      expect(SharedDifferences.unread.contains(String(file.prefix(2))), "\(file): tshark refuses it")
      return
    }
    if let refusal = outcome.refusal {
      expect(SharedDifferences.refused.contains(String(file.prefix(2))), "\(file): \(refusal)")
    }
    var found: [String] = []
    for key in Set(theirs.keys).union(counter.counts.keys).sorted() {
      let (our, their) = (counter.counts[key] ?? 0, theirs[key] ?? 0)
      if our != their { found.append("\(key): \(our), tshark \(their)") }
    }
    let listed = SharedDifferences.counts[String(file.prefix(2))] ?? []
    equal(found, listed.flatMap(\.lines).sorted(), "\(file)")
  }
}
