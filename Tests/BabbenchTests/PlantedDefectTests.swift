import Expectations
import Foundation
import Testing

/// The programs of Examples/protocols play their protocols without a fault, and each defect that is planted in one is
/// found by its purposes, in drawn worlds, or by both.
@Suite("Programs of protocol files, and defects planted in them")
struct PlantedDefectTests {
  struct Example: Sendable, CustomTestStringConvertible {
    var file: String
    /// The device of its room that the program plays.
    var device: String
    var program: String
    var testDescription: String { program }
  }

  struct Defect: Sendable, CustomTestStringConvertible {
    var example: Example
    var original: String
    var planted: String
    /// A word of what `conform` says, and one of what `explore` says; nil: it need not find it.
    var purpose: String?
    var claim: String?
    var testDescription: String { "\(example.program): \(original) → \(planted)" }

    init(_ example: Example, _ original: String, _ planted: String, _ purpose: String? = nil, _ claim: String? = nil) {
      (self.example, self.original, self.planted) = (example, original, planted)
      (self.purpose, self.claim) = (purpose, claim)
    }
  }

  static let strap = Example(file: "heart-rate", device: "sensor", program: "heart_rate_sensor")
  static let meter = Example(file: "glucose", device: "sensor", program: "glucose_sensor")
  static let lamp = Example(file: "nordic-uart", device: "lamp", program: "uart_lamp")
  static let mesh = Example(file: "bitchat", device: "peripheral", program: "mesh_peripheral")

  static let defects = [
    Defect(strap, "[rate]", "[rate + 1]", "CN/BV-01", "BeatsAreNotified"),
    Defect(strap, "list(self.energy.to_bytes(2, \"little\"))", "[]", "CN/BV-01", "OnlyPackets"),
    Defect(strap, "(MEASUREMENT, octets)", "(MEASUREMENT, octets, self.links[0])", nil, "BeatsAreNotified"),
    Defect(strap, "octets == bytes([1])", "[False, True][octets[0]]", "CP/BI-01"),
    Defect(strap, "self.energy = 0\n\n", "self.subscribed.clear()\n\n", nil, "BeatsAreNotified"),
    Defect(meter, "self.respond(link, opcode, code)\n        elif", "pass\n        elif", "BV-01", "ReportsEnd"),
    Defect(meter, "in chosen or []", "in reversed(chosen or [])", nil, "SequencesRise"),
    Defect(meter, "len(octets) < 2", "len(octets) < 1", "BI-01"),
    Defect(meter, "[RESPONSE, 0, opcode, code]", "[RESPONSE, 0, COUNT, code]", "GLS 3.3", "ReportsEnd"),
    Defect(meter, "opcode == ABORT", "opcode == 99", "BV-03"),
    Defect(meter, "bytes([1, 2, 8, 0, 0])", "bytes([13, 2, 8, 0, 0])", nil, "OnlyPackets"),
    Defect(lamp, "b\"PONG\"", "b\"PONK\"", "LAMP 1", "OnlyPackets"),
    Defect(lamp, "b\"OK \" + line[6:]", "b\"OK \" + line[6:8]", nil, "LevelsAreConfirmed"),
    Defect(lamp, "line + b\"\\n\"", "line", "LAMP 1", "PingsArePonged"),
    Defect(lamp, "line == b\"PING\"", "line.decode(\"ascii\") == \"PING\"", "PING/BI-01"),
    Defect(lamp, "self.show(\"level\", value=level)", "pass", "LEVEL/BV-01"),
    Defect(mesh, "if len(octets) < HEADER.size:", "if not octets:", "MESSAGE/BI-01"),
    Defect(mesh, "\">BBBQBH8s\"", "\"<BBBQBH8s\"", "MESH 2"),
    Defect(mesh, "\"replace\")", "\"replace\").upper()", "MESH 2", "MessagesAreShown"),
    Defect(mesh, "flags & HAS_RECIPIENT", "flags & 2", "MESSAGE/BV-02"),
    Defect(mesh, "WRITE | WRITE_WITHOUT_RESPONSE | NOTIFY", "NOTIFY", "refuses a write"),
  ]

  @Test("A program passes its purposes, and drawn worlds find nothing", arguments: [strap, meter, lamp, mesh])
  func sound(example: Example) throws {
    let room = try Room(example) { $0 }
    let conformed = try room.conform()
    equal(conformed.status, 0, "\(conformed.output)")
    let explored = try room.explore()
    equal(explored.status, 0, "\(explored.output)")
  }

  @Test("A planted defect is found", arguments: Part.of(defects, 3))
  func found(defect: Defect) throws {
    let room = try Room(defect.example) { text in
      expect(text.contains(defect.original), "the program has changed")
      return text.replacingOccurrences(of: defect.original, with: defect.planted)
    }
    if let purpose = defect.purpose {
      let result = try room.conform()
      expect(result.status == 1 && result.output.contains(purpose), "\(result.output)")
    }
    if let claim = defect.claim {
      let result = try room.explore()
      expect(result.status == 1 && result.output.contains("1. \(claim)"), "\(result.output)")
    }
    expect(defect.purpose != nil || defect.claim != nil)
  }

  /// The examples in a folder of their own, with the program changed and in its room.
  private struct Room {
    let folder: TemporaryFolder
    let example: Example
    private var path: String { folder.path + "/protocols" }

    init(_ example: Example, change: (String) -> String) throws {
      self.example = example
      folder = try TemporaryFolder()
      let source = Repository.root.appendingPathComponent("Examples/protocols")
      try FileManager.default.copyItem(at: source, to: URL(fileURLWithPath: folder.path + "/protocols"))
      try Self.rewrite(path + "/programs/\(example.program).py", change)
      try Self.rewrite(path + "/\(example.file)-room.yaml") { text in
        let place = "  \(example.device): { phone: "
        return text.replacingOccurrences(
          of: place,
          with: "  \(example.device): { app: { command: [python3, programs/\(example.program).py] }, phone: ")
      }
    }

    private static func rewrite(_ file: String, _ change: (String) -> String) throws {
      let text = change(try String(contentsOfFile: file, encoding: .utf8))
      try text.write(toFile: file, atomically: true, encoding: .utf8)
    }

    func conform() throws -> Executable.Result {
      try Executable.run(["conform", "--iut", "programs/\(example.program).yaml"], folder: path)
    }

    func explore() throws -> Executable.Result {
      try Executable.run(["explore", "--like", "\(example.file)-room.yaml", "--worlds", "4"], folder: path)
    }
  }
}
