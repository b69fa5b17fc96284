import AppSeam
import Bench
import BluetoothWire

/// Reads the words of an event: `hears join where name = ann and level > 3`.
struct EventReader {
  let form: ProtocolForm

  /// Whether conditions may name what a tester has heard: `<join.name>`.
  var takesHeard = false

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
      for part in halves[1].conjuncts { conditions.append(try condition(part, fields(verb, name), others)) }
    }
    try check(conditions, fields(verb, name))
    return EventForm(verb: verb, name: name, conditions: conditions, text: text)
  }

  /// - Throws: conditions that cannot hold together, and services that nobody has.
  private func check(
    _ conditions: [EventForm.Condition], _ fields: [ProtocolForm.Field]
  ) throws(TypeReader.Refusal) {
    var spans: [(field: String, least: Int64, greatest: Int64)] = []
    for condition in conditions {
      guard case .constant(let text) = condition.operand,
        let field = fields.first(where: { $0.name == condition.field })
      else { continue }
      if field.isServices, BluetoothUUID(text) == nil, !form.services.contains(where: { $0.name == text }) {
        throw TypeReader.Refusal(
          message: "no service is called “\(text)”; "
            + (Suggestion.question(for: text, in: form.services.map(\.name)) ?? "write its name, or a UUID"))
      }
      let bound = ConditionBound(condition.comparison, field, isLength: condition.isLength)
      guard let number = TypeReader.number(text), let span = bound.span(number) else { continue }
      let name = condition.field + (condition.isLength ? ".length" : "")
      for other in spans where other.field == name && max(other.least, span.least) > min(other.greatest, span.greatest)
      {
        throw TypeReader.Refusal(message: "“\(name)” cannot be all that at once; conditions are joined with “and” only")
      }
      spans.append((name, span.least, span.greatest))
    }
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
  func fields(_ verb: EventForm.Verb, _ name: String) -> [ProtocolForm.Field] {
    switch verb {
    case .hears, .sends:
      name == EventForm.anyPacket ? form.commonFields : form.packets.first { $0.name == name }?.fields ?? []
    case .shows: form.reports.first { $0.name == name }?.fields ?? []
    case .does: form.actions.first { $0.name == name }?.fields ?? []
    case .advertises: [ProtocolForm.Field(name: "name", kind: .text(.rest)), .services]
    case .publishes, .scans: [.services]
    case .links, .unlinks, .connects, .stops: []
    }
  }

  private func condition(
    _ text: String, _ fields: [ProtocolForm.Field], _ others: [EventForm]
  ) throws(TypeReader.Refusal) -> EventForm.Condition {
    guard
      let comparison = EventForm.Condition.Comparison.allCases.first(where: { text.contains(" \($0.rawValue) ") }),
      let place = text.firstRange(of: " \(comparison.rawValue) ")
    else {
      throw TypeReader.Refusal(
        message: "“\(text)” compares nothing; write “FIELD = value”, with =, !=, <, <=, >, >=, has or lacks")
    }
    var name = String(text[..<place.lowerBound]).trimmed
    let isLength = !fields.contains { $0.name == name } && name.hasSuffix(".length")
    if isLength { name.removeLast(".length".count) }
    guard let field = fields.first(where: { $0.name == name }) else {
      let isSum = name.split(separator: " ").contains { ["+", "-", "*", "/"].contains($0) }
      throw TypeReader.Refusal(
        message: (isSum ? "“\(name)” calculates; a condition compares one field" : "there is no field “\(name)” here")
          + (fields.isEmpty ? "" : "; there are \(fields.map(\.name).joined(separator: ", "))"))
    }
    let other = String(text[place.upperBound...]).trimmed.unquoted
    if let place = other.firstRange(of: " or "),
      EventForm.Condition.Comparison.allCases.contains(where: {
        other[place.upperBound...].contains(" \($0.rawValue) ")
      })
    {
      throw TypeReader.Refusal(message: "“\(text)”: conditions are joined with “and” only; write one of them")
    }
    let bound: EventForm.Condition.Operand
    if let field = try self.operand(other, others) {
      bound = field
    } else {
      let isHeard = takesHeard && !HeardReference.all(in: other, form.packets).isEmpty
      bound = .constant(isHeard ? other : try ConditionBound(comparison, field, isLength: isLength).text(other))
    }
    return EventForm.Condition(field: name, isLength: isLength, comparison: comparison, operand: bound)
  }

  /// A field of another event of the claim; nil: it is none.
  private func operand(
    _ text: String, _ others: [EventForm]
  ) throws(TypeReader.Refusal) -> EventForm.Condition.Operand? {
    let isBracketed = !takesHeard && text.hasPrefix("<") && text.hasSuffix(">")
    let plain = isBracketed ? String(text.dropFirst().dropLast()) : text
    guard let event = others.first(where: { !$0.name.isEmpty && plain.hasPrefix($0.name + ".") }) else { return nil }
    if isBracketed { throw TypeReader.Refusal(message: "“\(text)” needs no brackets here; write \(plain)") }
    let name = String(plain.dropFirst(event.name.count + 1))
    let known = self.fields(event.verb, event.name).map(\.name)
    guard known.contains(name) else {
      throw TypeReader.Refusal(message: "\(event.name) has no field “\(name)”; it has \(known.joined(separator: ", "))")
    }
    return .field(of: event.name, name)
  }
}

extension ProtocolForm {
  /// Fields that each packet has.
  var commonFields: [Field] {
    guard let first = packets.first else { return [] }
    return first.fields.filter { field in
      packets.allSatisfy { packet in packet.fields.contains { $0.name == field.name } }
    }.map { Field(name: $0.name, kind: $0.kind) }
  }
}

extension String {
  /// The parts between “and”; what is between double quotes is one part.
  fileprivate var conjuncts: [String] {
    var parts: [String] = []
    for part in split(separator: " and ").map(String.init) {
      if let last = parts.last, last.count(where: { $0 == "\"" }) % 2 == 1 {
        parts[parts.count - 1] = last + " and " + part
      } else {
        parts.append(part)
      }
    }
    return parts
  }

  /// Without the double quotes around it.
  fileprivate var unquoted: String {
    count > 1 && first == "\"" && last == "\"" ? String(dropFirst().dropLast()) : self
  }

  /// Without spaces at both ends.
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
