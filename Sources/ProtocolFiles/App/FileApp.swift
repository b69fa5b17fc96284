import AppSeam
import Bench
import BluetoothWire

/// An app of a protocol file, as worlds and scenarios know it.
struct FileApp: SimulatedApp {
  let form: ProtocolForm
  let spellings: [String]

  var name: String { form.name }
  let roles: [RoleDescription]
  let words: AppWords
  let dialects = [DialectName(rawValue: "plain")]

  /// - Parameter spellings: how the file is written where it is named.
  init(_ form: ProtocolForm, spellings: [String]) {
    self.form = form
    self.spellings = spellings
    roles = form.roles.map { RoleDescription($0.role, plural: $0.plural, leads: $0.leads) }
    words = Self.words(of: form)
  }

  var defaultDialect: DialectName { dialects[0] }
  var takesPart: Bool { true }
  var takesPrograms: Bool { true }
  var reports: any AppStatement.Type { FreeReport.self }
  var actions: any AppStatement.Type { FreeAction.self }
  var settingsMember: StaticString? { nil }

  func settings(_ tree: YAMLTree?, _ decoder: ScenarioDecoder) -> AppSettings {
    guard let tree else { return AppSettings(FileSettings()) }
    return AppSettings(FileSettings(peopleAct: decoder.boolean(tree, "“\(FilePeople.key)”") ?? true))
  }
  func options(_ settings: AppSettings) -> [TraceHeader.Option] { [] }
  func makePeople(_ scenario: Scenario, settings: AppSettings, seed: UInt64) -> (any AppPeople)? {
    guard !form.people.isEmpty, (settings.record as? FileSettings)?.peopleAct == true else { return nil }
    return FilePeople(form, scenario.devices, seed: seed)
  }
  func makeFacts(_ cast: AppCast, settings: AppSettings) -> any AppFacts { FileFacts(form, cast) }

  // MARK: Actions

  private static func words(of form: ProtocolForm) -> AppWords {
    var words = AppWords()
    if !form.people.isEmpty {
      words.settingsKey = KeyTable.Key(FilePeople.key, .boolean, "its people act by themselves; default yes")
    }
    words.plainActions = form.actions.filter(\.values.isEmpty).map(\.name)
    for action in form.actions where !action.values.isEmpty {
      if action.values.count == 1 {
        words.actions.append(KeyTable.Key(action.name, kind(action.values[0].type), action.values[0].name))
        continue
      }
      let id = form.name + "-" + action.name.replacing(" ", with: "-")
      words.tables.append(table(of: action, id: id))
      words.actions.append(KeyTable.Key(action.name, .table(id), "values of it"))
    }
    words.rolesOfActions = Dictionary(
      form.actions.filter { !$0.roles.isEmpty }.map { ($0.name, $0.roles) }, uniquingKeysWith: { $1 })
    words.predicates = form.reports.map { report in
      "shows \(report.name)" + (report.values.count > 1 ? " where \(report.values[0].name) = …" : "")
    }
    words.counted = form.reports.map(\.name) + form.packets.map { "\($0.name) packets" }
    return words
  }

  private static func table(of action: ProtocolForm.Word, id: String) -> KeyTable {
    KeyTable(
      id: id, title: "“\(action.name)”",
      keys: action.values.map { KeyTable.Key($0.name, kind($0.type), "a \($0.type.rawValue)", isRequired: true) })
  }

  private static func kind(_ type: ProtocolForm.ValueType) -> ValueKind {
    switch type {
    case .text, .octets: .text
    case .number: .integer(.min, .max)
    case .flag: .boolean
    }
  }

  func action(_ word: String) -> Step.UserAction? {
    form.actions.contains { $0.name == word && $0.values.isEmpty } ? Step.UserAction(AppAction(FreeAction(word))) : nil
  }

  func action(_ key: String, _ value: YAMLTree, _ decoder: ScenarioDecoder) -> Step.UserAction? {
    guard let word = form.actions.first(where: { $0.name == key }) else { return nil }
    var values: [FreeValue] = []
    if word.values.count == 1 {
      guard let text = text(value, word.values[0], decoder) else { return nil }
      values.append(FreeValue(word.values[0].name, text))
    } else {
      guard let fields = decoder.fields(value, Self.table(of: word, id: "")) else { return nil }
      for part in word.values {
        guard let tree = fields[part.name] else {
          return decoder.refuse(
            fields.location, "“\(key)” needs “\(part.name)”; write \(part.name): a \(part.type.rawValue)")
        }
        guard let text = text(tree, part, decoder) else { return nil }
        values.append(FreeValue(part.name, text))
      }
    }
    return Step.UserAction(AppAction(FreeAction(key, values)))
  }

  private func text(
    _ tree: YAMLTree, _ part: (name: String, type: ProtocolForm.ValueType), _ decoder: ScenarioDecoder
  ) -> String? {
    let what = "“\(part.name)”"
    switch part.type {
    case .text: return decoder.text(tree, what)
    case .number: return decoder.integer(tree, what, Int.min...Int.max).map { String($0) }
    case .flag: return decoder.boolean(tree, what).map { $0 ? "yes" : "no" }
    case .octets:
      guard let text = decoder.text(tree, what) else { return nil }
      if [UInt8](hexadecimalDigits: text) == nil {
        return decoder.refuse(tree.location, "\(what) is “\(decoder.shown(text))”; write pairs of hexadecimal digits")
      }
      return text.lowercased()
    }
  }

