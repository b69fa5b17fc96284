import CCoreBluetooth

/// The methods of one class that return nothing, as the symbols of its program say.
struct ClassMethods {
  struct Method {
    /// `peripheral`.
    var base: String
    /// `peripheral(_:didDiscoverServices:)`.
    var name: String
    /// The type of the function, each type with its module.
    var form: String
    var code: UnsafeRawPointer
    /// With labels and types, for people.
    var written: String

    private var labels: [Substring] { name.split(separator: "(")[1].dropLast().split(separator: ":") }

    /// Whether somebody may have meant another method: the same labels with other types, or labels that begin alike.
    func isNearly(_ method: String, _ form: String) -> Bool {
      let other = method.split(separator: "(")[1].dropLast().split(separator: ":")
      guard labels.count == other.count else { return false }
      // Two methods of a delegate that differ by these types alone.
      if name == method { return self.form != form && !isOfAttributes }
      return zip(labels, other).allSatisfy { own, wanted in
        let (own, wanted) = (own.lowercased(), wanted.lowercased())
        return own == wanted || own.count > 4 && wanted.count > 4 && (own.hasPrefix(wanted) || wanted.hasPrefix(own))
      }
    }

    private var isOfAttributes: Bool {
      form.contains("CoreBluetooth.CBCharacteristic,") || form.contains("CoreBluetooth.CBDescriptor,")
    }
  }

  private(set) var all: [Method] = []

  /// Nil: the program has no symbols.
  init?(of type: AnyClass) {
    guard let mangled = _mangledTypeName(type) else { return }
    var file = cb_symbols()
    guard cb_symbols_open(&file, unsafeBitCast(type, to: UnsafeRawPointer.self)) != 0 else { return nil }
    defer { cb_symbols_close(&file) }
    // A private class has another name in its symbols: that of its file in place of an address.
    let isPrivate = mangled.contains("$")
    let prefix = "$s" + (isPrivate ? String(Self.module(mangled)) : mangled)
    let name = isPrivate ? ".(\(type) in _" : "\(String(reflecting: type))."
    var contexts: Set<Substring> = []
    var code: UnsafeRawPointer?
    while let symbol = cb_symbols_next(&file, prefix, &code) {
      guard let code, symbol[strlen(symbol) - 1] == UInt8(ascii: "F"), !isPrivate || strstr(symbol, "LLC") != nil,
        let text = cb_symbols_demangle(symbol)
      else { continue }
      defer { free(text) }
      let written = String(cString: text)
      guard let place = Self.end(of: name, isPrivate, in: written), written.hasSuffix(" -> ()"),
        let method = Method(written[place...].dropLast(6), code)
      else { continue }
      contexts.insert(written[..<place])
      all.append(method)
    }
    // Two private classes of one name cannot be told apart.
    if contexts.count > 1 { all = [] }
  }

  /// Where the name of a method begins, after that of its class; nil: it is another class's.
  private static func end(of name: String, _ isPrivate: Bool, in written: String) -> String.Index? {
    if !isPrivate { return written.hasPrefix(name) ? written.index(written.startIndex, offsetBy: name.count) : nil }
    guard let found = written.range(of: name) else { return nil }
    return written[found.upperBound...].range(of: ").")?.upperBound
  }

  /// The name of the module at the beginning of a mangled name, with its length.
  private static func module(_ mangled: String) -> Substring {
    let digits = mangled.prefix { $0.isNumber }
    return mangled.prefix(digits.count + (Int(digits) ?? 0))
  }
}

extension ClassMethods.Method {
  /// - Parameter text: `name(_: Module.Type, label: Module.Type)`.
  fileprivate init?(_ text: Substring, _ code: UnsafeRawPointer) {
    let base = String(text.prefix { $0 != "(" })
    let list = text.dropFirst(base.count + 1)
    guard list.last == ")", base.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else { return nil }
    let parts = Self.parts(of: list)
    let pairs = parts.compactMap { part in part.range(of: ": ").map { (part[..<$0.lowerBound], part[$0.upperBound...]) }
    }
    guard pairs.count == parts.count else { return nil }
    self.base = base
    name = base + "(" + pairs.map { $0.0 + ":" }.joined() + ")"
    form = "(" + pairs.map(\.1).joined(separator: ", ") + ") -> ()"
    written = Self.written(base, pairs)
    self.code = code
  }

  /// A method with its labels and the types of its form, for people.
  static func written(_ name: String, _ form: String) -> String {
    let halves = name.dropLast().split(separator: "(", maxSplits: 1)
    let labels = halves[1].split(separator: ":")
    return written(String(halves[0]), Array(zip(labels, parts(of: form.dropFirst().dropLast(" -> ()".count)))))
  }

  private static func written(_ base: String, _ parameters: [(Substring, Substring)]) -> String {
    "\(base)(\(parameters.map { "\($0): \(short($1))" }.joined(separator: ", ")))"
  }

  /// What stands between the commas of a list that ends with its bracket.
  private static func parts(of list: Substring) -> [Substring] {
    var parts: [Substring] = []
    var (depth, begin) = (0, list.startIndex)
    for place in list.indices {
      switch list[place] {
      case "<", "(", "[": depth += 1
      case ">" where place == list.startIndex || list[list.index(before: place)] != "-": depth -= 1
      case ")" where depth > 0, "]": depth -= 1
      case ",", ")":
        if depth > 0 { continue }
        parts.append(list[begin..<place].drop { $0 == " " })
        begin = list.index(after: place)
      default: break
      }
    }
    return parts
  }

  /// A type without modules, and with a question mark where it is optional.
  private static func short(_ type: Substring) -> String {
    let optional = "Swift.Optional<"
    if type.hasPrefix(optional), type.last == ">" { return short(type.dropFirst(optional.count).dropLast()) + "?" }
    return String(type.replacing(#/\w+\./#, with: ""))
  }
}
