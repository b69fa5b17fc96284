import AppSeam
import Bench
import BluetoothWire
import SimKernel

/// Reads a protocol file: every slip is noted with its place and what to write instead.
struct ProtocolFileReader {
  static let kind = DocumentKind(
    noun: "a protocol file", word: "protocol file", least: "“protocol:”, “roles:”, “services:” and “packets:”",
    whereToLook: "Docs/own-protocol.md says how one is written")

  /// For each kind of thing in a file.
  static let entryLimit = 1_000

  let decoder: ScenarioDecoder
  var form = ProtocolForm(
    name: "", title: "", roles: [], services: [], packets: [], actions: [], reports: [], clauses: [], claims: [],
    purposes: [])
  private var isBigEndian = false
  /// Steps that purposes have in common.
  var arrangements: [(name: String, steps: [ProtocolForm.Purpose.Step])] = []

  init(_ decoder: ScenarioDecoder) { self.decoder = decoder }

  /// - Throws: everything that is wrong with the file.
  static func read(octets: [UInt8], file: String) throws(ScenarioProblems) -> ProtocolForm {
    let tree = try ScenarioReader.tree(octets: octets, file: file, kind: kind).get()
    var reader = ProtocolFileReader(ScenarioDecoder(file: file))
    if let mistake = kind.mistake(tree) { reader.decoder.note(tree.location, mistake) } else { reader.read(tree) }
    guard reader.decoder.problems.isEmpty else { throw reader.decoder.sortedProblems }
    return reader.form
  }

  private mutating func read(_ tree: YAMLTree) {
    guard let fields = decoder.fields(tree, .protocolFile) else { return }
    if let name = decoder.required("protocol", fields, .protocolFile), let text = decoder.text(name, "“protocol”") {
      if isWord(text) {
        form.name = text
      } else {
        decoder.note(name.location, "“\(decoder.shown(text))” is no name; write lower case letters, digits and hyphens")
      }
    }
    form.title = fields["title"].flatMap { decoder.text($0, "“title”") } ?? form.name
    if let order = fields["byte order"] {
      isBigEndian = decoder.choice(order, "byte order", from: ["little", "big"]) == "big"
    }
    let roleEntries = entries(decoder.required("roles", fields, .protocolFile), "“roles”")
    for entry in roleEntries {
      if !isWord(entry.key) {
        decoder.note(entry.keyLocation, "“\(decoder.shown(entry.key))” is no name of a role; write lower case letters")
      }
      form.roles.append(
        ProtocolForm.Role(role: AppRole(rawValue: entry.key), plural: entry.key + "s", leads: false, advertised: []))
    }
    for entry in entries(decoder.required("services", fields, .protocolFile), "“services”") { readService(entry) }
    for (place, entry) in roleEntries.enumerated() { readRole(entry, place) }
    for entry in entries(decoder.required("packets", fields, .protocolFile), "“packets”") { readPacket(entry) }
    form.actions = entries(fields["actions"], "“actions”").compactMap(word)
    form.reports = entries(fields["reports"], "“reports”").compactMap(word)
    for entry in entries(fields["clauses"], "“clauses”") {
      guard let text = decoder.text(entry.value, "a clause") else { continue }
      form.clauses.append(ProtocolForm.Clause(id: entry.key, text: text))
    }
    for entry in entries(fields["features"], "“features”") {
      if !isWord(entry.key) || entry.key == "all" {
        decoder.note(
          entry.keyLocation,
          "“\(decoder.shown(entry.key))” is no name of a feature; write lower case letters, digits and hyphens, not all"
        )
      }
      guard let text = decoder.text(entry.value, "a feature") else { continue }
      form.features.append(ProtocolForm.Feature(name: entry.key, text: text))
    }
    // What speaks of a packet that is not right would only say so once more.
    guard decoder.problems.isEmpty else { return }
    for entry in entries(fields["claims"], "“claims”") { readClaim(entry) }
    for entry in entries(fields["people"], "“people”") { readHabit(entry) }
    for entry in entries(fields["arrangements"], "“arrangements”") { readArrangement(entry) }
    for entry in entries(fields["purposes"], "“purposes”") { readPurpose(entry) }
  }

