import Expectations
import Foundation
import Testing

@testable import Judging

/// Texts come from implementations under test, and may be anything.
@Suite("JUnit files and what is written into them")
struct JUnitWriterTests {
  /// All that has a meaning in XML, all that it cannot carry, and some that a rule by `Character` would miss.
  private static let text: String = {
    let scalars = Array(0..<0x180) + [0xD7FF, 0xE000, 0xFEFF, 0xFFFD, 0xFFFE, 0xFFFF, 0x1_0000, 0x1F4A9, 0x10_FFFF]
    let all = String(String.UnicodeScalarView(scalars.compactMap { UInt32($0) }.compactMap(Unicode.Scalar.init)))
    return all + "]]> <![CDATA[ <!-- --> &amp; &#0; \"\u{301} <\u{301} \r\n\n\r\t "
  }()

  private static func document(_ text: String) -> JUnitDocument {
    var failed = JUnitDocument.Case(name: text, classname: text, time: "0.001")
    failed.failure = JUnitDocument.Problem(message: text, type: "fail", text: text)
    failed.log = text
    var skipped = JUnitDocument.Case(name: "skipped", classname: "a")
    skipped.skipped = JUnitDocument.Skip(message: text)
    return JUnitDocument(
      name: text,
      suites: [
        JUnitDocument.Suite(
          name: text, time: "1.000", properties: [("p", text)],
          cases: [failed, skipped, JUnitDocument.Case(name: "passed", classname: "a")])
      ])
  }

  @Test("Markup, layout and the order of things")
  func layout() throws {
    equal(
      String(decoding: Self.document("<&\">\n'").octets(), as: UTF8.self),
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="&lt;&amp;&quot;&gt;&#10;'" tests="3" failures="1" errors="0">
        <testsuite name="&lt;&amp;&quot;&gt;&#10;'" tests="3" failures="1" errors="0" skipped="1" time="1.000">
          <properties>
            <property name="p" value="&lt;&amp;&quot;&gt;&#10;'"/>
          </properties>
          <testcase name="&lt;&amp;&quot;&gt;&#10;'" classname="&lt;&amp;&quot;&gt;&#10;'" time="0.001">
            <failure message="&lt;&amp;&quot;&gt;&#10;'" type="fail">&lt;&amp;"&gt;
      '</failure>
            <system-err>&lt;&amp;"&gt;
      '</system-err>
          </testcase>
          <testcase name="skipped" classname="a">
            <skipped message="&lt;&amp;&quot;&gt;&#10;'"/>
          </testcase>
          <testcase name="passed" classname="a"/>
        </testsuite>
      </testsuites>

      """)
  }

  @Test(
    "Any text comes out of a reader of another make as it went in, with controls and marks of direction written out")
  func anyText() throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") else {
      return print("skipped: any text in JUnit files (there is no /usr/bin/python3)")
    }
    let path = NSTemporaryDirectory() + "babbench-junit-text-\(getpid())"
    defer {
      for end in [".xml", ".txt"] { try? FileManager.default.removeItem(atPath: path + end) }
    }
    try FileSink.write(Self.document(Self.text).octets(), to: path + ".xml")
    try FileSink.write(Array(Self.text.utf8), to: path + ".txt")
    let script = """
      import re, sys, xml.etree.ElementTree as E
      text = open(sys.argv[1] + '.txt', newline='', encoding='utf-8').read()
      assert len(text) > 400
      controls = '\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f'
      hidden = '[' + controls + '\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff\\ufffe\\uffff]'
      want = re.sub(hidden, lambda match: '\\\\u{%x}' % ord(match[0]), text)
      root = E.parse(sys.argv[1] + '.xml').getroot()
      suite, = root
      failed, skipped, passed = suite.findall('testcase')
      failure, log = failed
      got = [root.get('name'), suite.get('name'), suite.find('properties/property').get('value'), failed.get('name'),
             failed.get('classname'), failure.get('message'), failure.text, log.text, skipped[0].get('message')]
      for number, value in enumerate(got):
        assert value == want, (number, value, want)
      assert len(passed) == 0 and log.tag == 'system-err'
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", script, path]
    try process.run()
    process.waitUntilExit()
    equal(process.terminationStatus, 0)
  }
}
