import AppSeam
import BabSim
import Bench
import Expectations
import SimKernel
import Testing

@Suite("The words of Bab")
struct WordTests {
  @Test("No two words have one name, and every word is found by its own")
  func names() {
    Self.expectNames(BabReport.self)
    Self.expectNames(BabAction.self)
    expect(BabReport.words.count == 26 && BabAction.words.count == 20)
  }

  private static func expectNames<Statement: AppStatement>(_ type: Statement.Type) {
    equal(Set(type.names).count, type.words.count)
    for word in type.words {
      expect(!word.shape.name.isEmpty)
      equal(type.word(named: word.shape.name), word)
    }
    expect(type.word(named: "no such word") == nil)
  }

  @Test("Within a word no two fields have one name")
  func fieldNames() {
    for shape in BabReport.words.map(\.shape) + BabAction.words.map(\.shape) + [GameSettings.empty.shape] {
      equal(Set(shape.fields.map(\.name)).count, shape.fields.count, "\(shape.name)")
    }
  }

  @Test("A statement that is read from its own fields is the same again")
  func readBack() {
    Self.expectReadBack(BabReport.self)
    Self.expectReadBack(BabAction.self)
    var settings = GameSettings.empty
    var fill = Leaves(.fill)
    settings.visit(&fill)
    var collect = Leaves(.collect)
    settings.visit(&collect)
    var again = GameSettings.empty
    var read = Leaves(.put(collect.values))
    again.visit(&read)
    expect(again == settings && settings != .empty)
    equal(read.count, collect.values.count)
  }

  private static func expectReadBack<Statement: AppStatement>(_ type: Statement.Type) {
    for word in type.words {
      let statement = filled(word)
      equal((statement == word), word.shape.fields.isEmpty, "\(word.shape.name) takes what it is given")
      var copy = statement
      var collect = Leaves(.collect)
      copy.visit(&collect)
      equal(copy, statement, "who only looks changes nothing")
      guard var again = type.word(named: collect.word) else { return expect(false) }
      var read = Leaves(.put(collect.values))
      again.visit(&read)
      equal(again, statement)
      equal(read.count, collect.values.count)
    }
  }

  @Test("The digest of a statement depends on its word and on every field")
  func digests() {
    Self.expectDigests(BabReport.self)
    Self.expectDigests(BabAction.self)
  }

  private static func expectDigests<Statement: AppStatement>(_ type: Statement.Type) {
    equal(Set(type.words.map(digest)).count, type.words.count)
    for word in type.words {
      let statement = filled(word)
      var collect = Leaves(.collect)
      var copy = statement
      copy.visit(&collect)
      var digests = [digest(statement)]
      for index in collect.values.indices {
        var changed = statement
        var change = Leaves(.change(index))
        changed.visit(&change)
        expect(changed != statement)
        digests.append(digest(changed))
      }
      equal(Set(digests).count, collect.values.count + 1, "\(collect.word)")
      equal(digest(statement), digests[0], "the same again")
    }
  }

  private static func digest<Statement: AppStatement>(_ statement: Statement) -> String {
    var digest = TraceDigest()
    digest.combine(statement)
    return digest.hexadecimal
  }

  /// A word with another value in each of its fields, and two records in each list.
  private static func filled<Statement: AppStatement>(_ word: Statement) -> Statement {
    var statement = word
    var fill = Leaves(.fill)
    statement.visit(&fill)
    return statement
  }
}

/// Goes through every value of a word, those in records too, and does one thing with them.
private struct Leaves: WordVisitor {
  typealias Failure = Never

  enum Value: Equatable {
    case text(String)
    case optional(String?)
    case integer(Int64)
    case flag(Bool)
    case texts([String])
    case link(LinkID)
    /// How many records follow.
    case records(Int)
  }

  enum Purpose {
    case collect
    case fill
    /// Gives another value to the one with this number.
    case change(Int)
    case put([Value])
  }

  let purpose: Purpose
  private(set) var word = ""
  private(set) var values: [Value] = []
  var count: Int { values.count }

  init(_ purpose: Purpose) { self.purpose = purpose }

  private mutating func next(_ present: Value, _ other: (Int) -> Value) -> Value {
    let number = values.count
    let value: Value
    switch purpose {
    case .collect: value = present
    case .fill: value = other(number)
    case .change(let index): value = index == number ? other(1_000) : present
    case .put(let given): value = number < given.count ? given[number] : present
    }
    values.append(value)
    return value
  }

  mutating func word(_ name: StaticString) { word = name.description }

  mutating func field(_ name: StaticString, _ value: inout String) {
    if case .text(let new) = next(.text(value), { .text("text \($0)") }) { value = new }
  }

  mutating func field(_ name: StaticString, _ value: inout String?) {
    if case .optional(let new) = next(.optional(value), { .optional("perhaps \($0)") }) { value = new }
  }

  mutating func field(_ name: StaticString, _ value: inout Int64) {
    if case .integer(let new) = next(.integer(value), { .integer(Int64($0 + 1)) }) { value = new }
  }

  mutating func field(_ name: StaticString, _ value: inout Bool) {
    let present = value
    if case .flag(let new) = next(.flag(value), { _ in .flag(!present) }) { value = new }
  }

  mutating func field(_ name: StaticString, _ value: inout [String]) {
    if case .texts(let new) = next(.texts(value), { .texts(["one \($0)", "two"]) }) { value = new }
  }

  mutating func field(_ name: StaticString, _ value: inout LinkID) {
    if case .link(let new) = next(.link(value), { .link(LinkID($0 + 1)) }) { value = new }
  }

  mutating func records<Record: WordRecord>(_ name: StaticString, _ value: inout [Record]) {
    guard case .records(let count) = next(.records(value.count), { .records($0 == 1_000 ? 5 : 2) }) else { return }
    while value.count < count { value.append(.empty) }
    value.removeLast(value.count - count)
    for index in value.indices { value[index].visit(&self) }
  }
}
