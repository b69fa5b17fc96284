package import SimKernel

/// A run as `trace.jsonl` has it, made ready to be compared with another one: Docs/Formats/trace.md.
package struct RunLog: Sendable {
  /// One record.
  package struct Line: Hashable, Sendable {
    /// `input`, `effect`, `report`, `fault`, `platform`, `step` or `expectation`.
    package var kind: String
    package var record: Int
    package var instant: SimInstant
    /// Index of a device; −1: the world.
    package var device: Int
    /// Empty for a step and an expectation.
    package var name: String
    /// Everything else, in the order of the file, each value as one text.
    package var fields: [Field]
    /// Those of whom an expectation does not hold.
    package var devices: [Int] = []
    /// In the scenario file, from 1; nil: it is in none.
    package var place: Int?

    package func value(_ name: String) -> String { fields.first { $0.name == name }?.text ?? "" }
  }

  package struct Field: Hashable, Sendable {
    package var name: String
    package var text: String
    /// The file has it as a text, and not as a number, a list or the like.
    package var isText = false
    /// It is the name of a state: capital letters and nothing else.
    package var isState: Bool { !text.isEmpty && text.utf8.allSatisfy { $0 == 0x5F || 0x41...0x5A ~= $0 } }
  }

  package private(set) var scenario = ""
  package private(set) var devices: [String] = []
  /// What each device is.
  package private(set) var about: [(role: String, address: String, words: [String])] = []
  /// What was drawn or chosen: `radio`, `devices.host` and so on.
  package private(set) var options: [Field] = []
  package private(set) var lines: [Line] = []
  package private(set) var digest: String?

  /// Why octets are no trace: `file:line: what is wrong`.
  package struct Problem: Error, CustomStringConvertible {
    package var description: String
  }

  /// Octets of one line.
  static let lineLimit = 8 << 20

  /// - Parameter file: how messages call it.
  package init(_ octets: [UInt8], file: String) throws(Problem) {
    var start = 0
    var number = 0
    while start < octets.count {
      let end = octets[start...].firstIndex(of: 0x0A) ?? octets.count
      number += 1
      if end - start > Self.lineLimit {
        throw Problem(description: "\(file):\(number): the line has more than \(Self.lineLimit) octets")
      }
      do {
        try read(JSONTree(Array(octets[start..<end])), isFirst: number == 1)
      } catch let error as JSONTree.Refusal {
        throw Problem(description: "\(file):\(number):\(error.offset + 1): \(error.reason)")
      } catch {
        throw Problem(description: "\(file):\(number): \(error)")
      }
      start = end + 1
    }
    if number == 0 { throw Problem(description: "\(file):1: the file is empty; run --out writes a trace.jsonl") }
  }

  /// Why a line is no record.
  private struct Refusal: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
  }

  private mutating func read(_ tree: JSONTree, isFirst: Bool) throws {
    guard let kind = tree.member("kind")?.text, let payload = tree.member("payload") else {
      throw Refusal("this is no record of a run; a line has kind and payload")
    }
    guard isFirst == (kind == "header") else {
      throw Refusal(isFirst ? "the first line is no header" : "a second header")
    }
    switch kind {
    case "header": readHeader(payload)
    case "outcome": digest = payload.member("digest")?.text
    default: try readRecord(kind, payload)
    }
  }

  private mutating func readHeader(_ payload: JSONTree) {
    scenario = payload.member("scenario")?.text ?? ""
    let items = payload.member("devices")?.items ?? []
    devices = items.map { $0.member("name")?.text ?? "" }
    about = items.map { item in
      let words = ["engine", "dialect", "phone", "address"].map { item.member($0)?.text ?? "" }
      return (item.member("role")?.text ?? "", words[3], words)
    }
    options = (payload.member("options")?.items ?? []).map { option in
      Field(name: option.member("key")?.text ?? "", text: option.member("value")?.text ?? "")
    }
  }

  private mutating func readRecord(_ kind: String, _ payload: JSONTree) throws {
    guard let record = payload.member("sequence")?.integer, let instant = payload.member("instant")?.integer,
      let device = payload.member("device")?.integer, device >= -1, device < devices.count
    else {
      throw Refusal("a record has sequence, instant and device, an index of the header's devices or -1")
    }
    let known = ["sequence", "instant", "device", "name", "line", "devices", "blocked"]
    let concerned = (payload.member("devices")?.items ?? []).compactMap { $0.integer.map(Int.init) }
    lines.append(
      Line(
        kind: kind, record: Int(record), instant: SimInstant(nanoseconds: instant), device: Int(device),
        name: payload.member("name")?.text ?? "",
        fields: payload.members.filter { !known.contains($0.name) }.map {
          Field(name: $0.name, text: Self.text($0.value), isText: $0.value.text != nil)
        }, devices: kind == "expectation" ? concerned.filter(devices.indices.contains) : [],
        place: payload.member("line")?.integer.flatMap { Int(exactly: $0) }))
  }

  private static func text(_ tree: JSONTree) -> String {
    switch tree {
    case .null: "none"
    case .boolean(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .number(let text), .text(let text): text
    case .list(let items): items.map(text).joined(separator: ", ")
    case .object(let members): members.map { "\($0.name) \(text($0.value))" }.joined(separator: " ")
    }
  }

  package func name(of device: Int) -> String { devices.indices.contains(device) ? devices[device] : "world" }
}
