import BluetoothWire
import Judging

/// A decoded value as indented lines, one per field, in the order in which its type declares them.
enum FieldTree {
  private static let octetLimit = 64
  private static let itemLimit = 64
  private static let depthLimit = 12

  /// - Parameter title: comes before the whole; nil leaves the first line to the value itself.
  static func lines(_ value: Any) -> [String] {
    var lines: [String] = []
    append(value, label: nil, depth: 0, to: &lines)
    return lines
  }

  private static func append(_ value: Any, label: String?, depth: Int, to lines: inout [String]) {
    let indent = String(repeating: "  ", count: depth)
    let front = label.map { "\(indent)\($0): " } ?? indent
    if let text = leaf(value) {
      lines.append(front + text)
      return
    }
    let mirror = Mirror(reflecting: value)
    let children = Array(mirror.children)
    switch mirror.displayStyle {
    case .optional:
      if let content = children.first { append(content.value, label: label, depth: depth, to: &lines) }
    case .enum:
      guard let content = children.first else {
        lines.append(front + "\(value)")
        return
      }
      lines.append(front + (content.label ?? ""))
      let inner = Mirror(reflecting: content.value)
      if inner.displayStyle == .tuple {
        appendChildren(Array(inner.children), depth: depth + 1, to: &lines)
      } else {
        append(content.value, label: nil, depth: depth + 1, to: &lines)
      }
    case .collection, .set:
      lines.append(front + (children.isEmpty ? "none" : "\(children.count)"))
      for (index, child) in children.prefix(itemLimit).enumerated() {
        append(child.value, label: "\(index)", depth: depth + 1, to: &lines)
      }
      if children.count > itemLimit { lines.append("\(indent)  … \(children.count - itemLimit) more") }
    default:
      if children.count == 1, let only = children.first, let text = leaf(only.value) {
        lines.append(front + text)
      } else if depth < depthLimit {
        if let label { lines.append("\(indent)\(label)") }
        appendChildren(children, depth: label == nil ? depth : depth + 1, to: &lines)
      }
    }
  }

  private static func appendChildren(_ children: [Mirror.Child], depth: Int, to lines: inout [String]) {
    for child in children {
      // Parts of a tuple without a name are called .0, .1 …
      let label = child.label.flatMap { $0.hasPrefix(".") ? nil : $0 }
      append(child.value, label: label, depth: depth, to: &lines)
    }
  }

  private static func leaf(_ value: Any) -> String? {
    switch value {
    case let octets as [UInt8]: hexadecimal(octets[...])
    case let uuid as BluetoothUUID: uuid.description
    case let address as BluetoothAddress: "\(address) (\(address.kind == .random ? "random" : "public"))"
    case let number as UInt8: "\(number) (\(hexNumber(number, digits: 2)))"
    case let number as UInt16: "\(number) (\(hexNumber(number, digits: 4)))"
    case let number as UInt32: "\(number) (\(hexNumber(number, digits: 8)))"
    case let number as UInt64: "\(number) (\(hexNumber(number, digits: 16)))"
    case let number as any BinaryInteger: "\(number)"
    case let flag as Bool: flag ? "yes" : "no"
    case let text as String: "\"\(ConsoleTable.oneLine(text))\""
    default: nil
    }
  }

  /// Digits in pairs; of many octets the first ones.
  static func hexadecimal(_ octets: ArraySlice<UInt8>) -> String {
    if octets.isEmpty { return "nothing" }
    let more = octets.count > octetLimit ? " … \(octets.count - octetLimit) more" : ""
    return String(hexadecimal: octets.prefix(octetLimit), separator: " ") + more
  }
}
