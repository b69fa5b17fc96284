import BabSim
import Foundation
import SimKernel
import XMLCoder

/// `junit.xml` in the dialect that CI servers share: one test suite per run, one test case per oracle and expectation.
///
/// JUnit knows no inconclusive. It is written as an `error` of type `inconclusive`, because a reader that knows only
/// green and red must not show it green; a failure stays a `failure`, the bench's own fault is an `error` of type
/// `error`, and an oracle that had nothing to judge is `skipped`. Times are simulated seconds: no wall clock.
public enum JUnitReport {
  /// The whole file for some runs, in their order.
  /// - Throws: what the XML encoder throws; it has no reason to.
  public static func octets(_ judgements: [Judgement]) throws -> [UInt8] {
    let suites = judgements.map(Suite.init)
    let document = Document(
      name: "babbench", tests: suites.map(\.tests).reduce(0, +), failures: suites.map(\.failures).reduce(0, +),
      errors: suites.map(\.errors).reduce(0, +), skipped: suites.map(\.skipped).reduce(0, +), suites: suites)
    let encoder = XMLEncoder()
    encoder.outputFormatting = [.prettyPrinted]
    let data = try encoder.encode(
      document, withRootKey: "testsuites", header: XMLHeader(version: 1.0, encoding: "UTF-8"))
    return Array(data) + [0x0A]
  }

  private struct Document: Encodable, DynamicNodeEncoding {
    var name: String
    var tests: Int
    var failures: Int
    var errors: Int
    var skipped: Int
    var suites: [Suite]

    enum CodingKeys: String, CodingKey {
      case name, tests, failures, errors, skipped
      case suites = "testsuite"
    }

    static func nodeEncoding(for key: any CodingKey) -> XMLEncoder.NodeEncoding {
      key.stringValue == CodingKeys.suites.stringValue ? .element : .attribute
    }
  }

  private struct Suite: Encodable, DynamicNodeEncoding {
    var name: String
    var tests: Int
    var failures: Int
    var errors: Int
    var skipped: Int
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

    init(_ judgement: Judgement) {
      let run = "\(judgement.header.scenario) seed \(judgement.header.seed)"
      name = clean(run)
      cases =
        judgement.oracles.map { Case(oracle: $0, run: run, judgement) }
        + judgement.expectations.enumerated().map { Case(expectation: $0.element, number: $0.offset + 1, run: run) }
      tests = cases.count
      failures = cases.filter { $0.failure != nil }.count
      errors = cases.filter { $0.error != nil }.count
      skipped = cases.filter { $0.skipped != nil }.count
      time = seconds(judgement)
      properties = Properties(property: [
        Property(name: "seed", value: String(judgement.header.seed)),
        Property(name: "digest", value: judgement.outcome.digest.hexadecimal),
        Property(name: "ending", value: judgement.outcome.ending.rawValue),
      ])
    }
  }

  private struct Properties: Encodable { var property: [Property] }

  private struct Property: Encodable, DynamicNodeEncoding {
    var name: String
    var value: String
    static func nodeEncoding(for key: any CodingKey) -> XMLEncoder.NodeEncoding { .attribute }
  }

  private struct Case: Encodable, DynamicNodeEncoding {
    var name: String
    var classname: String
    var failure: Problem?
    var error: Problem?
    var skipped: Skip?

    static func nodeEncoding(for key: any CodingKey) -> XMLEncoder.NodeEncoding {
      key.stringValue == "name" || key.stringValue == "classname" ? .attribute : .element
    }

    init(oracle: OracleResult, run: String, _ judgement: Judgement) {
      name = oracle.id
      classname = clean("oracle.\(run)")
      var lines = oracle.findings.map { finding in
        "\(finding.instant) s \(judgement.header.name(of: finding.device)): expected \(finding.expected), "
          + "saw \(finding.actual) (\(finding.clause)\(finding.record.map { ", record \($0)" } ?? ""))"
      }
      if oracle.suppressedFindings > 0 { lines.append("and \(oracle.suppressedFindings) more") }
      if oracle.verdict == .inconclusive, lines.isEmpty {
        lines.append("\(oracle.open) obligations were not due when the run ended")
      }
      set(oracle.verdict, message: oracle.claim, lines: lines)
    }

    init(expectation: ExpectationResult, number: Int, run: String) {
      name = clean("\(number) \(expectation.text)")
      classname = clean("expectation.\(run)")
      set(expectation.verdict, message: expectation.text, lines: [expectation.detail])
    }

    private mutating func set(_ verdict: Verdict, message: String, lines: [String]) {
      let text = lines.joined(separator: "\n")
      switch verdict {
      case .none: skipped = Skip(message: "nothing to judge")
      case .pass: break
      case .fail: failure = Problem(message: message, type: verdict.name, text: text)
      case .inconclusive, .error: error = Problem(message: message, type: verdict.name, text: text)
      }
    }
  }

  private struct Skip: Encodable, DynamicNodeEncoding {
    var message: String
    static func nodeEncoding(for key: any CodingKey) -> XMLEncoder.NodeEncoding { .attribute }
  }

  private struct Problem: Encodable, DynamicNodeEncoding {
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

    init(message: String, type: String, text: String) {
      self.message = clean(message)
      self.type = type
      self.text = clean(text)
    }
  }

  /// Characters XML 1.0 cannot carry (2.2) become U+FFFD.
  private static func clean(_ text: String) -> String {
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

  /// Simulated seconds with three decimals.
  private static func seconds(_ judgement: Judgement) -> String {
    let text = judgement.outcome.endInstant.description
    return String(text.dropLast(6))
  }
}
