package import AppSeam

/// What a person does with a BeamScribe app, as a scenario step writes it.
package enum BeamAction: Hashable, Sendable {
  // Host
  /// Without a name the event is called as the app's person is.
  case startEvent(name: String)
  case endEvent
  /// Text that is still being spoken, as it is heard at present.
  case speakPartial(String)
  case speakFinal(String)
  case batteryLow
  case batteryOK
  // Guest
  /// Joins whichever event is found first.
  case join
  /// Joins the event of this name and no other.
  case joinEvent(name: String)
  case leave
  /// The app takes nothing from its streams until `readAgain`.
  case stopReading
  case readAgain
}

extension BeamAction: AppStatement {
  package static let words: [BeamAction] = [
    .startEvent(name: ""), .endEvent, .speakPartial(""), .speakFinal(""), .batteryLow, .batteryOK, .join,
    .joinEvent(name: ""), .leave, .stopReading, .readAgain,
  ]

  package mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .startEvent(var name):
      try visitor.word("startEvent")
      try visitor.field("name", &name)
      self = .startEvent(name: name)
    case .endEvent: try visitor.word("endEvent")
    case .speakPartial(var text):
      try visitor.word("speakPartial")
      try visitor.field("text", &text)
      self = .speakPartial(text)
    case .speakFinal(var text):
      try visitor.word("speakFinal")
      try visitor.field("text", &text)
      self = .speakFinal(text)
    case .batteryLow: try visitor.word("batteryLow")
    case .batteryOK: try visitor.word("batteryOK")
    case .join: try visitor.word("join")
    case .joinEvent(var name):
      try visitor.word("joinEvent")
      try visitor.field("name", &name)
      self = .joinEvent(name: name)
    case .leave: try visitor.word("leave")
    case .stopReading: try visitor.word("stopReading")
    case .readAgain: try visitor.word("readAgain")
    }
  }
}
