public import BluetoothWire

/// A message of DNS (RFC 1035, 4.1), as Multicast DNS uses it: queries and responses, whose identifier is zero
/// (RFC 6762, 18.1).
public struct DNSMessage: Hashable, Sendable {
  public struct Question: Hashable, Sendable {
    public var name: DNSName
    public var kind: DNSRecord.Kind
    /// The asker wants the answer for itself (RFC 6762, 5.4).
    public var wantsUnicast: Bool

    public init(name: DNSName, kind: DNSRecord.Kind, wantsUnicast: Bool = false) {
      self.name = name
      self.kind = kind
      self.wantsUnicast = wantsUnicast
    }
  }

  static let internetClass: UInt16 = 1
  static let longest = 9_000
  /// The port of Multicast DNS (RFC 6762, 3).
  public static let multicastPort: UInt16 = 5353

  public var isResponse: Bool
  public var questions: [Question]
  /// In a query: what the asker knows already (RFC 6762, 7.1).
  public var answers: [DNSRecord]
  /// In a probe: what the asker is about to claim (RFC 6762, 8.2).
  public var authorities: [DNSRecord]
  public var additionals: [DNSRecord]

  public init(
    isResponse: Bool, questions: [Question] = [], answers: [DNSRecord] = [], authorities: [DNSRecord] = [],
    additionals: [DNSRecord] = []
  ) {
    self.isResponse = isResponse
    self.questions = questions
    self.answers = answers
    self.authorities = authorities
    self.additionals = additionals
  }

  /// Refuses more than 9 000 octets, which Multicast DNS does not send (RFC 6762, 17), what ends before its counts are
  /// met, and what follows after. Compressed names may take 200 times their octets in memory: 2 MB at most.
  /// - Throws: `WireError`.
  public init(decoding octets: [UInt8]) throws(WireError) {
    if octets.count > Self.longest { throw WireError(.tooLong, at: Self.longest) }
    var reader = OctetReader(octets)
    _ = try reader.u16()
    isResponse = try reader.bigEndian16() & 0x8000 != 0
    var counts: [Int] = []
    for _ in 0..<4 { counts.append(Int(try reader.bigEndian16())) }
    questions = []
    for _ in 0..<counts[0] {
      let name = try DNSName(from: &reader)
      let kind = DNSRecord.Kind(rawValue: try reader.bigEndian16())
      questions.append(Question(name: name, kind: kind, wantsUnicast: try reader.bigEndian16() & 0x8000 != 0))
    }
    answers = try Self.records(counts[1], from: &reader)
    authorities = try Self.records(counts[2], from: &reader)
    additionals = try Self.records(counts[3], from: &reader)
    try reader.finish()
  }

  private static func records(_ count: Int, from reader: inout OctetReader) throws(WireError) -> [DNSRecord] {
    var records: [DNSRecord] = []
    for _ in 0..<count { records.append(try DNSRecord(from: &reader)) }
    return records
  }

  /// Responses are authoritative (RFC 6762, 18.4).
  /// - Precondition: all names are writable, and strings of texts have at most 255 octets.
  public var octets: [UInt8] {
    var writer = DNSNameWriter()
    writer.octets += [0, 0]
    writer.octets.append(bigEndian: isResponse ? UInt16(0x8400) : 0)
    for count in [questions.count, answers.count, authorities.count, additionals.count] {
      writer.octets.append(bigEndian: UInt16(count))
    }
    for question in questions {
      writer.append(question.name)
      writer.octets.append(bigEndian: question.kind.rawValue)
      writer.octets.append(bigEndian: (question.wantsUnicast ? 0x8000 : 0) | Self.internetClass)
    }
    for record in answers + authorities + additionals { record.append(to: &writer) }
    return writer.octets
  }
}
