import AppSeam
import Bench
import BluetoothWire
import SimKernel

extension ProtocolFileReader {
  /// How steps begin, for messages.
  private static let stepWords = [
    "tester joins", "tester leaves", "tester sends", "tester sends octets", "tester hears", "tester hears next",
    "tester hears first",
    "tester can join",
    "tester hears no", "tester hears nothing", "tester forgets", "tester is unlinked", "tester stays linked", "user",
    "tester advertises", "tester stops advertising", "tester finds",
    "iut shows", "iut shows no", "iut shows nothing", "iut forgets", "iut asks", "iut asks no", "iut suffers", "wait",
  ]
  private static let usualPatience = SimDuration.seconds(2)
  /// Steps whose value says how long.
  private static let spanned = [
    "tester hears nothing", "tester is unlinked", "tester stays linked", "tester can join", "iut shows nothing",
  ]

  mutating func readPurpose(_ entry: YAMLTree.Entry) {
    guard let fields = decoder.fields(entry.value, .protocolPurpose) else { return }
    let parts = entry.key.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count < 3 || parts.contains(where: \.isEmpty) || entry.key.utf8.count > 80 {
      decoder.note(
        entry.keyLocation,
        "“\(decoder.shown(entry.key))” is no id of a test purpose; write one like CHAT/ROOM/JOIN/BV-01")
    }
    let text = decoder.required("text", fields, .protocolPurpose).flatMap { decoder.text($0, "“text”") }
    let role = decoder.required("role", fields, .protocolPurpose).flatMap { self.role($0, "role") }
    var clauses: [String] = []
    if let tree = decoder.required("clause", fields, .protocolPurpose) {
      if case .sequence(let items) = tree.value {
        clauses = items.compactMap(clause)
      } else {
        clauses = clause(tree).map { [$0] } ?? []
      }
    }
    let testers = fields["testers"].flatMap { decoder.integer($0, "“testers”", 1...8) } ?? 1
    let arrange = fields["arrange"].map { stepList(texts($0), testers) } ?? []
    let steps = decoder.required("steps", fields, .protocolPurpose).map { tree in
      stepList(decoder.items(tree, "“steps”") ?? [], testers)
    }
    if let tree = fields["needs"], form.features.isEmpty {
      decoder.note(tree.location, "the file names no features; write features: { NAME: what it is } beside “purposes”")
      return
    }
    let needs = texts(fields["needs"]).compactMap { decoder.choice($0, "feature", from: form.features.map(\.name)) }
    guard let text, let role else { return }
    let all = arrange + (steps ?? [])
    if !all.allSatisfy({ canBe($0, role) }) || !haveLinks(all, testers) { return }
    form.purposes.append(
      ProtocolForm.Purpose(
        id: entry.key, text: text, clauses: clauses, role: role, testers: testers, needs: needs,
        arrange: arrange, steps: steps ?? []))
  }

  mutating func readArrangement(_ entry: YAMLTree.Entry) {
    if entry.key.hasPrefix("tester") || entry.key.hasPrefix("iut ") || entry.key == "user" || entry.key == "wait" {
      decoder.note(
        entry.keyLocation, "“\(decoder.shown(entry.key))” is how a step begins; give the arrangement another name")
    }
    let items = decoder.items(entry.value, "an arrangement") ?? []
    arrangements.append((entry.key, stepList(items, 8)))
    if arrangements[arrangements.count - 1].steps.count > Self.entryLimit {
      decoder.note(entry.keyLocation, "an arrangement has more than \(Self.entryLimit) steps; write fewer")
      arrangements[arrangements.count - 1].steps = []
    }
  }

  /// Steps in their order; the name of an arrangement stands for its steps.
  private func stepList(_ items: [YAMLTree], _ testers: Int) -> [ProtocolForm.Purpose.Step] {
    items.flatMap { item -> [ProtocolForm.Purpose.Step] in
      if case .scalar(let text, _) = item.value, let found = arrangements.first(where: { $0.name == text }) {
        if let tester = found.steps.compactMap(\.kind.tester).max(), tester >= testers {
          decoder.note(
            item.location, "“\(decoder.shown(text))” needs \(tester + 1) testers; write testers: \(tester + 1)")
        }
        return found.steps
      }
      return step(item, testers).map { [$0] } ?? []
    }
  }

