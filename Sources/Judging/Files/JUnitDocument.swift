import SimKernel

/// A JUnit file in the dialect that CI servers share (Jenkins' `junit-10.xsd`), before it is XML.
package struct JUnitDocument {
  var name: String
  var tests: Int
  var failures: Int
  var errors: Int
  var suites: [Suite]

  package init(name: String, suites: [Suite]) {
    self.name = name
    self.suites = suites
    tests = suites.map(\.tests).reduce(0, +)
    failures = suites.map(\.failures).reduce(0, +)
    errors = suites.map(\.errors).reduce(0, +)
  }

  /// The whole file, whatever the texts are.
  package func octets() -> [UInt8] {
    var writer = JUnitWriter()
    writer.element(
      "testsuites",
      [("name", name), ("tests", String(tests)), ("failures", String(failures)), ("errors", String(errors))]
    ) { writer in
      for suite in suites { suite.write(to: &writer) }
    }
    return writer.octets
  }

  package struct Suite {
    var name: String
    var tests: Int
    var failures: Int
    var errors: Int
    package var skipped: Int
    /// Seconds.
    var time: String
    var properties: [(name: String, value: String)]
    var cases: [Case]

    package init(name: String, time: String, properties: [(name: String, value: String)], cases: [Case]) {
      self.name = name
      self.time = time
      self.properties = properties
      self.cases = cases
      tests = cases.count
      failures = cases.count { $0.failure != nil }
      errors = cases.count { $0.error != nil }
      skipped = cases.count { $0.skipped != nil }
    }

    fileprivate func write(to writer: inout JUnitWriter) {
      writer.element(
        "testsuite",
        [
          ("name", name), ("tests", String(tests)), ("failures", String(failures)), ("errors", String(errors)),
          ("skipped", String(skipped)), ("time", time),
        ]
      ) { writer in
        writer.element("properties") { writer in
          for property in properties {
            writer.element("property", [("name", property.name), ("value", property.value)])
          }
        }
        for row in cases { row.write(to: &writer) }
      }
    }
  }

  package struct Case {
    var name: String
    var classname: String
    /// Seconds; nil where a case is part of a run.
    package var time: String?
    package var failure: Problem?
    package var error: Problem?
    package var skipped: Skip?
    package var log: String?

    package init(name: String, classname: String, time: String? = nil) {
      self.name = name
      self.classname = classname
      self.time = time
    }

    fileprivate func write(to writer: inout JUnitWriter) {
      writer.element("testcase", [("name", name), ("classname", classname), ("time", time)]) { writer in
        failure?.write(as: "failure", to: &writer)
        error?.write(as: "error", to: &writer)
        if let skipped { writer.element("skipped", [("message", skipped.message)]) }
        if let log { writer.element("system-err", text: log) }
      }
    }
  }

  package struct Skip {
    var message: String
    package init(message: String) { self.message = message }
  }

  package struct Problem {
    var message: String
    var type: String
    var text: String

    package init(message: String, type: String, text: String) {
      self.message = message
      self.type = type
      self.text = text
    }

    fileprivate func write(as name: StaticString, to writer: inout JUnitWriter) {
      writer.element(name, [("message", message), ("type", type)], text: text)
    }
  }

  /// Text as people see it: characters that XML 1.0 cannot carry (2.2), controls, and marks that turn the direction of
  /// what follows are written out.
  package static func clean(_ text: String) -> String { ShownText.lines(text) }
}
