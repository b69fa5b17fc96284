import ArgumentParser
import Campaigns
import Judging

/// `babbench room`: rooms over a pipe, driven line by line.
struct RoomCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "room",
    abstract: "Drive rooms over standard input and output, one line of JSON each way.",
    discussion: """
      Speaks Docs/Formats/room-protocol.md until its input ends: each line is answered by one line. One process plays \
      any number of rooms, one after the other; the Python package babbench drives them so.

      EXAMPLES:
        babbench room
        babbench room < out/room.jsonl

      A session of hci serve or play that was started with --control is a room that lives: the subcommands are orders \
      for it.

      The exit code is 64 when a line was refused, else that of the heaviest verdict: 2 where nothing was judged.
      """, subcommands: [RoomAddCommand.self, RoomRemoveCommand.self, RoomTellCommand.self])

  func run() throws {
    let table = RoomTable()
    LineFilter.run { table.answer($0) }
    throw ArgumentParser.ExitCode(table.exitCode)
  }
}