  private func step(_ tree: YAMLTree, _ testers: Int) -> ProtocolForm.Purpose.Step? {
    var (head, value, location) = ("", YAMLTree?.none, tree.location)
    var others: [YAMLTree.Entry] = []
    switch tree.value {
    case .scalar(let text, _): head = text
    case .mapping(let entries) where !entries.isEmpty:
      (head, value, location) = (entries[0].key, entries[0].value, entries[0].keyLocation)
      others = Array(entries.dropFirst())
    default:
      return decoder.refuse(tree.location, "a step must be a text or a mapping, not \(tree.kindName)")
    }
    var words = head.split(separator: " ").map(String.init)
    var tester = 0
    if let first = words.first, first.hasPrefix("tester") {
      let number = first.dropFirst("tester".count)
      if !number.isEmpty {
        guard number.first == "-", let place = Int(number.dropFirst()), (1...testers).contains(place) else {
          return decoder.refuse(
            location, "there is no “\(decoder.shown(first))”; write tester, or tester-1 to tester-\(testers)")
        }
        tester = place - 1
      }
      words[0] = "tester"
    }
    let span = others.first { $0.key == "within" || $0.key == "for" }
      .flatMap { decoder.duration($0.value, "“\($0.key)”", least: .milliseconds(1)) }
    for entry in others where entry.key != "within" && entry.key != "for" {
      decoder.note(
        entry.keyLocation, "a step has no “\(decoder.shown(entry.key))”; beside it stand “within” and “for” only")
    }
    // `tester hears nothing: 3s` says how long.
    let own = Self.spanned.contains(words.joined(separator: " ")) ? value : nil
    let given = own.flatMap { $0.isEmpty ? nil : decoder.duration($0, "“\(head)”", least: .milliseconds(1)) }
    guard let kind = kind(words.joined(separator: " "), value, tester, given ?? span ?? Self.usualPatience, location)
    else { return nil }
    let shown = value.map { " " + $0.shortText } ?? ""
    let limit =
      others.isEmpty ? "" : " (" + others.map { "\($0.key) \($0.value.shortText)" }.joined(separator: ", ") + ")"
    return ProtocolForm.Purpose.Step(
      text: head + shown + limit, kind: kind, line: location.line, column: location.column)
  }

  private func kind(
    _ words: String, _ value: YAMLTree?, _ tester: Int, _ span: SimDuration, _ location: SourceLocation
  ) -> ProtocolForm.Purpose.Kind? {
    switch words {
    case "tester joins": return .joins(tester: tester)
    case "tester leaves": return .leaves(tester: tester)
    case "tester sends": return sends(value, tester, location)
    case "tester sends octets": return sendsOctets(value, tester, location)
    case "tester hears": return sighting(value, "hears", location).map { .hears(tester: tester, $0, within: span) }
    case "tester hears next", "tester hears first":
      let isFirst = words.hasSuffix("first")
      return sighting(value, "hears", location).map {
        .hearsNext(tester: tester, $0, ofItsKind: isFirst, within: span)
      }
    case "tester can join": return .canJoin(tester: tester, within: span)
    case "tester hears no": return sighting(value, "hears", location).map { .hearsNo(tester: tester, $0, for: span) }
    case "tester hears nothing": return .hearsNothing(tester: tester, for: span)
    case "tester forgets": return .forgets(tester: tester)
    case "tester is unlinked": return .isUnlinked(tester: tester, within: span)
    case "tester stays linked": return .staysLinked(tester: tester, for: span)
    case "iut shows": return sighting(value, "shows", location).map { .shows($0, within: span) }
    case "iut shows no": return sighting(value, "shows", location).map { .showsNo($0, for: span) }
    case "iut shows nothing": return .showsNothing(for: span)
    case "iut forgets": return .screenForgets
    case "iut asks": return sighting(value, nil, location).map { .asks($0, within: span) }
    case "iut asks no": return sighting(value, nil, location).map { .asksNo($0, for: span) }
    case "iut suffers": return suffers(value, location)
    case "tester advertises":
      guard let value else { return missing("a name, for example tester advertises: Keynote", location) }
      return decoder.text(value, "a name").map { .advertises(tester: tester, name: $0) }
    case "tester stops advertising": return .advertises(tester: tester, name: nil)
    case "tester finds":
      return sighting(value, "advertises", location).map { .finds(tester: tester, $0, within: span) }
    case "user":
      guard let value else { return missing("what the user does, for example user: open", location) }
      return action(value, heard: form.packets).map { .user($0) }
    case "wait":
      guard let value else { return missing("how long, for example wait: 1 s", location) }
      return decoder.duration(value, "“wait”").map { .wait($0) }
    default:
      let known = Self.stepWords + arrangements.map(\.name)
      return decoder.refuse(
        location,
        "no step and no arrangement is called “\(decoder.shown(words))”; "
          + (Suggestion.question(for: words, in: known) ?? "Docs/own-protocol.md has all of them"))
    }
  }

  private func missing(_ what: String, _ location: SourceLocation) -> ProtocolForm.Purpose.Kind? {
    return decoder.refuse(location, "this step needs \(what)")
  }

