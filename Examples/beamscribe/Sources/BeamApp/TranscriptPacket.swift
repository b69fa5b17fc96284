/// A packet of BEAM 4.
enum TranscriptPacket {
  struct Chunk {
    var sequence: Int
    var text: String
  }

  case liveChunk(Chunk, isFinal: Bool, sentMilliseconds: Int?)
  case fullHistory([Chunk], upTo: Int)
  case alert(Alert)

  enum Alert: String {
    case hostDisconnected, batteryLow, sessionResumed
  }

  var type: String {
    switch self {
    case .liveChunk: "liveChunk"
    case .fullHistory: "fullHistory"
    case .alert: "alert"
    }
  }

  // MARK: Writing

  /// The body, canonical.
  var body: [UInt8] {
    switch self {
    case .liveChunk(let chunk, let isFinal, let sent):
      let time = sent.map { "\"sentTimestamp\":\(Self.seconds($0))," } ?? ""
      return Array(
        "{\"isFinal\":\(isFinal),\(time)\"sequence\":\(chunk.sequence),\"text\":\(Self.quoted(chunk.text)),\"type\":\"liveChunk\"}"
          .utf8)
    case .fullHistory(let chunks, let upTo):
      return Self.page(chunks.map(Self.json), upTo)
    case .alert(let alert): return Array("{\"alert\":\"\(alert.rawValue)\",\"type\":\"alert\"}".utf8)
    }
  }

  /// The next page of a history, with as many finals as fit, and the first number that is not in it.
  static func page(of finals: [String], from first: Int) -> (body: [UInt8], next: Int) {
    var (size, next) = (page([], finals.count).count, first)
    var chunks: [[UInt8]] = []
    while next <= finals.count {
      let chunk = json(Chunk(sequence: next, text: finals[next - 1]))
      let more = chunk.count + (chunks.isEmpty ? 0 : 1)
      if size + more > Beam.longestBody { break }
      chunks.append(chunk)
      size += more
      next += 1
    }
    return (page(chunks, finals.count), next)
  }

  private static func page(_ chunks: [[UInt8]], _ upTo: Int) -> [UInt8] {
    var body = Array("{\"chunks\":[".utf8)
    body.append(contentsOf: chunks.joined(separator: [UInt8(ascii: ",")]))
    body.append(contentsOf: "],\"type\":\"fullHistory\",\"upToSequence\":\(upTo)}".utf8)
    return body
  }

  private static func json(_ chunk: Chunk) -> [UInt8] {
    Array("{\"sequence\":\(chunk.sequence),\"text\":\(quoted(chunk.text))}".utf8)
  }

  private static func seconds(_ milliseconds: Int) -> String {
    var text = "\(milliseconds / 1_000)"
    var rest = milliseconds % 1_000
    if rest == 0 { return text }
    var digits = 3
    while rest % 10 == 0 { (rest, digits) = (rest / 10, digits - 1) }
    let fraction = "\(rest)"
    text += "." + String(repeating: "0", count: digits - fraction.count) + fraction
    return text
  }

  private static func quoted(_ text: String) -> String {
    // Most texts have nothing to escape, and a history has a million octets of them.
    if !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) { return "\"" + text + "\"" }
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\u{8}": out += "\\b"
      case "\t": out += "\\t"
      case "\n": out += "\\n"
      case "\u{C}": out += "\\f"
      case "\r": out += "\\r"
      case "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }

  // MARK: Reading

  init(_ body: [UInt8]) throws {
    guard case .object(let members) = try StrictJSON(body), case .text(let type)? = members["type"] else {
      throw StrictJSON.Refusal()
    }
    switch type {
    case "liveChunk":
      guard case .flag(let isFinal)? = members["isFinal"] else { throw StrictJSON.Refusal() }
      let sent = try members["sentTimestamp"].map(Self.milliseconds)
      self = .liveChunk(try Self.chunk(members), isFinal: isFinal, sentMilliseconds: sent)
    case "fullHistory":
      guard case .list(let entries)? = members["chunks"] else { throw StrictJSON.Refusal() }
      let upTo = try Self.integer(members["upToSequence"], from: 0)
      var chunks: [Chunk] = []
      for entry in entries {
        guard case .object(let parts) = entry else { throw StrictJSON.Refusal() }
        let chunk = try Self.chunk(parts)
        if let last = chunks.last, chunk.sequence != last.sequence + 1 { throw StrictJSON.Refusal() }
        chunks.append(chunk)
      }
      guard chunks.last.map({ $0.sequence <= upTo }) ?? (upTo == 0) else { throw StrictJSON.Refusal() }
      self = .fullHistory(chunks, upTo: upTo)
    case "alert":
      guard case .text(let name)? = members["alert"], let alert = Alert(rawValue: name) else {
        throw StrictJSON.Refusal()
      }
      self = .alert(alert)
    default: throw StrictJSON.Refusal()
    }
  }

  private static func chunk(_ members: [String: StrictJSON]) throws -> Chunk {
    guard case .text(let text)? = members["text"], (1...Beam.longestText).contains(text.utf8.count) else {
      throw StrictJSON.Refusal()
    }
    return Chunk(sequence: try integer(members["sequence"], from: 1), text: text)
  }

  private static func integer(_ value: StrictJSON?, from least: Int) throws -> Int {
    guard case .number(let digits)? = value, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(digits), (least...Beam.largestSequence).contains(number)
    else { throw StrictJSON.Refusal() }
    return number
  }

  private static func milliseconds(_ value: StrictJSON) throws -> Int {
    guard case .number(let text) = value else { throw StrictJSON.Refusal() }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = parts.first, let seconds = Int(whole), !whole.hasPrefix("-"), whole.count <= 13,
      parts.count < 3
    else { throw StrictJSON.Refusal() }
    var thousandths = 0
    if parts.count == 2 {
      guard parts[1].count <= 3, let number = Int(parts[1]), parts[1].allSatisfy(\.isNumber) else {
        throw StrictJSON.Refusal()
      }
      thousandths = number * [100, 10, 1][parts[1].count - 1]
    }
    let milliseconds = seconds * 1_000 + thousandths
    guard milliseconds <= Beam.largestMilliseconds else { throw StrictJSON.Refusal() }
    return milliseconds
  }
}
