import BluetoothWire
import SimKernel

/// What an app that is written for CoreBluetooth calls, what it is told, and what a phone would complain of, as it
/// happens: reports beside those of the app's protocol.
public enum CallWord: AppStatement {
  /// The app called a method, with or without effect: the class and the method's full name, the address of the
  /// peripheral that it is about, what was given in words, and what it returned where that matters.
  case call(method: String, peer: String? = nil, arguments: [String] = [], result: String? = nil)
  /// A method of a delegate is called: its full name, the address of the peer that it is about, and what is told beyond
  /// the manager or peripheral that tells it.
  case callback(method: String, peer: String? = nil, arguments: [String] = [])
  /// Something about the app's use of CoreBluetooth: kind (`misuse`, `exception`, `limit`, `note`), which remark it
  /// is, and words for people; or what the app used that is not virtual (`notVirtual`), once.
  case remark(kind: String, id: String, text: String)

  public static let words: [CallWord] = [
    .call(method: ""), .callback(method: ""), .remark(kind: "", id: "", text: ""),
  ]

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .call(var method, var peer, var arguments, var result):
      try visitor.word("call")
      try visitor.field("method", &method)
      try visitor.field("peer", &peer)
      try visitor.field("arguments", &arguments)
      try visitor.field("result", &result)
      self = .call(method: method, peer: peer, arguments: arguments, result: result)
    case .callback(var method, var peer, var arguments):
      try visitor.word("callback")
      try visitor.field("method", &method)
      try visitor.field("peer", &peer)
      try visitor.field("arguments", &arguments)
      self = .callback(method: method, peer: peer, arguments: arguments)
    case .remark(var kind, var id, var text):
      try visitor.word("remark")
      try visitor.field("kind", &kind)
      try visitor.field("id", &id)
      try visitor.field("text", &text)
      self = .remark(kind: kind, id: id, text: text)
    }
  }
}

extension CallWord {
  /// The kind of a remark that has no id.
  public static let notVirtual = "notVirtual"

  /// The address of the device that it is about; nil: it is about none, or about several.
  public var peer: String? {
    switch self {
    case .call(_, let peer, _, _), .callback(_, let peer, _): peer
    case .remark: nil
    }
  }

  /// Whether a phone would log it as misuse, or raise an exception.
  public var isMisuse: Bool {
    if case .remark(let kind, _, _) = self { kind == "misuse" || kind == "exception" } else { false }
  }

  /// Whether it is misuse, or the app is told of an error.
  public var isTrouble: Bool {
    if case .callback(_, _, let arguments) = self { arguments.contains(where: Self.tellsError) } else { isMisuse }
  }

  /// Whether an argument has the code of an error.
  public static func tellsError(_ argument: String) -> Bool {
    ["CBError", "CBATTError"].contains { argument.hasPrefix($0) || argument.contains(", \($0)") }
  }

  /// Near to how a programmer writes it: `CBPeripheral.writeValue(2 octets 4F4B, for: FFE1, type: withResponse)`.
  public var text: String {
    switch self {
    case .call(let method, _, let arguments, let result):
      Self.text(method, arguments) + (result.map { " → \($0)" } ?? "")
    case .callback(let method, _, let arguments): Self.text(method, arguments)
    case .remark(Self.notVirtual, _, let text): "not virtual: \(text)"
    case .remark(let kind, let id, let text): "\(kind) \(id): \(text)"
    }
  }

  /// Labels are those of the last parameters: the first one of a delegate's method is who tells it.
  private static func text(_ method: String, _ arguments: [String]) -> String {
    guard let open = method.firstIndex(of: "("), method.last == ")" else {
      return arguments.isEmpty ? method : "\(method)(\(arguments.joined(separator: ", ")))"
    }
    let labels = method[open...].dropFirst().dropLast().split(separator: ":")
    let shown = zip(labels.suffix(arguments.count), arguments).map { $0 == "_" ? $1 : "\($0): \($1)" }
    return "\(method[..<open])(\(shown.joined(separator: ", ")))"
  }

  // MARK: Values

  /// Octets of a value that are shown.
  private static let shown = 16

  /// A value among the arguments: how many octets it has, and the first 16.
  public static func text(of octets: some Collection<UInt8>) -> String {
    let count = CountedNoun.text(octets.count, "octet")
    if octets.isEmpty { return count }
    let hexadecimal = String(hexadecimal: Array(octets.prefix(shown)), uppercase: true)
    return "\(count) \(hexadecimal)\(octets.count > shown ? "…" : "")"
  }

  /// Whether a call was given these octets, as a whole or with more at their end.
  public func gives(_ octets: some Collection<UInt8>) -> Bool {
    guard case .call(_, _, let arguments, _) = self else { return false }
    let whole = Self.text(of: octets)
    let begin = String(hexadecimal: Array(octets.prefix(Self.shown)), uppercase: true)
    return arguments.contains { argument in
      if argument == whole { return true }
      guard octets.count >= Self.shown else { return false }
      return argument.contains(" octets ") && argument.hasSuffix(" \(begin)…")
    }
  }
}