  private func suffers(_ value: YAMLTree?, _ location: SourceLocation) -> ProtocolForm.Purpose.Kind? {
    guard let value else { return missing("what happens, for example iut suffers: radio off", location) }
    return decoder.choice(value, "fault", from: KeyTable.plainFaultWords).map { .suffers($0) }
  }

  /// `join where name = ann` after a verb; with nil, what an app asks of its platform.
  private func sighting(_ value: YAMLTree?, _ verb: String?, _ location: SourceLocation) -> EventForm? {
    guard let value, let text = decoder.text(value, "what is awaited") else {
      if value == nil { decoder.note(location, "this step needs a name, for example “\(verb ?? "iut asks"): …”") }
      return nil
    }
    do throws(TypeReader.Refusal) {
      let reader = EventReader(form: form, takesHeard: true)
      let event =
        if let verb { try reader.event(verb + " " + text) } else { try reader.event(text, verbs: EventForm.Verb.asked) }
      for condition in event.conditions {
        if case .constant(let text) = condition.operand, !checkReferences(in: text, form.packets, value.location) {
          return nil
        }
      }
      return event
    } catch {
      return decoder.refuse(value.location, error.message)
    }
  }

  /// `{ join: { name: ann } }`, or a name alone.
  private func named(_ value: YAMLTree) -> (name: String, location: SourceLocation, values: YAMLTree?)? {
    switch value.value {
    case .scalar(let text, _): return (text, value.location, nil)
    case .mapping(let entries) where entries.count == 1:
      return (entries[0].key, entries[0].keyLocation, entries[0].value)
    default:
      return decoder.refuse(value.location, "write one name with its values, for example { join: { name: ann } }")
    }
  }

  private func sends(
    _ value: YAMLTree?, _ tester: Int, _ location: SourceLocation
  ) -> ProtocolForm.Purpose.Kind? {
    guard let value else { return missing("a packet, for example tester sends: { join: { name: ann } }", location) }
    guard let (name, place, tree) = named(value) else { return nil }
    guard let packet = form.packets.first(where: { $0.name == name }) else {
      return decoder.refuse(
        place,
        "there is no packet “\(decoder.shown(name))”; \(Suggestion.advice(for: name, in: form.packets.map(\.name)))")
    }
    var values: [(name: String, value: FieldValue)] = []
    for entry in entries(tree, "values of a packet") {
      guard let field = packet.fields.first(where: { $0.name == entry.key }) else {
        return decoder.refuse(
          entry.keyLocation,
          "\(name) has no field “\(decoder.shown(entry.key))”; "
            + Suggestion.advice(for: entry.key, in: packet.fields.map(\.name))
        )
      }
      if case .scalar(let text, _) = entry.value.value, !HeardReference.all(in: text, form.packets).isEmpty {
        values.append((entry.key, .text(text)))
        continue
      }
      if case .scalar(let text, _) = entry.value.value, !checkReferences(in: text, form.packets, entry.value.location) {
        return nil
      }
      guard let given = fieldValue(entry.value, field.kind, entry.key) else { return nil }
      values.append((entry.key, given))
    }
    do throws(PacketRefusal) {
      // What is heard is not known yet.
      let known = values.map { value in
        if case .text(let text) = value.value, !HeardReference.all(in: text, form.packets).isEmpty,
          let field = packet.fields.first(where: { $0.name == value.name }), let least = field.least
        {
          return (name: value.name, value: least)
        }
        return value
      }
      _ = try packet.encode(known)
    } catch {
      return decoder.refuse(place, error.reason)
    }
    return .sends(tester: tester, packet: name, values: values)
  }

  /// Notes a reference to a field that a word does not have.
  private func checkReferences(
    in text: String, _ words: [some FieldedWord], _ location: SourceLocation
  ) -> Bool {
    guard let (word, field) = HeardReference.wrong(in: text, words) else { return true }
    let fields = words.first { $0.name == word }?.fields.map(\.name) ?? []
    decoder.note(
      location, "\(word) has no field “\(decoder.shown(field))”; \(Suggestion.advice(for: field, in: fields))")
    return false
  }

  private func sendsOctets(
    _ value: YAMLTree?, _ tester: Int, _ location: SourceLocation
  ) -> ProtocolForm.Purpose.Kind? {
    guard let value, let (name, _, tree) = named(value), let tree, let text = decoder.text(tree, "octets") else {
      return missing("a characteristic and octets, for example tester sends octets: { say: 01ff }", location)
    }
    guard form.services.flatMap(\.characteristics).contains(where: { $0.name == name }) else {
      return missing("the name of a characteristic; “\(decoder.shown(name))” is none", value.location)
    }
    guard let octets = [UInt8](hexadecimalDigits: text) else {
      return missing("pairs of hexadecimal digits; “\(decoder.shown(text))” is none", tree.location)
    }
    return .sendsOctets(tester: tester, characteristic: name, octets: octets)
  }