  // MARK: Helpers

  func isWord(_ text: String) -> Bool {
    let octets = Array(text.utf8)
    return !octets.isEmpty && octets.count <= 32 && (0x61...0x7A).contains(octets[0])
      && octets.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
  }

  /// The entries of a mapping with keys that the file chooses; each key once.
  func entries(_ tree: YAMLTree?, _ what: String) -> [YAMLTree.Entry] {
    guard let tree, !tree.isEmpty else { return [] }
    guard case .mapping(let entries) = tree.value else {
      decoder.note(tree.location, "\(what) must be a mapping of names, not \(tree.kindName)")
      return []
    }
    if entries.count > Self.entryLimit {
      decoder.note(tree.location, "\(what) has more than \(Self.entryLimit) entries; write fewer")
      return []
    }
    return entries
  }

  func role(_ tree: YAMLTree, _ what: String) -> AppRole? {
    decoder.choice(tree, what, from: form.roles.map(\.role.rawValue)).map { AppRole(rawValue: $0) }
  }

  /// One role, or a list of them; empty after noting what is wrong.
  func roles(_ tree: YAMLTree?, _ what: String) -> [AppRole] {
    guard let tree else { return [] }
    if case .sequence(let items) = tree.value { return items.compactMap { role($0, what) } }
    return role(tree, what).map { [$0] } ?? []
  }

  /// A tree, or those of a list.
  func texts(_ tree: YAMLTree?) -> [YAMLTree] {
    guard let tree else { return [] }
    if case .sequence(let items) = tree.value { return items }
    return [tree]
  }

  func uuid(_ tree: YAMLTree) -> BluetoothUUID? {
    guard let text = decoder.text(tree, "“uuid”") else { return nil }
    if let uuid = BluetoothUUID(text) { return uuid }
    return decoder.refuse(
      tree.location,
      "“\(decoder.shown(text))” is no UUID; write 4 hexadecimal digits, or 32 as 8-4-4-4-12")
  }

  // MARK: Roles and services

  private mutating func readRole(_ entry: YAMLTree.Entry, _ place: Int) {
    let role = form.roles[place].role
    let own = form.services.indices.filter { form.services[$0].role == role }
    form.roles[place].leads = !own.isEmpty
    form.roles[place].advertised = own
    guard let fields = decoder.fields(entry.value, .protocolRole) else { return }
    if let plural = fields["plural"].flatMap({ decoder.text($0, "“plural”") }) { form.roles[place].plural = plural }
    if let leads = fields["leads"].flatMap({ decoder.boolean($0, "“leads”") }) { form.roles[place].leads = leads }
    form.roles[place].localName = fields["local name"].flatMap { decoder.text($0, "“local name”") }
    guard let tree = fields["advertises"], let items = decoder.items(tree, "“advertises”") else { return }
    form.roles[place].advertised = items.compactMap { item in
      let name = decoder.choice(item, "service", from: form.services.map(\.name))
      return form.services.firstIndex { $0.name == name }
    }
  }

  private mutating func readService(_ entry: YAMLTree.Entry) {
    guard let fields = decoder.fields(entry.value, .protocolService) else { return }
    let uuid = decoder.required("uuid", fields, .protocolService).flatMap { self.uuid($0) }
    let role = decoder.required("of", fields, .protocolService).flatMap { self.role($0, "role") }
    var characteristics: [ProtocolForm.Characteristic] = []
    for entry in entries(decoder.required("characteristics", fields, .protocolService), "“characteristics”") {
      if let made = characteristic(entry, besides: characteristics) { characteristics.append(made) }
    }
    guard let uuid, let role else { return }
    form.services.append(
      ProtocolForm.Service(name: entry.key, uuid: uuid, role: role, characteristics: characteristics))
  }

