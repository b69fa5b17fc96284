import BluetoothWire
import Foundation
import SimKernel
import VirtualRadio

/// Why a file is no recording of a session: `file:line: what is wrong`.
public struct SessionProblem: Error, Hashable, Sendable, CustomStringConvertible {
  public var file: String
  /// From 1.
  public var line: Int
  public var message: String

  public init(file: String, line: Int, message: String) {
    self.file = file
    self.line = line
    self.message = message
  }

  public var description: String { "\(file):\(line): \(message)" }
}

/// Reads recorded sessions: Docs/Formats/session.md has the format.
///
/// Total: every sequence of octets gives a recording or one problem with its line. A last line that breaks off and a
/// missing end are no problems, but are told (`SessionRecording.remark`): a session may be ended from outside.
public enum SessionFile {
  /// Octets of the first line, which has the scenario in it (at most 1 MiB, six times that when escaped).
  static let headerLimit = 8 << 20
  /// Octets of any other line: twice the longest packet, and what stands around it.
  static let lineLimit = 2 * ForeignEvent.maximumPacket + 1_024
  /// Octets of a file; about ten million packets.
  static let sizeLimit = 1 << 30

  /// Loads and reads a file.
  public static func load(_ path: String) -> Result<SessionRecording, SessionProblem> {
    func refused(_ message: String) -> Result<SessionRecording, SessionProblem> {
      .failure(SessionProblem(file: path, line: 1, message: message))
    }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      return refused("there is no such file; hci serve and play write one in their working directory or --out")
    }
    if isFolder.boolValue { return refused("this is a folder; write the session.jsonl in it") }
    if ScenarioFile.isWaitingPipe(path) {
      return refused("this is a named pipe, which may never end; write a file")
    }
    guard let handle = FileHandle(forReadingAtPath: path) else { return refused("the file cannot be opened") }
    defer { try? handle.close() }
    guard let data = try? handle.read(upToCount: sizeLimit + 1) else { return refused("the file is empty") }
    if data.count > sizeLimit { return refused("the file has more than \(sizeLimit) octets; no session is that long") }
    return read([UInt8](data), file: path)
  }

  /// - Parameter file: how messages call it.
  public static func read(_ octets: [UInt8], file: String) -> Result<SessionRecording, SessionProblem> {
    var reader = LineReader(file: file)
    do throws(SessionProblem) {
      var start = 0
      while start < octets.count {
        let limit = reader.line == 0 ? headerLimit : lineLimit
        let window = octets[start..<min(octets.count, start + limit + 1)]
        guard let end = window.firstIndex(of: 0x0A) else {
          if window.count > limit { throw reader.problem("the line has more than \(limit) octets", ahead: 1) }
          reader.readRest(octets[start...])
          break
        }
        try reader.read(octets[start..<end])
        start = end + 1
      }
      return .success(try reader.finish())
    } catch {
      return .failure(error)
    }
  }
}

/// The lines read so far.
private struct LineReader {
  let file: String
  /// Lines read.
  private(set) var line = 0
  private var header: SessionRecording.Header?
  private var entries: [SessionRecording.Entry] = []
  /// The devices that have come so far.
  private var arrived: [String] = []
  private var end: SessionRecording.End?
  private var remark: String?
  private let decoder = JSONDecoder()

  init(file: String) { self.file = file }

  /// Any line but the first; members that do not apply are not there.
  private struct Line: Decodable {
    var kind: String
    var instant: Int64
    var device: String?
    var octets: String?
    var words: String?
    var external: Bool?
    var ending: String?
    var digest: String?
  }

  func problem(_ message: String, ahead: Int = 0) -> SessionProblem {
    SessionProblem(file: file, line: max(1, line + ahead), message: message)
  }

  mutating func read(_ octets: ArraySlice<UInt8>) throws(SessionProblem) {
    line += 1
    guard let header else {
      header = try header(octets)
      return
    }
    if end != nil { throw problem("there is more after the end; a session has one end") }
    guard let read = try? decoder.decode(Line.self, from: Data(octets)) else {
      throw problem("this is no line of a session; each is a JSON object with “kind” and “instant”")
    }
    let instant = SimInstant(nanoseconds: read.instant)
    if instant < entries.last?.instant ?? .zero {
      throw problem("the instant \(read.instant) is before the line above; time never goes back")
    }
    if read.kind == LineKind.end.rawValue {
      end = try end(read, instant)
    } else {
      entries.append(try entry(read, instant, header))
    }
  }

  /// What follows the last line feed: a whole line, or one that was never finished.
  mutating func readRest(_ octets: ArraySlice<UInt8>) {
    var attempt = self
    if (try? attempt.read(octets)) != nil {
      self = attempt
    } else {
      remark = "line \(line + 1) breaks off"
    }
  }

  mutating func finish() throws(SessionProblem) -> SessionRecording {
    guard let header else { throw problem("there is no whole line in it; a session begins with its header") }
    if end == nil { remark = [remark, "the end is missing"].compactMap { $0 }.joined(separator: ", ") }
    return SessionRecording(header: header, entries: entries, end: end, remark: remark)
  }

