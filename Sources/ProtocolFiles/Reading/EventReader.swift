import AppSeam

/// Reads the words of an event: `hears join where name = ann and level > 3`.
struct EventReader {
  let form: ProtocolForm

  /// - Parameters:
  ///   - verbs: those that may stand here.
  ///   - known: other events of the claim, whose fields conditions may name: `join.name`.
  func event(
    _ text: String, verbs: [EventForm.Verb] = EventForm.Verb.ofClaims, known others: [EventForm] = []
  ) throws(TypeReader.Refusal) -> EventForm {
    let halves = text.split(separator: " where ", maxSplits: 1).map(String.init)
    let words = halves[0].split(separator: " ").map(String.init)
    guard let verb = words.first.flatMap({ EventForm.Verb(rawValue: $0) }), verbs.contains(verb) else {
      throw TypeReader.Refusal(
        message:
          "“\(text)” must begin with one of \(verbs.map(\.rawValue).joined(separator: ", ")), for example “"
          + "\(verbs[0].rawValue) \(names(verbs[0]).first ?? "")”"
      )
    }
    let name = words.dropFirst().joined(separator: " ")
    let known = names(verb)
    guard known.isEmpty ? name.isEmpty : known.contains(name) else {
      throw TypeReader.Refusal(
        message: known.isEmpty && verb.isNamed
          ? "nothing can stand after “\(verb.rawValue)”: the file names no \(kind(verb))"
          : "there is no \(kind(verb)) “\(name)”; there are \(known.joined(separator: ", "))")
    }
    var conditions: [EventForm.Condition] = []
    if halves.count > 1 {
      for part in halves[1].split(separator: " and ") {
        conditions.append(try condition(String(part), fields(verb, name), others))
      }
    }
    return EventForm(verb: verb, name: name, conditions: conditions, text: text)
  }

  private func kind(_ verb: EventForm.Verb) -> String {
    switch verb {
    case .hears, .sends: "packet"
    case .shows: "report"
    case .does: "action"
    case .links, .unlinks, .publishes, .advertises, .scans, .connects, .stops: "word"
    }
  }

  private func names(_ verb: EventForm.Verb) -> [String] {
    switch verb {
    case .hears, .sends: form.packets.map(\.name) + [EventForm.anyPacket]
    case .shows: form.reports.map(\.name)
    case .does: form.actions.map(\.name)
    case .stops: EventForm.Verb.stopped
    case .links, .unlinks, .publishes, .advertises, .scans, .connects: []
    }
  }

  /// The fields of an event that conditions may name.
  func fields(_ verb: EventForm.Verb, _ name: String) -> [String] {
    switch verb {
    case .hears, .sends:
      name == EventForm.anyPacket
        ? form.commonFields : form.packets.first { $0.name == name }?.fields.map(\.name) ?? []
    case .shows: form.reports.first { $0.name == name }?.values.map(\.name) ?? []
    case .does: form.actions.first { $0.name == name }?.values.map(\.name) ?? []
    case .advertises: ["name", "services"]
    case .publishes, .scans: ["services"]
    case .links, .unlinks, .connects, .stops: []
    }
  }

  private func condition(
    _ text: String, _ fields: [String], _ others: [EventForm]
  ) throws(TypeReader.Refusal) -> EventForm.Condition {
    guard
      let comparison = EventForm.Condition.Comparison.allCases.first(where: { text.contains(" \($0.rawValue) ") }),
      let place = text.firstRange(of: " \(comparison.rawValue) ")
    else {
      throw TypeReader.Refusal(
        message: "“\(text)” compares nothing; write “FIELD = value”, with =, !=, <, <=, >, >=, has or lacks")
    }
    var field = String(text[..<place.lowerBound]).trimmed
    let isLength = !fields.contains(field) && field.hasSuffix(".length")
    if isLength { field.removeLast(".length".count) }
    guard fields.contains(field) else {
      throw TypeReader.Refusal(
        message: "there is no field “\(field)” here"
          + (fields.isEmpty ? "" : "; there are \(fields.joined(separator: ", "))"))
    }
    let other = String(text[place.upperBound...]).trimmed
    var operand = EventForm.Condition.Operand.constant(other)
    if let event = others.first(where: { !$0.name.isEmpty && other.hasPrefix($0.name + ".") }) {
      let name = String(other.dropFirst(event.name.count + 1))
      let known = self.fields(event.verb, event.name)
      guard known.contains(name) else {
        throw TypeReader.Refusal(
          message: "\(event.name) has no field “\(name)”; it has \(known.joined(separator: ", "))")
      }
      operand = .field(of: event.name, name)
    }
    return EventForm.Condition(field: field, isLength: isLength, comparison: comparison, operand: operand)
  }
}

extension ProtocolForm {
  /// Fields that each packet has.
  var commonFields: [String] {
    guard let first = packets.first else { return [] }
    return first.fields.map(\.name).filter { name in
      packets.allSatisfy { packet in packet.fields.contains { $0.name == name } }
    }
  }
}

extension String {
  /// Without spaces at both ends.
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
