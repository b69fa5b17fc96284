#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A function of the Swift runtime; gives a block of `malloc`, or nil for what is no mangled name.
@_silgen_name("swift_demangle")
private func demangle(
  _ name: UnsafePointer<CChar>?, _ count: Int, _ output: UnsafeMutablePointer<CChar>?,
  _ outputCount: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

/// Names of functions as Swift's compiler writes them into libraries.
enum SwiftSymbol {
  /// `Module.Type.function`, without its types; any other name unchanged.
  static func plain(_ name: String) -> String {
    guard name.hasPrefix("$s"), let text = demangle(name, name.utf8.count, nil, nil, 0) else { return name }
    defer { free(text) }
    // An extension in another module, and what is private to a file, have words of their own in parentheses.
    let words = String(cString: text).replacing(/\(extension in [^)]*\):/, with: "")
      .replacing(/\(([^() ]+) in _[0-9A-F]+\)/) { String($0.output.1) }
    return String(words.prefix { $0 != "(" })
  }
}
