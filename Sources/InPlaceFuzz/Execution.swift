/// What one execution came to.
package struct Execution: Hashable, Sendable {
  /// Something that is wrong, in words that tell it from other things.
  package struct Cause: Hashable, Sendable, Codable {
    /// The oracle, or `Crash`, `Hang`, `ServesTheOthers`, `ComesToRest`, `Memory`.
    package var oracle: String
    package var clause: String
    /// Where in the program, as far as that is known.
    package var frame: String

    static let breakdown = "Breakdown"
    static let servesTheOthers = "ServesTheOthers"
    package static let crash = "Crash"
    static let hang = "Hang"
    static let restlessness = "ComesToRest"
    static let memory = "Memory"

    /// A process that did not get to the end of its execution.
    var isOfTheProcess: Bool { [Self.crash, Self.hang, Self.memory].contains(oracle) }

    /// One word for folders.
    package var name: String {
      let words = [oracle, clause, frame].filter { !$0.isEmpty }.joined(separator: "-")
      return String(
        words.map { letter -> Character in
          letter == "-" || letter == "." || letter.isASCII && (letter.isLetter || letter.isNumber) ? letter : "-"
        })
    }
  }

  package struct Finding: Hashable, Sendable, Codable {
    package var cause: Cause
    /// One line for people.
    package var text: String
    /// The trace record that showed it, in the process that saw it; nil where the end did, or that is not known.
    var record: Int?

    package init(_ oracle: String, clause: String = "", frame: String = "", text: String, record: Int? = nil) {
      cause = Cause(oracle: oracle, clause: clause, frame: frame)
      self.text = text
      self.record = record
    }

    package init(cause: Cause, text: String) {
      self.cause = cause
      self.text = text
    }
  }

  package var findings: [Finding] = []
  /// Pairs of state and answer, in the order in which they were first seen.
  package var pairs: [UInt64] = []
  package var events = 0
  package var digest = ""
  /// Nothing was attacked: a program under test did not come to the state, or came to another one.
  package var isAstray = false
  /// Links of each device to devices other than the hostile one.
  var links: [Int] = []
  /// Growth of the resident memory, kibibytes. Not the same in every run.
  package var growth = 0

  package init() {}

  /// Leaves what does not depend on when it was ended.
  mutating func forgetEnd() {
    findings.removeAll { !$0.cause.isOfTheProcess }
    links = []
  }

  // MARK: From a child to its parent

  /// Writes what a child has to tell; what does not fit is left out.
  func write(to memory: UnsafeMutableRawBufferPointer) {
    // The first word says that all is there.
    var writer = SharedMemoryWriter(memory: memory, place: 8)
    writer.number(UInt64(events))
    writer.number(UInt64(growth))
    writer.number(isAstray ? 1 : 0)
    writer.text(digest)
    writer.number(UInt64(links.count))
    for count in links { writer.number(UInt64(count)) }
    writer.number(UInt64(pairs.count))
    for pair in pairs { writer.number(pair) }
    let told = findings.prefix(64)
    writer.number(UInt64(told.count))
    for finding in told {
      for text in [finding.cause.oracle, finding.cause.clause, finding.cause.frame, finding.text] { writer.text(text) }
    }
    memory.storeBytes(of: 1, as: UInt64.self)
  }

  /// Nil when the child did not get to its end.
  init?(reading memory: UnsafeRawBufferPointer) {
    guard memory.load(as: UInt64.self) == 1 else { return nil }
    var reader = SharedMemoryReader(memory: memory, place: 8)
    events = Int(reader.number())
    growth = Int(reader.number())
    isAstray = reader.number() == 1
    digest = reader.text()
    links = (0..<reader.number()).map { _ in Int(reader.number()) }
    pairs = (0..<reader.number()).map { _ in reader.number() }
    findings = (0..<reader.number()).map { _ in
      let (oracle, clause, frame) = (reader.text(), reader.text(), reader.text())
      return Finding(cause: Cause(oracle: oracle, clause: clause, frame: frame), text: reader.text())
    }
  }
}
