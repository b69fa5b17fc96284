/// Finds the crash message in what a program wrote to standard error, so that its place is shown first.
///
/// Knows the messages of Swift, Python, Node.js, the JVM, Ruby and of sanitizers, and for a program that ended badly
/// any line with a `file:line`. Reads a bounded part of the log, and gives nil for a message that it does not know.
package struct CrashReader {
  private static let lineLimit = 1_000
  private static let columnLimit = 400
  private static let shownLines = 6
  private static let shownColumns = 200
  /// How far from the end a line without any frame about it may be.
  private static let plainLines = 12

  /// The newest lines of the log, oldest first, none of them empty.
  private let lines: [Substring]
  /// Files in here are named relative to it.
  private let folder: String
  /// A frame of the program itself says more than one of a library that it calls.
  private let prefersOwnFrames: Bool
  /// How many lines a source file has, by its name; nil where it is not at hand.
  private let lineCount: (String) -> Int?

  /// - Parameter lineCount: nil: of the files below the folder.
  package init(
    _ log: String, folder: String, prefersOwnFrames: Bool = true, lineCount: ((String) -> Int?)? = nil
  ) {
    self.prefersOwnFrames = prefersOwnFrames
    self.lineCount = lineCount ?? SourceLines(folder: folder).count
    let all = log.split(whereSeparator: \.isNewline).filter { $0.contains { !$0.isWhitespace } }
    lines = all.suffix(Self.lineLimit).map { $0.prefix(Self.columnLimit) }
    self.folder = folder.hasSuffix("/") ? folder : folder + "/"
  }

  /// The message, and its lines that say most; without a message the newest lines.
  ///
  /// - Parameter endedBadly: by a signal or with an exit code other than 0: any line may be the message then.
  package func read(endedBadly: Bool) -> (crash: CrashMessage?, lines: [String]) {
    let ending = endedBadly ? goroutine() ?? assertion() : nil
    let named: Found? = sanitizer() ?? swift() ?? python() ?? stack()
    let found: Found? = named ?? ruby() ?? ending ?? runtimeError() ?? (endedBadly ? plain() : nil)
    guard let found else { return (nil, shown(lines.suffix(Self.shownLines))) }
    var crash = found.crash
    crash.file = relative(crash.file)
    crash.text = String(crash.text.prefix(Self.shownColumns))
    return (crash, shown(found.lines.prefix(Self.shownLines)))
  }

  private typealias Found = (crash: CrashMessage, lines: [Substring])

  private func shown(_ lines: some Sequence<Substring>) -> [String] {
    lines.map { line in
      let head = line.prefix(Self.shownColumns).replacing("\t", with: "    ")
      return head + (line.count > Self.shownColumns ? "…" : "")
    }
  }

  private func relative(_ path: String) -> String {
    let plain = path.hasPrefix("file://") ? String(path.dropFirst(7)) : path
    return plain.hasPrefix(folder) ? String(plain.dropFirst(folder.count)) : plain
  }

  // MARK: Swift

  /// `Host/Engine.swift:42: Fatal error: no link`, and a backtrace whose frames end in ` at <path>:42:7`.
  private func swift() -> Found? {
    let fatal = lines.lastIndex { $0.contains("Fatal error") }
    let crashed = lines.lastIndex { $0.hasPrefix("*** Program crashed:") }
    guard let start = fatal ?? crashed else { return nil }
    let frames = lines[start...].filter { $0.contains(" in ") }.compactMap { line in
      line.split(separator: " at ").last.flatMap { Self.place($0, columns: true) }.map { (line: line, place: $0) }
    }
    let head = lines[start]
    var text = head.hasPrefix("***") ? head.drop { $0 == "*" || $0 == " " } : head[...]
    var place: Place?
    if let mark = head.firstRange(of: ": Fatal error") {
      place = Self.place(head[..<mark.lowerBound], columns: false)
      text = head[mark.lowerBound...].dropFirst(2)
    }
    // A check of the standard library: the frame of the program says more.
    if place == nil || place?.file.hasPrefix("Swift/") == true { place = frames.first?.place ?? place }
    guard let place else { return nil }
    let crash = CrashMessage(file: place.file, line: place.line, text: Self.trimmed(text, "*"))
    return (crash, [head] + frames.map(\.line))
  }

  // MARK: Python

  /// `  File "host.py", line 42, in handle` with the newest call last, then the error in a line of its own.
  private func python() -> Found? {
    guard let last = lines.lastIndex(where: { Self.pythonPlace($0) != nil }) else { return nil }
    let isPart = { (line: Substring) in line.hasPrefix(" ") }
    guard let end = lines[last...].firstIndex(where: { !isPart($0) }) else { return nil }
    let start = lines[..<last].lastIndex { !isPart($0) } ?? last
    let places = lines[start...last].compactMap(Self.pythonPlace)
    let isForeign = { (place: Place) in
      place.file.hasPrefix("<") || place.file.contains("/lib/python") || place.file.contains("/site-packages/")
    }
    let own = prefersOwnFrames ? places.last { !isForeign($0) } : nil
    guard let place = own ?? places.last else { return nil }
    let crash = CrashMessage(file: place.file, line: place.line, text: String(lines[end]))
    let said = lines[start...end].filter { $0.contains { !"^~ ".contains($0) } }
    return (crash, said.suffix(Self.shownLines))
  }

  private static func pythonPlace(_ line: Substring) -> Place? {
    let text = line.drop { $0 == " " }
    guard line.hasPrefix(" "), text.hasPrefix("File \"") else { return nil }
    let parts = text.dropFirst(6).split(separator: "\", line ", maxSplits: 1)
    guard parts.count == 2, let number = Int(parts[1].prefix { $0.isNumber }) else { return nil }
    return Place(file: String(parts[0]), line: number)
  }

  // MARK: Sanitizers of C compilers

  /// `==7==ERROR: AddressSanitizer: …` with frames `    #1 0x5512 in read_pdu /src/att.c:42:7`, the innermost first, of
  /// which those of the sanitizer itself come before the program's.
  private func sanitizer() -> Found? {
    if let start = lines.lastIndex(where: { $0.contains("ERROR: ") && $0.contains("Sanitizer: ") }) {
      let frames = lines[start...].dropFirst().drop { !Self.isSanitizerFrame($0) }.prefix(while: Self.isSanitizerFrame)
      let places = frames.compactMap { line in
        line.split(separator: " ").last.flatMap { Self.place($0, columns: true) ?? Self.place($0, columns: false) }
      }
      let foreign = ["/compiler-rt/", "/sanitizer_common/", "/sysdeps/"]
      let place = places.first { place in !foreign.contains { place.file.contains($0) } }
      guard let place else { return nil }
      // Addresses are others each time.
      let head = lines[start].drop { $0 == "=" || $0.isNumber }
      let text = head.firstRange(of: " on address ").map { head[..<$0.lowerBound] } ?? head
      return (CrashMessage(file: place.file, line: place.line, text: Self.trimmed(text)), [lines[start]] + frames)
    }
    return nil
  }

  /// `/src/att.c:42:7: runtime error: …`, after which a program goes on, unless it was built to end then.
  private func runtimeError() -> Found? {
    guard let line = lines.last(where: { $0.contains(": runtime error: ") }),
      let mark = line.firstRange(of: ": runtime error: "),
      let place = Self.place(line[..<mark.lowerBound], columns: true)
    else { return nil }
    return (CrashMessage(file: place.file, line: place.line, text: String(line[mark.upperBound...])), [line])
  }

  private static func isSanitizerFrame(_ line: Substring) -> Bool {
    line.first?.isWhitespace == true && trimmed(line).hasPrefix("#") && line.contains(" in ")
  }

  // MARK: Node.js and the JVM

  /// The newest block of lines that begin with `at`, after the error. A cause of the JVM comes after what it caused.
  private func stack() -> Found? {
    let isFrame = { (line: Substring) in line.first?.isWhitespace == true && Self.trimmed(line).hasPrefix("at ") }
    guard let last = lines.lastIndex(where: isFrame) else { return nil }
    let before = lines[..<last].lastIndex { !isFrame($0) }
    let frames = lines[(before.map { $0 + 1 } ?? 0)...last]
    // The message may have more than one line.
    let head =
      before.flatMap { before in
        let start = lines[..<before].lastIndex(where: isFrame) ?? lines.startIndex
        return lines[start...before].lastIndex { $0.contains("Error: ") || $0.contains("Exception: ") }
      } ?? before
    let places = frames.compactMap(Self.framePlace)
    guard let place = real(places.filter { !$0.isForeign }.map(\.place)) ?? places.first?.place else { return nil }
    var text = head.map { Self.trimmed(lines[$0]) } ?? ""
    for opening in ["Exception in thread ", "Caused by: "] where text.hasPrefix(opening) {
      text = String(text.dropFirst(opening.count))
      if text.hasPrefix("\""), let quote = text.dropFirst().firstIndex(of: "\"") {
        text = String(text[text.index(after: quote)...].drop { $0 == " " })
      }
    }
    let crash = CrashMessage(file: place.file, line: place.line, text: text)
    return (crash, (head.map { Array(lines[$0..<frames.startIndex]) } ?? []) + frames)
  }

  /// The first place that is in its file, or else the first file: the line of inlined code is beyond its end.
  private func real(_ places: [Place]) -> Place? {
    guard let first = places.first else { return nil }
    let found = places.first { place in lineCount(place.file).map { place.line <= $0 } ?? true }
    return found ?? Place(file: first.file, line: 0)
  }

  /// `at Host.handle (/app/host.js:42:7)`, `at file:///app/host.mjs:42:7`, `at app.Host.handle(Host.kt:42)`.
  private static func framePlace(_ line: Substring) -> (place: Place, isForeign: Bool)? {
    let text = Substring(trimmed(line).dropFirst(3))
    guard let open = text.lastIndex(of: "("), text.hasSuffix(")") else {
      return place(text.split(separator: " ").last ?? text, columns: true).map { ($0, $0.file.hasPrefix("node:")) }
    }
    let inner = text[text.index(after: open)...].dropLast()
    if let found = place(inner, columns: true) { return (found, found.file.hasPrefix("node:")) }
    guard let found = place(inner, columns: false) else { return nil }
    let method = text[..<open].split(separator: "/").last ?? ""
    return (found, jvmLibraries.contains { method.hasPrefix($0) })
  }

  /// Packages whose code no team of an app has written.
  private static let jvmLibraries = [
    "java.", "javax.", "jdk.", "sun.", "com.sun.", "kotlin.", "kotlinx.", "android.", "androidx.", "dalvik.",
    "com.android.", "com.google.", "org.jetbrains.", "org.json.", "io.ktor.", "okhttp3.", "okio.", "org.junit.",
    "scala.", "groovy.", "org.gradle.",
  ]

  // MARK: Ruby

  /// `host.rb:3:in 'handle': no link (RuntimeError)`, then `<tab>from host.rb:5:in '<main>'`, the newest call first.
  private func ruby() -> Found? {
    let isCaller = { (line: Substring) in Self.trimmed(line).hasPrefix("from ") && line.contains(":in ") }
    guard let caller = lines.lastIndex(where: isCaller),
      let start = lines[..<caller].lastIndex(where: { !isCaller($0) && $0.contains(":in ") }),
      let newest = Self.anyPlace(lines[start])
    else { return nil }
    let frames = lines[start...caller].filter { $0.contains(":in ") }
    let isForeign = { (place: Place) in
      place.file.hasPrefix("<internal:") || place.file.contains("/lib/ruby/") || place.file.contains("/gems/")
    }
    let own = prefersOwnFrames ? frames.lazy.compactMap(Self.anyPlace).first { !isForeign($0) } : nil
    let place = own ?? newest
    let crash = CrashMessage(file: place.file, line: place.line, text: Self.trimmed(lines[start]))
    return (crash, Array(lines[start...caller]))
  }

  // MARK: Others

  /// Go: `panic: …`, then frames with `<tab>/app/host.go:42 +0x1d`.
  private func goroutine() -> Found? {
    guard let start = lines.lastIndex(where: { $0.hasPrefix("panic: ") || $0.hasPrefix("fatal error: ") }) else {
      return nil
    }
    let frames = lines[start...].filter { $0.hasPrefix("\t") }
    let places = frames.compactMap { Self.place($0.dropFirst().prefix { $0 != " " }, columns: false) }
    guard let place = places.first(where: { !$0.file.contains("/src/runtime/") }) else { return nil }
    return (CrashMessage(file: place.file, line: place.line, text: String(lines[start])), [lines[start]] + frames)
  }

  /// C: `host: /app/host.c:42: void read(int): Assertion `length > 0' failed.`
  private func assertion() -> Found? {
    guard let line = lines.last(where: { $0.contains(": Assertion ") && $0.hasSuffix(" failed.") }),
      let place = Self.anyPlace(line)
    else { return nil }
    return (CrashMessage(file: place.file, line: place.line, text: Self.trimmed(line)), [line])
  }

  /// A line that names a place, as those of Ruby, Perl, Rust, and of assertions in C.
  private func plain() -> Found? {
    for index in lines.indices.suffix(Self.plainLines).reversed() {
      // Ruby tells the error first, then who called.
      guard let place = Self.anyPlace(lines[index]), !Self.trimmed(lines[index]).hasPrefix("from ") else { continue }
      let crash = CrashMessage(file: place.file, line: place.line, text: Self.trimmed(lines[index]))
      return (crash, Array(lines[index...]))
    }
    return nil
  }

  /// The first `name.ending:42` of a line, or ` at name.ending line 42`.
  private static func anyPlace(_ line: Substring) -> Place? {
    let words = line.split(separator: " ")
    for (index, word) in words.enumerated() {
      if words.indices.contains(index + 2), words[index + 1] == "line", isFileName(word),
        let number = Int(words[index + 2].prefix { $0.isNumber })
      {
        return Place(file: String(word), line: number)
      }
      let parts = word.split(separator: ":")
      for part in parts.indices.dropLast() where isFileName(parts[part]) {
        let digits = parts[part + 1].prefix { $0.isNumber }
        if let number = Int(digits), number > 0 {
          return Place(file: parts[...part].joined(separator: ":"), line: number)
        }
      }
    }
    return nil
  }

  // MARK: Places

  private struct Place {
    var file: String
    var line: Int
  }

  /// `<file>:<line>`, and `:<column>` after it when there is one.
  private static func place(_ text: Substring, columns: Bool) -> Place? {
    var parts = text.split(separator: ":", omittingEmptySubsequences: false)
    if columns {
      guard parts.count > 2, Int(parts.removeLast()) != nil else { return nil }
    }
    guard parts.count > 1, let line = Int(parts.removeLast()), line > 0 else { return nil }
    let file = parts.joined(separator: ":")
    return file.isEmpty ? nil : Place(file: file, line: line)
  }

  /// A name and an ending of letters.
  private static func isFileName(_ text: Substring) -> Bool {
    guard let dot = text.lastIndex(of: "."), dot > text.startIndex else { return false }
    let ending = text[text.index(after: dot)...]
    return (1...6).contains(ending.count) && ending.allSatisfy { $0.isLetter && $0.isASCII }
  }

  private static func trimmed(_ text: Substring, _ more: Character = " ") -> String {
    var text = text.drop { $0.isWhitespace }
    while let last = text.last, last.isWhitespace || last == more { text.removeLast() }
    return String(text)
  }
}
