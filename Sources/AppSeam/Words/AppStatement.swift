public import SimKernel

/// Fields that know their names.
public protocol WordFields: Hashable, Sendable {
  /// Names the word, if it is one, and its fields, and takes the fields back from a visitor that reads.
  mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure)
}

extension WordFields {
  /// Whether both are of one type and equal.
  public func isSame(as other: any WordFields) -> Bool { (other as? Self) == self }
}

/// The words of one kind that a protocol has: what its users do, or what its apps show. Usually an enumeration.
public protocol AppStatement: WordFields {
  /// One of each word, with any fields.
  static var words: [Self] { get }
  /// A number by which those who know the protocol sort words without a look at their fields; 0 where nobody does.
  var mark: UInt8 { get }
  /// Mixes the word into a digest, as `TraceDigest.combine` does: asked for here, it is compiled for each type.
  func mix(into digest: inout TraceDigest)
  /// For people; by default the word, and its fields in brackets.
  var text: String { get }
}

extension AppStatement {
  public var mark: UInt8 { 0 }
  public var text: String { shape.description }
  @inlinable public func mix(into digest: inout TraceDigest) { digest.combine(self) }
}

extension AppStatement {
  /// The names of all words, in the order of `words`.
  public static var names: [String] { words.map { $0.shape.name } }

  /// A statement by the name of its word, with any fields; nil when there is no such word.
  public static func word(named name: String) -> Self? { words.first { $0.shape.name == name } }
}

/// Holds a statement, so that inputs and effects stay as small and as quick to copy as a reference.
@usableFromInline
class StatementBox: @unchecked Sendable {
  @usableFromInline let mark: UInt8

  @usableFromInline
  init(mark: UInt8) { self.mark = mark }
  var statement: any AppStatement { preconditionFailure("a box without a statement") }
  func mix(into digest: inout TraceDigest) { preconditionFailure("a box without a statement") }
}

@usableFromInline
final class TypedStatementBox<Statement: AppStatement>: StatementBox, @unchecked Sendable {
  @usableFromInline let typed: Statement

  @usableFromInline
  init(_ statement: Statement) {
    typed = statement
    super.init(mark: statement.mark)
  }
  override var statement: any AppStatement { typed }
  override func mix(into digest: inout TraceDigest) { typed.mix(into: &digest) }
}

/// A word of an app, whichever app it is.
public struct AppWord<Speaker>: Hashable, Sendable, CustomStringConvertible {
  @usableFromInline let box: StatementBox

  @inlinable
  public init<Statement: AppStatement>(_ statement: Statement) { box = TypedStatementBox(statement) }
  /// As above, where the protocol is known as a value only.
  public init(erased statement: any AppStatement) {
    func box(_ statement: some AppStatement) -> Self { Self(statement) }
    self = box(statement)
  }

  public var statement: any AppStatement { box.statement }
  /// The name of the word, for those who ask seldom.
  public var name: String { box.statement.shape.name }
  /// The statement's mark.
  @inlinable public var mark: UInt8 { box.mark }
  /// Mixes the statement into a digest.
  public func mix(into digest: inout TraceDigest) { box.mix(into: &digest) }
  /// The statement, if it is one of these words.
  @inlinable
  public func among<Statement: AppStatement>(_ words: Statement.Type) -> Statement? {
    (box as? TypedStatementBox<Statement>)?.typed
  }

  public static func == (a: Self, b: Self) -> Bool { a.statement.isSame(as: b.statement) }
  public func hash(into hasher: inout Hasher) { statement.hash(into: &hasher) }
  /// The statement's text for people: the word, and its fields in brackets.
  public var description: String { statement.text }
}

/// What a person does with an app, as a scenario step writes it.
public typealias AppAction = AppWord<AppUser>
/// What an app shows or claims; the only view that judges have into an engine.
public typealias AppReport = AppWord<AppScreen>
/// Who says an `AppAction`.
public enum AppUser {}
/// Who says an `AppReport`.
public enum AppScreen {}

/// What all apps of a run know: the settings of a protocol in a scenario.
public struct AppSettings: Hashable, Sendable {
  public var record: any WordRecord
  public init(_ record: some WordRecord) { self.record = record }

  public static func == (a: Self, b: Self) -> Bool { a.record.isSame(as: b.record) }
  public func hash(into hasher: inout Hasher) { record.hash(into: &hasher) }
}

/// The settings of an app that has none.
public struct NoSettings: WordRecord {
  public static let empty = NoSettings()
  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {}
}

/// The words of an app that has none.
public enum NoWords: AppStatement {
  public static let words: [NoWords] = []
  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {}
}
