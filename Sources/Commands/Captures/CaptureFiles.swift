import Campaigns
import CaptureFormats
import Foundation
import Judging
import SimKernel

/// The file, or the numbered files, of a live capture.
///
/// Every write is one of whole records, so whoever reads a file, and whatever ends this process, finds whole records;
/// a disk that is full costs the records that no longer fit. Not before `flush` is anything written, except for long
/// stretches.
final class CaptureFiles {
  struct Settings {
    /// `-` is standard output. With a limit, `trace.pcapng` becomes `trace-00001.pcapng`, `trace-00002.pcapng`, …, and
    /// goes on after the highest number there is.
    var path: String
    var format: CaptureFormat
    var limit: CaptureLimit?
    /// With a limit: so many numbered files stay, those of earlier captures counted; older ones are removed.
    var kept: Int?
    var application: String
  }

  /// How far it is.
  struct Progress {
    var written: Int
    var path: String
  }

  var progress: Progress { Progress(written: written, path: path) }

  private static let flushOctets = 256 * 1_024
  private static let digits = 5

  private let settings: Settings
  private(set) var path = ""
  /// Records that are in files.
  private(set) var written = 0
  /// Records that the format has no place for.
  private(set) var unwritable = 0
  /// Records whose time the format cannot say.
  var displaced: Int { earlierDisplaced + (writer.displaced?.count ?? 0) }
  private var earlierDisplaced = 0
  /// Why, of the first of those that it has no place for.
  private(set) var mismatch: String?
  /// Files begun so far.
  private(set) var count = 0

  private var descriptor: Int32 = -1
  private var writer: CaptureWriter
  private var buffer: [UInt8] = []
  private var buffered = 0
  /// Octets of whole records in this file.
  private var octets = 0
  /// Whether all that is in the file is what a file without records has: the first records replace it.
  private var isEmpty = true
  private var packets = 0
  private var firstTime: Int64?

  init(_ settings: Settings) throws(BenchFailure) {
    self.settings = settings
    writer = CaptureWriter(format: settings.format, application: settings.application)
    try begin()
  }

  deinit { if descriptor > STDERR_FILENO { close(descriptor) } }

  /// - Throws: when the disk takes no more; the file is whole then.
  func append(_ record: CaptureRecord) throws(BenchFailure) {
    if packets > 0, isOver(record) { try turn() }
    let length = buffer.count
    var sizes: CaptureWriter?
    if case .octets = settings.limit { sizes = writer }
    do {
      try writer.append(record, to: &buffer)
    } catch {
      buffer.removeLast(buffer.count - length)
      unwritable += 1
      mismatch = mismatch ?? error.description
      return
    }
    if packets > 0, let before = sizes, case .octets(let limit) = settings.limit, octets + buffer.count > limit {
      // It is the first one of the next file, where it is written once more.
      buffer.removeLast(buffer.count - length)
      writer = before
      try turn()
      return try append(record)
    }
    buffered += 1
    packets += 1
    firstTime = firstTime ?? record.nanoseconds
    if buffer.count >= Self.flushOctets { try flush() }
  }

  /// Whether a record is beyond what can be told without its size.
  private func isOver(_ record: CaptureRecord) -> Bool {
    switch settings.limit {
    case nil, .octets: false
    case .packets(let limit): packets >= limit
    case .time(let limit):
      record.nanoseconds.subtractingReportingOverflow(firstTime ?? record.nanoseconds).partialValue
        >= limit.nanoseconds
    }
  }

  private func turn() throws(BenchFailure) {
    try end()
    try begin()
  }

  /// Brings everything into the file.
  func flush() throws(BenchFailure) {
    if buffer.isEmpty { return }
    if isEmpty && octets > 0 {
      // The first records come with what was written in their absence.
      lseek(descriptor, 0, SEEK_SET)
      octets = 0
    }
    isEmpty = false
    try write(buffer)
    octets += buffer.count
    written += buffered
    buffered = 0
    buffer.removeAll(keepingCapacity: true)
  }

  /// Completes the last file.
  func finish() throws(BenchFailure) { try end() }

  private func begin() throws(BenchFailure) {
    path = settings.path
    if settings.limit != nil { path = try makeRoom() }
    descriptor =
      path == "-" ? STDOUT_FILENO : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    if descriptor < 0 { throw failure("opened", errno) }
    count += 1
    earlierDisplaced = displaced
    writer = CaptureWriter(format: settings.format, application: settings.application)
    (octets, packets, firstTime, isEmpty) = (0, 0, nil, true)
    if path == "-" { return }
    // A reader may come before the first packet does.
    var empty = writer
    var beginning: [UInt8] = []
    empty.finish(into: &beginning)
    try write(beginning)
    octets = beginning.count
  }

  private func end() throws(BenchFailure) {
    var ending: [UInt8] = []
    if !isEmpty || !buffer.isEmpty || path == "-" { writer.finish(into: &ending) }
    buffer += ending
    try flush()
    let open = descriptor
    descriptor = -1
    if open > STDERR_FILENO, close(open) != 0 { throw failure("closed", errno) }
  }

  /// In one call where the system takes it in one. What is there of records that do not fit is taken back.
  private func write(_ octets: [UInt8]) throws(BenchFailure) {
    if WholeWrite.write(octets, to: descriptor) { return }
    let code = errno
    _ = ftruncate(descriptor, off_t(self.octets))
    throw failure("written", code)
  }

  private func failure(_ what: String, _ code: Int32) -> BenchFailure {
    let name = path == "-" ? "standard output" : path
    let rest = what == "written" ? "; what is in it is whole: \(written) records" : ""
    return BenchFailure("\(name): cannot be \(what): \(String(cString: strerror(code)))\(rest)")
  }

  // MARK: Numbered files

  /// - Returns: the next name; what is too old by then is removed.
  private func makeRoom() throws(BenchFailure) -> String {
    let name = settings.path.split(separator: "/").last.map(String.init) ?? settings.path
    let folder = String(settings.path.dropLast(name.utf8.count))
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    let stem = name[..<dot] + "-"
    let ending = name[dot...]
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    var numbers = names.compactMap { other -> Int? in
      guard other.hasPrefix(stem), other.hasSuffix(ending) else { return nil }
      let middle = other.dropFirst(stem.utf8.count).dropLast(ending.utf8.count)
      guard middle.utf8.count >= Self.digits, middle.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return Int(middle)
    }
    numbers.sort()
    func path(_ number: Int) -> String {
      let digits = String(number)
      return folder + stem + String(repeating: "0", count: max(0, Self.digits - digits.utf8.count)) + digits + ending
    }
    if let kept = settings.kept { for old in numbers.dropLast(kept - 1) { unlink(path(old)) } }
    return path((numbers.last ?? 0) + 1)
  }
}
