import AppSeam
package import Bench
import BluetoothWire

/// A protocol file as a page in Markdown.
package enum ProtocolPage {
  /// - Throws: everything that is wrong with the file.
  package static func text(ofFile path: String) throws(ScenarioProblems) -> String {
    let octets = try ScenarioFile.octets(of: path, kind: ProtocolFileReader.kind).get()
    return text(try ProtocolFileReader.read(octets: octets, file: path))
  }

  /// The JSON Schema of protocol files, for editors.
  package static var schema: String {
    ScenarioSchema.json(
      KeyTable.protocolTables, title: "babbench protocol file",
      description: "A GATT protocol: services, packets, words, claims and test purposes.")
  }

  static func text(_ form: ProtocolForm) -> String {
    var lines = ["# \(form.title)", "", "Roles: " + form.roles.map(\.role.rawValue).joined(separator: ", ") + "."]
    lines += ["", "## Services"]
    for service in form.services {
      lines += ["", "**\(service.name)** \(service.uuid), published by every \(service.role.rawValue)", ""]
      lines += ["| Characteristic | UUID | Properties | Values carry packets |", "|---|---|---|---|"]
      lines += service.characteristics.map { characteristic in
        "| \(characteristic.name) | \(characteristic.uuid) | \(characteristic.properties.words)"
          + " | \(characteristic.framing.words) |"
      }
    }
    lines += ["", "## Packets"]
    for packet in form.packets {
      let on = form.characteristic(packet.characteristic)?.name ?? ""
      lines += [
        "", "**\(packet.name)**, sent by \(packet.senders.map(\.rawValue).joined(separator: ", ")) on \(on)", "",
      ]
      lines += packet.fields.map { "- \($0.name): \($0.words)" }
    }
    lines += words("What people do", form.actions) + words("What screens show", form.reports)
    if !form.clauses.isEmpty { lines += ["", "## Clauses", ""] + form.clauses.map { "- **\($0.id)** \($0.text)" } }
    if !form.claims.isEmpty {
      lines += ["", "## What holds in every run", "", "| Claim | Says | Clause |", "|---|---|---|"]
      lines += form.claims.map { "| \($0.id) | \($0.text) | \($0.clause) |" }
    }
    if !form.people.isEmpty {
      lines += ["", "## What people do by themselves", ""]
      lines += form.people.map { habit in
        let actions = habit.actions.map { $0.values.isEmpty ? $0.what : "\($0.what) \($0.values.text)" }
        return "- \(habit.role.rawValue): \(habit.event.text), then \(actions.joined(separator: " or "))"
      }
    }
    if !form.features.isEmpty {
      lines += ["", "## Features", ""] + form.features.map { "- **\($0.name)** \($0.text)" }
    }
    if !form.purposes.isEmpty {
      lines += ["", "## Test purposes"]
      for purpose in form.purposes {
        lines += ["", "**\(purpose.id)** (\(purpose.clauses.joined(separator: ", "))) \(purpose.text)", ""]
        lines += purpose.steps.enumerated().map { "\($0.offset + 1). \($0.element.text)" }
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func words(_ title: String, _ words: [ProtocolForm.Word]) -> [String] {
    if words.isEmpty { return [] }
    return ["", "## \(title)", ""]
      + words.map { word in
        "- \(word.name)"
          + (word.values.isEmpty
            ? "" : ": " + word.values.map { "\($0.name) (\($0.type.rawValue))" }.joined(separator: ", "))
      }
  }
}

extension FramingForm {
  var words: String {
    switch self {
    case .none: "one each"
    case .lines: "as lines"
    case .length(let form): "after a length of \(form.octets) octets"
    case .inside(let length): "of the length at octet \(length.place) and \(length.extra) more"
    case .fragments(let header): "in fragments: " + header.map(\.meaning.rawValue).joined(separator: ", ")
    }
  }
}

extension ProtocolForm.Field {
  var words: String {
    var text = kind.words
    let path = Member.text(path)
    if !self.path.isEmpty, path != name { text += " at \(path)" }
    if let constant { text += " = \(constant.text)" }
    if let range { text += ", \(range.lowerBound) to \(range.upperBound)" }
    if let presence, !presence.field.isEmpty {
      let mask = presence.mask.map { " & \($0)" } ?? ""
      text +=
        ", \(presence.isNegated ? "unless" : "when") \(presence.field)\(mask)"
        + (presence.value.map { " = \($0)" } ?? "")
    } else if presence != nil {
      text += ", optional"
    }
    return text
  }
}

extension ProtocolForm.Field.Kind {
  fileprivate var words: String {
    switch self {
    case .integer(let form):
      (form.isSigned ? "i" : "u") + "\(form.octets * 8)"
        + (form.octets > 1 ? form.isBigEndian ? " big-endian" : " little-endian" : "")
    case .number: "number"
    case .flag: "yes or no"
    case .text(let extent): "text" + extent.words
    case .octets(let extent): "octets" + extent.words
    case .list(let element, let extent): "list of \(element.words)" + extent.words
    case .decimal: "number with a fraction"
    case .map(let element): "map of \(element.words)"
    case .checksum(let sum, let form, let span):
      "\(sum.rawValue) in \(form.octets) octets" + (span.from.map { ", from \($0)" } ?? "")
        + (span.to.map { ", up to \($0)" } ?? "")
    }
  }
}

extension ProtocolForm.Field.Extent {
  fileprivate var words: String {
    switch self {
    case .fixed(let count): " of \(count)"
    case .field(let name): ", as long as \(name) says"
    case .prefix(let form): ", its length in \(form.octets) octets before it"
    case .zeroEnded: ", up to an octet of 0"
    case .rest: ""
    }
  }
}