  func action(_ action: AppAction, about peer: PeerNames) -> AppAction { action }

  // MARK: Predicates

  func fact(_ words: [String]) -> AppFact? { (try? FileFact.read(words, form)).flatMap(\.self).map { AppFact($0) } }

  func problem(with words: [String], of roles: [AppRole]) -> String? {
    do throws(TypeReader.Refusal) {
      guard case .shows(let event)? = try FileFact.read(words, form) else { return nil }
      return form.reports.first { $0.name == event.name }.flatMap { form.problem(with: $0, "shown", of: roles) }
    } catch {
      return error.message
    }
  }
}

/// What apps have shown, and what packets came to them.
private final class FileFacts: AppFacts {
  let readsValues = true
  private let form: ProtocolForm
  private let cast: AppCast
  private var shown: [[FreeReport]]
  private var heard: [PacketHearing]
  private var memory: RememberingCodec

  init(_ form: ProtocolForm, _ cast: AppCast) {
    self.form = form
    self.cast = cast
    shown = Array(repeating: [], count: cast.members.count)
    heard = cast.members.map { _ in PacketHearing(form) }
    memory = RememberingCodec(form)
  }

  func read(_ input: AppInput, device: Int, peer: Int?) {
    guard heard.indices.contains(device) else { return }
    if case .launched = input { shown[device] = [] }
    heard[device].take(input, &memory)
  }

  func read(_ report: AppReport, device: Int) {
    if let report = report.among(FreeReport.self), shown.indices.contains(device) { shown[device].append(report) }
  }

  func peerID(of device: Int) -> String? { nil }

  func holds(_ fact: AppFact, device: Int) -> Bool {
    switch fact.statement as? FileFact {
    case .shows(let form):
      guard let newest = shown[device].last(where: { $0.what == form.name }) else { return false }
      return FileEvent(verb: .shows, name: newest.what, device: device, values: newest.values.fields).fits(form)
    case .count(let counted, let comparison, let bound): return comparison.holds(count(counted, device), bound)
    case nil: return false
    }
  }

  private func count(_ counted: FileFact.FileCounted, _ device: Int) -> Int {
    switch counted {
    case .reports(let name): shown[device].count { $0.what == name }
    case .packets(let name):
      form.packets.firstIndex { $0.name == name }.map { heard[device].count($0, &memory) } ?? 0
    }
  }

  func grounds(of fact: AppFact, device: Int) -> [ReportGrounds] {
    if case .count(.packets, _, _)? = fact.statement as? FileFact { return [] }
    return [ReportGrounds([ReportGrounds.Sayer(device: device, word: "shows")])]
  }

  func detail(_ fact: AppFact, device: Int) -> String {
    switch fact.statement as? FileFact {
    case .shows(let form):
      shown[device].last { $0.what == form.name }.map { "shows \(form.name): \($0.values.text)" }
        ?? "has shown no \(form.name)"
    case .count(let counted, _, _): "has \(count(counted, device))"
    case nil: ""
    }
  }

  func columns(of device: Int) -> [RunOutcome.Column] {
    let newest = shown[device].last.map { ($0.what + " " + $0.values.text).prefix(32) } ?? ""
    return [
      RunOutcome.Column(key: "packets", title: "packets", value: String(heard[device].total)),
      RunOutcome.Column(key: "shows", title: "shows", value: String(newest)),
    ]
  }
}

/// Counts the packets that come to one device, whoever sends them.
private struct PacketHearing {
  private var streams: [(link: LinkID, characteristic: BluetoothUUID, assembler: FileAssembler)] = []
  /// Packets whose kind nobody has asked for yet are kept up to this many.
  private static let pendingLimit = 4_096

  /// Whole packets of any kind, or octets in their place.
  private(set) var total = 0
  /// By the place of a packet in the file, pending ones aside.
  private var counts: [Int]
  private var pending: [(octets: [UInt8], characteristic: BluetoothUUID)] = []

  init(_ form: ProtocolForm) { counts = Array(repeating: 0, count: form.packets.count) }

  mutating func take(_ input: AppInput, _ memory: inout RememberingCodec) {
    switch input.plain {
    case .launched:
      streams = []
      counts = counts.map { _ in 0 }
      (total, pending) = (0, [])
    case .valueReceived(let link, let characteristic, let octets):
      var place = streams.firstIndex { $0.link == link && $0.characteristic == characteristic }
      if place == nil, let form = memory.codec.form.characteristic(characteristic) {
        if streams.count > 64 { streams.removeFirst() }
        streams.append((link, characteristic, FileAssembler(form.framing)))
        place = streams.count - 1
      }
      guard let place else { return }
      for case .packet(let text, _) in streams[place].assembler.receive(octets) {
        total += 1
        pending.append((text, characteristic))
      }
      if pending.count > Self.pendingLimit { settle(&memory) }
    default: break
    }
  }

  /// How many packets of a kind have come.
  mutating func count(_ kind: Int, _ memory: inout RememberingCodec) -> Int {
    settle(&memory)
    return counts[kind]
  }

  private mutating func settle(_ memory: inout RememberingCodec) {
    for packet in pending {
      if case .success(let found) = memory.decode(packet.octets, from: nil, on: packet.characteristic) {
        counts[found.kind] += 1
      }
    }
    pending.removeAll(keepingCapacity: true)
  }
}
