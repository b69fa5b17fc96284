import ArgumentParser
import Bench
import Campaigns
import Conformance
import Foundation
import Judging
import ProtocolFiles

/// `babbench protocol`: a protocol of your own in a file.
struct ProtocolCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "protocol",
    abstract: "Begin, check and print a protocol of your own: one YAML file.",
    discussion: """
      A protocol file says services, packets, roles, what people do, what screens show, what holds in every run, and how
      it is tested. Scenarios and descriptions name it: “protocol: ./chat.yaml” (Docs/own-protocol.md).

      EXAMPLES:
        babbench protocol new chat
        babbench protocol new ping --swift ping-bench
        babbench protocol explain chat.yaml
        babbench protocol schema > protocol.schema.json
        babbench run chat-room.yaml
        babbench conform --iut my-chat.yaml
      """,
    subcommands: [New.self, Explain.self, Schema.self])

  struct New: ExecutedCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write a protocol file, a scenario and a description to begin with; or a Swift package.",
      discussion: "What is there already is not written over.")

    @Argument(help: ArgumentHelp("The name of the protocol: lower case, one word.", valueName: "name"))
    var name: String

    @Option(
      help: ArgumentHelp(
        "Write a Swift package in place of a file: a protocol with engines, an oracle, a test purpose and a program.",
        valueName: "folder"))
    var swift: String?

    @OptionGroup
    var bench: BenchSource

    func validate() throws {
      guard bench.babbench == nil || swift != nil else {
        throw ValidationError("--babbench is for --swift; remove it, or add --swift")
      }
    }

    func execute(for streams: OutputStreams) -> Int32 {
      do {
        if let swift { return try writePackage(to: swift, streams) }
        guard let files = ProtocolTemplate.files(named: name) else {
          throw UsageProblem(
            "“\(name)” is no name of a protocol; write at most 24 lower case letters, digits and hyphens")
        }
        for (path, _) in files where FileManager.default.fileExists(atPath: path) {
          throw UsageProblem("\(path) is there already; write another name, or remove it")
        }
        for (path, text) in files { try FileSink.write(Array(text.utf8), to: path) }
        streams.tell(
          files.map { "wrote \($0.path)" }.joined(separator: "\n") + "\nnext: babbench run \(name)-room.yaml")
        return 0
      } catch {
        return streams.refuse(error, .usage)
      }
    }

    private func writePackage(to folder: String, _ streams: OutputStreams) throws -> Int32 {
      try SwiftTemplate(named: name).write(to: folder, bench: bench.babbench)
      streams.tell("wrote \(folder)\nnext: cd \(folder) && swift test -c release")
      return 0
    }
  }

  struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the JSON Schema of protocol files, with which editors complete and check them.")

    func run() { Console.resultOrEnd(ProtocolPage.schema) }
  }

  struct Explain: ExecutedCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print a protocol file as a page that people read.")

    @Argument(help: ArgumentHelp("The protocol file.", valueName: "file"))
    var file: String

    func execute(for streams: OutputStreams) -> Int32 {
      do {
        streams.tell(try ProtocolPage.text(ofFile: file))
        return 0
      } catch {
        return streams.refuse(error, .usage)
      }
    }
  }
}