  private func characteristic(
    _ entry: YAMLTree.Entry, besides others: [ProtocolForm.Characteristic]
  ) -> ProtocolForm.Characteristic? {
    guard let fields = decoder.fields(entry.value, .protocolCharacteristic) else { return nil }
    let uuid = decoder.required("uuid", fields, .protocolCharacteristic).flatMap { self.uuid($0) }
    var properties = ServiceDefinition.Properties()
    if let tree = decoder.required("properties", fields, .protocolCharacteristic) {
      for item in decoder.items(tree, "“properties”") ?? [] {
        let name = decoder.choice(item, "property", from: ServiceDefinition.Properties.names.map(\.name))
        if let property = ServiceDefinition.Properties.names.first(where: { $0.name == name }) {
          properties.insert(property.property)
        }
      }
    }
    guard let uuid else { return nil }
    if let known = form.characteristic(uuid) ?? others.first(where: { $0.uuid == uuid }) {
      decoder.note(entry.keyLocation, "“\(known.name)” has the UUID \(uuid) too; give each its own")
    }
    return ProtocolForm.Characteristic(
      name: entry.key, uuid: uuid, properties: properties, framing: fields["framing"].map(framing) ?? .none)
  }

  private func framing(_ tree: YAMLTree) -> FramingForm {
    if case .scalar = tree.value {
      return decoder.choice(tree, "framing", from: ["none", "lines"]) == "lines" ? .lines : .none
    }
    guard let fields = decoder.fields(tree, .protocolFraming) else { return .none }
    if let length = fields["length"], let text = decoder.text(length, "“length”") {
      guard let form = integer(text, at: length.location) else { return .none }
      let place = fields["at"].flatMap { decoder.integer($0, "“at”", 0...64) }
      let extra = fields["extra"].flatMap { decoder.integer($0, "“extra”", 0...1_024) }
      guard place != nil || extra != nil || fields["begins"] != nil else { return .length(form) }
      return .inside(
        FramingForm.OwnLength(integer: form, place: place ?? 0, extra: extra ?? 0, start: start(fields["begins"])))
    }
    guard let fragments = fields["fragments"], let items = decoder.items(fragments, "“fragments”") else {
      decoder.note(
        tree.location, "a framing needs “length” or “fragments”; write length: u16, or fragments: [index u8]")
      return .none
    }
    return .fragments(items.compactMap(fragmentField))
  }

  private func start(_ tree: YAMLTree?) -> [UInt8] {
    guard let tree, let text = decoder.text(tree, "“begins”") else { return [] }
    if let octets = [UInt8](hexadecimalDigits: text), octets.count <= 16 { return octets }
    decoder.note(tree.location, "“begins” is “\(decoder.shown(text))”; write pairs of hexadecimal digits, at most 16")
    return []
  }

  private func fragmentField(_ tree: YAMLTree) -> FramingForm.FragmentField? {
    guard let text = decoder.text(tree, "a field of a fragment") else { return nil }
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard let meaning = FramingForm.FragmentField.Meaning(rawValue: words[0]), words.count == 2 else {
      let names = FramingForm.FragmentField.Meaning.allCases.map(\.rawValue).joined(separator: ", ")
      return decoder.refuse(
        tree.location, "“\(decoder.shown(text))” is no field of a fragment; write one of \(names), and its type")
    }
    return integer(words[1], at: tree.location).map { FramingForm.FragmentField(meaning: meaning, integer: $0) }
  }

  private func integer(_ text: String, at location: SourceLocation) -> IntegerForm? {
    do throws(TypeReader.Refusal) {
      let field = try TypeReader.binary("", text, earlier: [], isBigEndian: isBigEndian)
      if case .integer(let form) = field.kind { return form }
      decoder.note(location, "“\(decoder.shown(text))” is no number; write u8, u16 or u32")
    } catch {
      decoder.note(location, error.message)
    }
    return nil
  }

  // MARK: Packets and words