  private func fieldValue(_ tree: YAMLTree, _ kind: ProtocolForm.Field.Kind, _ name: String) -> FieldValue? {
    switch kind {
    case .integer, .number, .checksum:
      guard let text = decoder.text(tree, "“\(name)”") else { return nil }
      if let number = TypeReader.number(text) { return .number(number) }
      let isHeard = !HeardReference.all(in: "<\(text)>", form.packets).isEmpty
      return decoder.refuse(
        tree.location,
        "“\(name)” is “\(decoder.shown(text))”; write "
          + (isHeard ? "<\(text)> for what was heard" : "a whole number"))
    case .decimal:
      guard let text = decoder.text(tree, "“\(name)”") else { return nil }
      if let millionths = DecimalText.millionths(text) { return .decimal(millionths) }
      return decoder.refuse(tree.location, "“\(name)” is “\(decoder.shown(text))”; write a number such as 0.5")
    case .map(let element):
      let entries = entries(tree, "“\(name)”")
      let values = entries.compactMap { entry in
        fieldValue(entry.value, element, name).map { FieldValue.Entry(name: entry.key, value: $0) }
      }
      return values.count == entries.count ? .map(values) : nil
    case .flag: return decoder.boolean(tree, "“\(name)”").map { .flag($0) }
    case .text:
      if case .scalar(let text, _) = tree.value { return .text(text) }
      return decoder.text(tree, "“\(name)”").map { .text($0) }
    case .octets:
      guard let text = decoder.text(tree, "“\(name)”") else { return nil }
      if let octets = [UInt8](hexadecimalDigits: text) { return .octets(octets) }
      return decoder.refuse(tree.location, "“\(name)” is “\(decoder.shown(text))”; write pairs of hexadecimal digits")
    case .list(let element, _):
      guard let items = decoder.items(tree, "“\(name)”") else { return nil }
      let values = items.compactMap { fieldValue($0, element, name) }
      return values.count == items.count ? .list(values) : nil
    }
  }

  /// `{ say: hello }`, or the name of an action alone.
  /// - Parameter words: whose fields its values may name: `{ answer: { id: <asked.id> } }`.
  func action(_ value: YAMLTree, heard words: [some FieldedWord]) -> FreeAction? {
    guard let (name, place, tree) = named(value) else { return nil }
    guard let word = form.actions.first(where: { $0.name == name }) else {
      return decoder.refuse(
        place,
        "there is no action “\(decoder.shown(name))”; \(Suggestion.advice(for: name, in: form.actions.map(\.name)))")
    }
    if let tree, case .scalar = tree.value, word.values.count == 1 {
      return actionValue(tree, word.fields[0], words).map { FreeAction(name, [$0]) }
    }
    let entries = entries(tree, "values of an action")
    for entry in entries where !word.values.contains(where: { $0.name == entry.key }) {
      return decoder.refuse(
        entry.keyLocation,
        "\(name) has no value “\(decoder.shown(entry.key))”; "
          + Suggestion.advice(for: entry.key, in: word.values.map(\.name)))
    }
    var values: [FreeValue] = []
    for field in word.fields {
      guard let entry = entries.first(where: { $0.key == field.name }) else {
        return decoder.refuse(place, "“\(name)” needs “\(field.name)”; write { \(name): { \(field.name): … } }")
      }
      guard let value = actionValue(entry.value, field, words) else { return nil }
      values.append(value)
    }
    return FreeAction(name, values)
  }

  private func actionValue(
    _ tree: YAMLTree, _ field: ProtocolForm.Field, _ words: [some FieldedWord]
  ) -> FreeValue? {
    guard let text = decoder.text(tree, "“\(field.name)”"), checkReferences(in: text, words, tree.location) else {
      return nil
    }
    if !HeardReference.all(in: text, words).isEmpty { return FreeValue(field.name, text) }
    do throws(TypeReader.Refusal) {
      return FreeValue(field.name, try ConditionBound(.equal, field).text(text))
    } catch {
      return decoder.refuse(tree.location, error.message)
    }
  }
}

extension YAMLTree {
  /// As people read it in a line: `vote (id 1, choice 0)`.
  fileprivate var shortText: String {
    switch value {
    case .scalar(let text, _): return text
    case .sequence(let items): return items.map(\.shortText).joined(separator: ", ")
    case .mapping(let entries):
      return entries.map { entry in
        if case .scalar = entry.value.value { return "\(entry.key) \(entry.value.shortText)" }
        return entry.value.isEmpty ? entry.key : "\(entry.key) (\(entry.value.shortText))"
      }.joined(separator: ", ")
    }
  }
}
