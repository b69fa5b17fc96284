import Expectations
import Foundation
import Testing

/// Cases of our own after public reports (`Tests/Reported`, Docs/reported.md): the first line that a developer reads
/// names the reason, in a quiet room and in one that loses 5 % of all PDUs.
@Suite("Cases after public reports")
struct ReportedCaseTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    /// The first line of `why` begins so, after its number.
    var why: String
    /// `conform` begins so; nil: no case comes to it.
    var conform: String?

    var testDescription: String { name }
  }

  private static let folder = Repository.path("Tests/Reported")
  private static let cases: [Case] = {
    let text = (try? String(contentsOfFile: folder + "/cases.tsv", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return Case(name: fields[0], why: fields[2], conform: fields[3] == "-" ? nil : fields[3])
    }
  }()

  @Test("Each folder has its row, and the page has it too")
  func complete() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder).filter { $0.first?.isNumber == true }
    expect(folders.sorted() == Self.cases.map(\.name) && folders.count >= 20)
    let page = try Repository.text("Docs/reported.md")
    for reported in Self.cases {
      let row = page.split(separator: "\n").first { $0.contains("| \(reported.name) |") }
      equal(row?.contains(reported.why), true, "\(reported.name): \(row ?? "no row in Docs/reported.md")")
    }
  }

  @Test("why names the reason first, and so it does where PDUs are lost", arguments: Part.of(cases, 3), ["0%", "5%"])
  func why(_ reported: Case, _ loss: String) throws {
    let arguments = ["why", "room.yaml", "--set", "radio.packet-loss=\(loss)"]
    let result = try Executable.run(arguments, folder: Self.folder + "/" + reported.name)
    expect(
      result.status == 1 && result.output.hasPrefix("1. " + reported.why),
      "\(result.output.prefix(400))\(result.errors.prefix(400))")
  }

  @Test(
    "conform begins with it, where one app is at fault and a case comes to it",
    arguments: Part.of(cases.filter { $0.conform != nil }, 3))
  func conform(_ reported: Case) throws {
    let result = try Executable.run(["conform", "--iut", "iut.yaml"], folder: Self.folder + "/" + reported.name)
    let begin = try required(reported.conform)
    expect([1, 2].contains(result.status) && result.output.hasPrefix(begin), "\(result.output.prefix(600))")
  }

  @Test("Without a defect nothing is wrong", arguments: ["0%", "5%"])
  func sound(_ loss: String) throws {
    let arguments = ["why", "sound.yaml", "--set", "radio.packet-loss=\(loss)"]
    let result = try Executable.run(arguments, folder: Self.folder)
    equal(result.status, 0, "\(result.output.prefix(600))\(result.errors)")
  }
}