  private mutating func readPacket(_ entry: YAMLTree.Entry) {
    guard let fields = decoder.fields(entry.value, .protocolPacket) else { return }
    if form.packets.contains(where: { $0.name == entry.key }) {
      decoder.note(entry.keyLocation, "packet “\(decoder.shown(entry.key))” is there twice; give each its own name")
    }
    let senders = roles(decoder.required("by", fields, .protocolPacket), "role")
    let characteristics = form.services.flatMap(\.characteristics)
    let on = decoder.required("on", fields, .protocolPacket).flatMap {
      decoder.choice($0, "characteristic", from: characteristics.map(\.name))
    }
    let body: ProtocolForm.Packet.Body
    switch (fields["fields"], fields["json"]) {
    case (let tree?, nil): body = .fields(binary(entries(tree, "“fields”")))
    case (nil, let tree?): body = .json(json(entries(tree, "“json”")))
    case (nil, nil): body = .fields([])
    case (_?, _?):
      decoder.note(fields.keyLocation("json"), "a packet has “fields” or “json”, not both; remove one")
      return
    }
    guard let on, let characteristic = characteristics.first(where: { $0.name == on }) else { return }
    var packet = ProtocolForm.Packet(
      name: entry.key, senders: senders, characteristic: characteristic.uuid, body: body)
    if case .inside(let length) = characteristic.framing {
      packet.ownLength = packet.field(at: length.place).map { ($0, length.extra) }
    }
    let shape = packet.fields.map(\.words)
    if let other = form.packets.first(where: { other in
      other.characteristic == packet.characteristic && other.senders.contains(where: packet.senders.contains)
        && other.fields.map(\.words) == shape
    }) {
      decoder.note(
        entry.keyLocation,
        "“\(decoder.shown(packet.name))” has the fields of “\(other.name)”, which is always taken first; "
          + "give one of them a field with “= value”")
    }
    form.packets.append(packet)
  }

  private func binary(_ entries: [YAMLTree.Entry]) -> [ProtocolForm.Field] {
    var fields: [ProtocolForm.Field] = []
    for entry in entries {
      guard let text = decoder.text(entry.value, "“\(entry.key)”") else { continue }
      let numbers = fields.filter { if case .integer = $0.kind { true } else { false } }.map(\.name)
      do throws(TypeReader.Refusal) {
        let field = try TypeReader.binary(
          entry.key, text, earlier: numbers, before: fields.map(\.name), isBigEndian: isBigEndian)
        if let presence = field.presence, let mask = presence.mask,
          case .integer(let form)? = fields.first(where: { $0.name == presence.field })?.kind,
          form.octets < 8, mask & ((1 << (Int64(form.octets) * 8)) - 1) == 0
        {
          decoder.note(
            entry.value.location,
            "“\(presence.field)” has \(form.octets * 8) bits, and \(mask) is none of them; write a bit that it has")
        }
        if let last = fields.last, last.kind.extent == .rest, last.constant == nil {
          decoder.note(
            entry.keyLocation,
            "“\(last.name)” goes up to the end, so nothing can come after it; write its length, such as text u8")
        }
        fields.append(field)
      } catch {
        decoder.note(entry.value.location, error.message)
      }
    }
    return fields
  }

  private func json(_ entries: [YAMLTree.Entry]) -> [ProtocolForm.Field] {
    var fields: [ProtocolForm.Field] = []
    for entry in entries {
      guard let text = decoder.text(entry.value, "“\(entry.key)”") else { continue }
      do throws(TypeReader.Refusal) {
        let field = try TypeReader.json(entry.key, text)
        if let other = fields.first(where: { $0.path.clashes(with: field.path) }) {
          decoder.note(
            entry.keyLocation, "“\(decoder.shown(other.name))” and this one cannot both be there; remove one of the two"
          )
        }
        fields.append(field)
      } catch {
        decoder.note(entry.value.location, error.message)
      }
    }
    return fields
  }

  private func word(_ entry: YAMLTree.Entry) -> ProtocolForm.Word? {
    guard let fields = decoder.fields(entry.value, .protocolWord) else { return nil }
    let types = ProtocolForm.ValueType.allCases.map(\.rawValue)
    let values = entries(fields["values"], "“values”").compactMap { value in
      decoder.choice(value.value, "type", from: types).flatMap { ProtocolForm.ValueType(rawValue: $0) }
        .map { (name: value.key, type: $0) }
    }
    return ProtocolForm.Word(name: entry.key, roles: roles(fields["by"], "role"), values: values)
  }
}

extension [ProtocolForm.Field.Member] {
  /// One is the other, or in it; or a member is a list in one, and none in the other.
  fileprivate func clashes(with other: Self) -> Bool {
    for (own, their) in zip(self, other) {
      if own.name != their.name { return false }
      if own.isList != their.isList { return true }
    }
    return true
  }
}
