import AppSeam
import Bench
import BluetoothWire

/// What a recorded device shows of itself: what its recording does not have.
enum RecordedReport: Hashable, Sendable {
  /// What is not played, and what a person should know.
  case note(String)
  /// A client has written a value to a characteristic that nobody wrote in the capture.
  case unknownWrite(BluetoothUUID, [UInt8])
  /// A client has read a characteristic that nobody read in the capture.
  case unknownRead(BluetoothUUID)
}

extension RecordedReport: AppStatement {
  static let words: [RecordedReport] = [
    .note(""), .unknownWrite(BluetoothUUID(0), []), .unknownRead(BluetoothUUID(0)),
  ]

  mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .note(var text):
      try visitor.word("note")
      try visitor.field("text", &text)
      self = .note(text)
    case .unknownWrite(var type, var octets):
      try visitor.word("unknownWrite")
      try visitor.field("characteristic", &type)
      try visitor.field("octets", &octets)
      self = .unknownWrite(type, octets)
    case .unknownRead(var type):
      try visitor.word("unknownRead")
      try visitor.field("characteristic", &type)
      self = .unknownRead(type)
    }
  }
}

/// What can be said of a recorded device in conditions.
enum RecordedFact: AppFactStatement {
  /// It was asked nothing that its recording does not know.
  case knowsEveryRequest

  static let spelling = "knows every request"

  init?(_ words: [String]) {
    guard words.joined(separator: " ") == Self.spelling || words == ["know", "every", "request"] else { return nil }
    self = .knowsEveryRequest
  }

  func canBeAsked(of device: Int, _ cast: AppCast) -> Bool {
    cast.members[device].app == RecordedApp.word && cast.members[device].role == .peripheral
      && !cast.members[device].isForeign
  }

  var comparesWithLeader: Bool { false }
}

/// Counts what recorded devices were asked that they do not know.
final class RecordedFacts: AppFacts {
  private var unknown: [[String]]

  init(_ cast: AppCast) { unknown = Array(repeating: [], count: cast.members.count) }

  let readsValues = false
  func read(_ input: AppInput, device: Int, peer: Int?) {}

  func read(_ report: AppReport, device: Int) {
    switch report.among(RecordedReport.self) {
    case .unknownWrite(let type, let octets)?:
      unknown[device].append("the write of \(String(hexadecimal: octets)) to \(type)")
    case .unknownRead(let type)?: unknown[device].append("the read of \(type)")
    case .note?, nil: break
    }
  }

  func peerID(of device: Int) -> String? { nil }
  func holds(_ fact: AppFact, device: Int) -> Bool { unknown[device].isEmpty }

  func detail(_ fact: AppFact, device: Int) -> String {
    guard let first = unknown[device].first else { return "knows every request" }
    let others = unknown[device].count - 1
    return "does not know \(first)" + (others > 0 ? " and \(others) more" : "")
  }

  func columns(of device: Int) -> [RunOutcome.Column] { [] }
}
