import CCoreBluetooth

/// The methods of one class that have a base name and return nothing, as the symbols of its program say.
struct ClassMethods {
  struct Method {
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
  init?(of type: AnyClass, named base: String) {
    guard let mangled = _mangledTypeName(type) else { return }
    var file = cb_symbols()
    guard cb_symbols_open(&file, unsafeBitCast(type, to: UnsafeRawPointer.self)) != 0 else { return nil }
    defer { cb_symbols_close(&file) }
    // A private class has another name in its symbols: that of its file in place of an address.
    let isPrivate = mangled.contains("$")
    let prefix = "$s" + (isPrivate ? String(Self.module(mangled)) : mangled)
    let context = isPrivate ? ".(\(type) in _" : "\(String(reflecting: type))."
    var contexts: Set<Substring> = []
    var code: UnsafeRawPointer?
    while let name = cb_symbols_next(&file, prefix, &code) {
      guard let code, name[strlen(name) - 1] == UInt8(ascii: "F"), !isPrivate || strstr(name, "LLC") != nil,
        let text = cb_symbols_demangle(name)
      else { continue }
      defer { free(text) }
      let written = String(cString: text)
      guard let place = written.range(of: "." + base + "("), written.hasSuffix(" -> ()"),
        isPrivate
          ? written[..<place.lowerBound].contains(context) : written[..<place.upperBound] == context + base + "("
      else { continue }
      contexts.insert(written[..<place.lowerBound])
      if let method = Method(base, written[place.upperBound...].dropLast(6), code) { all.append(method) }
    }
    // Two private classes of one name cannot be told apart.
    if contexts.count > 1 { all = [] }
  }

  /// The name of the module at the beginning of a mangled name, with its length.
  private static func module(_ mangled: String) -> Substring {
    let digits = mangled.prefix { $0.isNumber }
    return mangled.prefix(digits.count + (Int(digits) ?? 0))
  }
}

extension ClassMethods.Method {
  /// - Parameter list: `_: Module.Type, label: Module.Type)`.
  fileprivate init?(_ base: String, _ list: Substring, _ code: UnsafeRawPointer) {
    guard list.last == ")" else { return nil }
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
    let pairs = parts.compactMap { part in part.range(of: ": ").map { (part[..<$0.lowerBound], part[$0.upperBound...]) }
    }
    guard pairs.count == parts.count else { return nil }
    name = base + "(" + pairs.map { $0.0 + ":" }.joined() + ")"
    form = "(" + pairs.map(\.1).joined(separator: ", ") + ") -> ()"
    written = "\(base)(\(pairs.map { "\($0.0): \(Self.short($0.1))" }.joined(separator: ", ")))"
    self.code = code
  }

  /// A type without modules, and with a question mark where it is optional.
  private static func short(_ type: Substring) -> String {
    let optional = "Swift.Optional<"
    if type.hasPrefix(optional), type.last == ">" { return short(type.dropFirst(optional.count).dropLast()) + "?" }
    return type.split(separator: ".").last.map(String.init) ?? String(type)
  }
}
