import Foundation
import XMLCoder

/// A JUnit file in the dialect that CI servers share (Jenkins' `junit-10.xsd`), before it is XML.
package struct JUnitDocument: Encodable, DynamicNodeEncoding {
  var name: String
  var tests: Int
  var failures: Int
  var errors: Int
  var suites: [Suite]

  enum CodingKeys: String, CodingKey {
    case name, tests, failures, errors
    case suites = "testsuite"
  }

  static func nodeEncoding(for key: any CodingKey) -> XMLEncoder.NodeEncoding {
    key.stringValue == CodingKeys.suites.stringValue ? .element : .attribute
  }

  package init(name: String, suites: [Suite]) {
    self.name = name
    self.suites = suites
    tests = suites.map(\.tests).reduce(0, +)
    failures = suites.map(\.failures).reduce(0, +)
    errors = suites.map(\.errors).reduce(0, +)
  }

  /// The whole file.
  /// - Throws: what the XML encoder throws; it has no reason to.
  package func octets() throws -> [UInt8] {
    let encoder = XMLEncoder()
    encoder.outputFormatting = [.prettyPrinted]
    let data = try encoder.encode(self, withRootKey: "testsuites", header: XMLHeader(version: 1.0, encoding: "UTF-8"))
    return Array(data) + [0x0A]
  }

  package struct Suite: Encodable, DynamicNodeEncoding {
    var name: String
    var tests: Int
    var failures: Int
    var errors: Int
    var skipped: Int
    /// Simulated seconds.
    var time: String
    var properties: Properties
    var cases: [Case]

    enum CodingKeys: String, CodingKey {
      case name, tests, failures, errors, skipped, time, properties
      case cases = "testcase"
    }

    static func nodeEncoding(for key: any CodingKey) -> XMLEncoder.NodeEncoding {
      switch key.stringValue {
      case CodingKeys.properties.stringValue, CodingKeys.cases.stringValue: .element
      default: .attribute
      }
    }

    package init(name: String, time: String, properties: [(name: String, value: String)], cases: [Case]) {
      self.name = JUnitDocument.clean(name)
      self.time = time
      self.properties = Properties(
        property: properties.map { Property(name: $0.name, value: JUnitDocument.clean($0.value)) })
      self.cases = cases
      tests = cases.count
      failures = cases.count { $0.failure != nil }
      errors = cases.count { $0.error != nil }
      skipped = cases.count { $0.skipped != nil }
    }
  }

  struct Properties: Encodable { var property: [Property] }

  struct Property: Encodable, DynamicNodeEncoding {
    var name: String
    var value: String
    static func nodeEncoding(for key: any CodingKey) -> XMLEncoder.NodeEncoding { .attribute }
  }

  package struct Case: Encodable, DynamicNodeEncoding {
    var name: String
    var classname: String
    /// Simulated seconds; nil where a case is part of a run.
    var time: String?
    package var failure: Problem?
    package var error: Problem?
    package var skipped: Skip?
    package var log: String?

    enum CodingKeys: String, CodingKey {
      case name, classname, time, failure, error, skipped
      case log = "system-err"
    }

    static func nodeEncoding(for key: any CodingKey) -> XMLEncoder.NodeEncoding {
      ["name", "classname", "time"].contains(key.stringValue) ? .attribute : .element
    }

    package init(name: String, classname: String, time: String? = nil) {
      self.name = JUnitDocument.clean(name)
      self.classname = JUnitDocument.clean(classname)
      self.time = time
    }
  }

  package struct Skip: Encodable, DynamicNodeEncoding {
    var message: String
    static func nodeEncoding(for key: any CodingKey) -> XMLEncoder.NodeEncoding { .attribute }

    package init(message: String) { self.message = JUnitDocument.clean(message) }
  }

  package struct Problem: Encodable, DynamicNodeEncoding {
    var message: String
    var type: String
    var text: String

    enum CodingKeys: String, CodingKey {
      case message, type
      case text = ""
    }

    static func nodeEncoding(for key: any CodingKey) -> XMLEncoder.NodeEncoding {
      key.stringValue.isEmpty ? .element : .attribute
    }

    package init(message: String, type: String, text: String) {
      self.message = JUnitDocument.clean(message)
      self.type = type
      self.text = JUnitDocument.clean(text)
    }
  }

  /// Characters XML 1.0 cannot carry (2.2) become U+FFFD.
  package static func clean(_ text: String) -> String {
    let isClean = text.unicodeScalars.allSatisfy(isAllowed)
    if isClean { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isAllowed($0) ? $0 : "\u{FFFD}" }))
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }
}
