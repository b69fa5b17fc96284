/// One kind of mapping whose keys are declared once: name, form and limits of a value, words for people, and the part
/// of the model that it stands for.
///
/// From the declarations follow the table (schema, documentation, messages about unknown keys), reading with messages,
/// and writing.
public struct KeyedMapping<Model: Sendable>: Sendable {
  public let table: KeyTable
  private let usual: Model
  private let visit: @Sendable (inout Model, KeyVisitor) -> Void

  /// - Parameters:
  ///   - id: of its definition in the schema.
  ///   - title: how messages call such a mapping.
  ///   - usual: the model of which the keys change parts.
  ///   - visit: declares the keys in their order, and checks values that depend on each other.
  public init(
    _ id: String, _ title: String, of usual: Model, visit: @escaping @Sendable (inout Model, KeyVisitor) -> Void
  ) {
    (self.usual, self.visit) = (usual, visit)
    let keys = KeyVisitor(reading: nil)
    var model = usual
    visit(&model, keys)
    table = KeyTable(id: id, title: title, keys: keys.listed)
  }

  /// The model with the keys that are written. Where something is wrong, that is noted, and a part stays as it is.
  public func read(_ tree: YAMLTree, _ decoder: ScenarioDecoder, from base: Model? = nil) -> Model {
    guard let fields = decoder.fields(tree, table) else { return base ?? usual }
    return read(fields, decoder, from: base ?? usual)
  }

  func read(_ fields: ScenarioDecoder.Fields, _ decoder: ScenarioDecoder, from base: Model) -> Model {
    var model = base
    visit(&model, KeyVisitor(reading: .init(decoder: decoder, fields: fields, table: table)))
    return model
  }

  /// Everything that can be written of a model.
  public func tree(of model: Model) -> YAMLTree {
    let keys = KeyVisitor(reading: nil)
    var model = model
    visit(&model, keys)
    return .map(keys.written)
  }

  /// What must be written to make one model of another; it may be nothing.
  public func tree(of model: Model, unlike other: Model) -> YAMLTree {
    guard case .mapping(var entries) = tree(of: model).value, case .mapping(let known) = tree(of: other).value else {
      return .map([])
    }
    entries.removeAll(where: known.contains)
    return YAMLTree(location: YAMLTree.nowhere, value: .mapping(entries))
  }

  /// A value that is such a mapping.
  public var form: ValueForm<Model> { form(from: usual) }

  /// A value that is such a mapping and changes another model.
  func form(from base: Model) -> ValueForm<Model> {
    ValueForm(.table(table.id), { tree(of: $0) }) { decoder, tree, _ in read(tree, decoder, from: base) }
  }
}

/// Goes through the keys of a mapping: lists and writes them, or reads them.
public final class KeyVisitor {
  struct Reading {
    let decoder: ScenarioDecoder
    let fields: ScenarioDecoder.Fields
    let table: KeyTable
  }

  /// Whether a key may be there, which may depend on others.
  public enum Presence {
    case optional
    /// In every such mapping; the schema says so.
    case required
    /// In this mapping, where others need not have it.
    case needed
    /// Not in this mapping; the message says why.
    case refused(String)
    /// Whatever it is, it is not read.
    case ignored
  }

  /// Nil: keys are listed and written.
  private let reading: Reading?
  private(set) var listed: [KeyTable.Key] = []
  private(set) var written: [(String, YAMLTree?)] = []

  fileprivate init(reading: Reading?) { self.reading = reading }

  /// A key with a value that is always there.
  /// - Parameters:
  ///   - usual: the value that is meant where none is written; it is not written then.
  ///   - pause: that value as a text, where it is the time between two things that are done again and again.
  public func callAsFunction<Value: Equatable>(
    _ name: String, _ value: inout Value, _ form: ValueForm<Value>, _ help: String, _ presence: Presence = .optional,
    usual: Value? = nil, pause: String? = nil
  ) {
    self(name, form, help, presence, value: value == usual ? nil : value) { value = $0 }
    if let pause, !listed.isEmpty { listed[listed.count - 1].usual = pause }
  }

  /// A key without a value where it is not written.
  public func callAsFunction<Value>(
    _ name: String, _ value: inout Value?, _ form: ValueForm<Value>, _ help: String, _ presence: Presence = .optional
  ) {
    self(name, form, help, presence, value: value) { value = $0 }
  }

  /// A key whose value is put into the model in its own way.
  /// - Parameter value: nil: it is not written.
  public func callAsFunction<Value>(
    _ name: String, _ form: ValueForm<Value>, _ help: String, _ presence: Presence = .optional, value: Value?,
    set: (Value) -> Void
  ) {
    guard let reading else {
      var isRequired = false
      if case .required = presence { isRequired = true }
      listed.append(KeyTable.Key(name, form.kind, help, isRequired: isRequired))
      if let value { written.append((name, form.write(value))) }
      return
    }
    let tree: YAMLTree?
    switch presence {
    case .optional: tree = reading.fields[name]
    case .required, .needed: tree = reading.decoder.required(name, reading.fields, reading.table)
    case .refused(let message):
      tree = nil
      if has(name) { reading.decoder.note(reading.fields.keyLocation(name), message) }
    case .ignored: tree = nil
    }
    if let tree, let value = form.read(reading.decoder, tree, "“\(name)”") { set(value) }
  }

  /// A key that is read before the others.
  public func callAsFunction(_ name: String, _ kind: ValueKind, _ help: String) {
    if reading == nil { listed.append(KeyTable.Key(name, kind, help)) }
  }

  /// Whether a key is in the mapping that is read.
  public func has(_ name: String) -> Bool { reading?.fields[name] != nil }

  /// Says at the value of a key what is wrong with it.
  public func note(_ name: String, _ message: String) {
    if let reading, let tree = reading.fields[name] { reading.decoder.note(tree.location, message) }
  }

  /// Says what is wrong at the first of these keys that is there, else at the mapping.
  public func noteMapping(_ message: String, firstOf names: [String] = []) {
    guard let reading else { return }
    let place = names.first(where: has).map(reading.fields.keyLocation) ?? reading.fields.location
    reading.decoder.note(place, message)
  }
}