  // MARK: Lines

  private func header(_ octets: ArraySlice<UInt8>) throws(SessionProblem) -> SessionRecording.Header {
    struct Mark: Decodable {
      var format: String
      var version: Int
    }
    guard let mark = try? decoder.decode(Mark.self, from: Data(octets)), mark.format == SessionRecording.format else {
      throw problem("this is no recorded session; the first line of one says “\(SessionRecording.format)”")
    }
    guard mark.version == SessionRecording.version else {
      throw problem(
        "the session has version \(mark.version), this bench reads \(SessionRecording.version);"
          + " replay it with the bench that recorded it")
    }
    guard let line = try? decoder.decode(HeaderLine.self, from: Data(octets)) else {
      throw problem("the header lacks a member, or one is not what it should be; Docs/Formats/session.md has them")
    }
    guard let seed = UInt64(line.seed) else { throw problem("“seed” is no number from 0 to 2^64-1") }
    var seats: [SessionRecording.NamedSeat] = []
    for member in line.seats {
      guard let seat = Seat(rawValue: member.seat) else {
        throw problem("a seat is \(Seat.allCases.map(\.rawValue).joined(separator: ", ")), not what this says")
      }
      if seats.contains(where: { $0.device == member.device }) { throw problem("a device has two seats") }
      seats.append(SessionRecording.NamedSeat(device: member.device, seat: seat))
    }
    for setting in line.settings where ScenarioOverride(setting) == nil {
      throw problem("“settings” has an entry that is not key=value")
    }
    var header = SessionRecording.Header(
      bench: line.bench, file: line.file, scenario: line.scenario, settings: line.settings, seed: seed, seats: seats)
    header.places = line.places ?? 0
    guard (0...Scenario.maximumPlaces).contains(header.places) else {
      throw problem("“places” is 0 to \(Scenario.maximumPlaces)")
    }
    header.profiles = (line.profiles ?? []).map { SessionRecording.NamedText(path: $0.path, text: $0.text) }
    return header
  }

  private mutating func entry(
    _ line: Line, _ instant: SimInstant, _ header: SessionRecording.Header
  ) throws(SessionProblem) -> SessionRecording.Entry {
    if line.kind == LineKind.step.rawValue {
      guard let device = line.device, let words = line.words else { throw problem("a step has “device” and “words”") }
      return SessionRecording.Entry(instant: instant, what: .step(device: device, words: words))
    }
    if let what = try turnover(line, header) { return SessionRecording.Entry(instant: instant, what: what) }
    guard
      let seat = header.seats.firstIndex(where: { $0.device == line.device && $0.seat != .simulated })
        ?? arrived.firstIndex(where: { $0 == line.device }).map({ header.seats.count + $0 })
    else {
      throw problem("“device” names no device with an external seat")
    }
    let event: ForeignEvent
    switch LineKind(rawValue: line.kind) {
    case .attached: event = .attached
    case .detached: event = .detached
    case .packet:
      guard let text = line.octets, let octets = [UInt8](hexadecimalDigits: text), !octets.isEmpty else {
        throw problem("“octets” must be an even number of hexadecimal digits")
      }
      if octets.count > ForeignEvent.maximumPacket {
        throw problem("the packet has \(octets.count) octets; none has more than \(ForeignEvent.maximumPacket)")
      }
      event = .packet(octets)
    case .header, .step, .arrival, .departure, .end, nil:
      throw problem("a line is attached, detached, packet, step, arrival, departure or end, not what this says")
    }
    return SessionRecording.Entry(instant: instant, seat: seat, event: event)
  }

  /// Who has come or left; nil: the line says something else.
  private mutating func turnover(
    _ line: Line, _ header: SessionRecording.Header
  ) throws(SessionProblem) -> SessionRecording.Entry.What? {
    switch LineKind(rawValue: line.kind) {
    case .arrival:
      guard let name = line.device, let words = line.words, let isExternal = line.external else {
        throw problem("an arrival has “device”, “words” and “external”")
      }
      if arrived.count == header.places { throw problem("more devices have come than there are “places”") }
      arrived.append(name)
      return .arrival(SessionRecording.Arrival(name: name, words: words, isExternal: isExternal))
    case .departure:
      guard let name = line.device else { throw problem("a departure has “device”") }
      return .departure(device: name)
    default: return nil
    }
  }

  private func end(_ line: Line, _ instant: SimInstant) throws(SessionProblem) -> SessionRecording.End {
    guard let word = line.ending, let ending = RunOutcome.Ending(rawValue: word) else {
      throw problem("“ending” is none that a session can have")
    }
    guard let digest = line.digest, digest.utf8.count == 32, [UInt8](hexadecimalDigits: digest) != nil else {
      throw problem("“digest” must be 32 hexadecimal digits")
    }
    return SessionRecording.End(instant: instant, ending: ending, digest: digest.lowercased())
  }
}
