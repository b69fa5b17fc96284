import ArgumentParser
import Campaigns
import Judging

/// `babbench new`: packages to begin with.
struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Write a package to begin with, which is green at once.",
    discussion: """
      A protocol of your own begins with “babbench protocol new”.

      EXAMPLES:
        babbench new corebluetooth-tests room-tests
      """,
    subcommands: [RoomTests.self])

  struct RoomTests: ExecutedCommand {
    static let configuration = CommandConfiguration(
      commandName: "corebluetooth-tests",
      abstract: "Write a Swift package that tests an app for CoreBluetooth in a room of virtual phones.",
      discussion: "It is for Linux (Docs/virtual-room.md). What is there already is not written over.",
      aliases: ["coreBluetooth-tests"])

    @Argument(help: ArgumentHelp("The folder that is made.", valueName: "folder"))
    var folder: String

    @OptionGroup
    var bench: BenchSource

    func execute(for streams: OutputStreams) -> Int32 {
      do {
        try RoomTemplate().write(to: folder, bench: bench.babbench)
        streams.tell("wrote \(folder)\nnext: cd \(folder) && swift test")
        return 0
      } catch {
        return streams.refuse(error, .usage)
      }
    }
  }
}
