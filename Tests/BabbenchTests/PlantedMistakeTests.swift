import Expectations
import Foundation
import Testing

/// Mistakes that somebody planted without having read the sources (`Tests/Planted`): the first screen of `why` names
/// the reason, in a quiet room and in one that loses 5 % of all PDUs.
@Suite("Planted mistakes")
struct PlantedMistakeTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    /// What a developer has to be told, as the first screen says it.
    var phrase: String

    var testDescription: String { name }
  }

  private static let soundRooms = ["sound-board.yaml", "sound-by-handle.yaml", "sound-hub.yaml", "sound-shop.yaml"]
  /// Lines of a terminal.
  private static let screen = 24
  private static let folder = Repository.path("Tests/Planted")
  private static let cases: [Case] = {
    let text = (try? String(contentsOfFile: folder + "/planted.tsv", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let fields = line.split(separator: "\t").map(String.init)
      return Case(name: fields[0], phrase: fields[1])
    }
  }()

  @Test("Each folder has its row")
  func complete() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder).filter { $0.first?.isNumber == true }
    expect(folders.sorted() == Self.cases.map(\.name) && folders.count >= 45)
  }

  @Test(
    "The first screen names the reason, and so it does where PDUs are lost", arguments: Part.of(cases, 6), ["0%", "5%"])
  func named(_ planted: Case, _ loss: String) throws {
    let arguments = ["why", "room.yaml", "--set", "radio.packet-loss=\(loss)"]
    let result = try Executable.run(arguments, folder: Self.folder + "/" + planted.name)
    let first = result.output.split(separator: "\n", omittingEmptySubsequences: false).prefix(Self.screen)
    expect(
      result.status == 1 && first.joined(separator: "\n").contains(planted.phrase),
      "\(result.output.prefix(600))\(result.errors.prefix(400))")
  }

  @Test("A run of its own says the same reason as why, and so do its files", arguments: Part.of(cases, 14))
  func told(_ planted: Case) throws {
    let room = Self.folder + "/" + planted.name
    let why = try Executable.run(["why", "room.yaml"], folder: room).output
    let folder = try TemporaryFolder()
    let run = try Executable.run(["run", "room.yaml", "--out", folder.path + "/out"], folder: room).output
    let first = String(why.prefix { $0 != "\n" })
    expect(run.contains("\n\(first)\n"), "\(first)\n\(run)")
    // Where nothing but the claim is known, files say that in their own way.
    if first.hasPrefix("1. fail") { return }
    let words = String(first.dropFirst(3).prefix { $0.isASCII && $0 != "\"" && $0 != "'" && $0 != "&" && $0 != "," })
    for file in ["junit.xml", "result.json"] {
      let text = try String(contentsOfFile: folder.path + "/out/" + file, encoding: .utf8)
      expect(text.contains(words), "\(file): \(words)")
    }
  }

  @Test("conform says of a protocol without test purposes that nothing of it can be judged")
  func withoutPurposes() throws {
    let folder = try TemporaryFolder()
    let text = "protocol: \(Self.folder)/board.yaml\nrole: room\ncommand: [true]\n"
    try folder.write(text, to: "iut.yaml")
    let result = try Executable.run(["conform", "--iut", "iut.yaml"], folder: folder.path)
    expect(
      result.status == 64
        && result.errors.hasPrefix(
          "error: iut.yaml: nothing of protocol “board” can be judged, since it has no test purposes"),
      "\(result.errors)")
  }

  @Test("Without a mistake nothing is wrong", arguments: soundRooms, ["0%", "5%"])
  func sound(_ room: String, _ loss: String) throws {
    let arguments = ["why", room, "--set", "radio.packet-loss=\(loss)"]
    let result = try Executable.run(arguments, folder: Self.folder)
    equal(result.status, 0, "\(result.output.prefix(600))\(result.errors)")
  }
}
