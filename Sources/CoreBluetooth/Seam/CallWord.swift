public import AppSeam

/// What a trace shows of an app's use of CoreBluetooth, as it happens.
public enum CallWord: AppStatement {
  /// The app called a method, with or without effect; the class and the name of the method, without its labels.
  case call(String)
  /// A method of a delegate is called; its full name.
  case callback(String)

  public static let words: [CallWord] = [.call(""), .callback("")]

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .call(var method):
      try visitor.word("call")
      try visitor.field("method", &method)
      self = .call(method)
    case .callback(var method):
      try visitor.word("callback")
      try visitor.field("method", &method)
      self = .callback(method)
    }
  }
}

extension VirtualPhone {
  /// Puts a call or callback into the trace, in its place among the effects.
  func note(_ word: CallWord) { ask(.report(AppReport(word))) }
}
