import ArgumentParser
import HCIPorts

/// `babbench room add`: a device comes to a room that lives.
struct RoomAddCommand: ExecutedCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Bring a device into a running session of hci serve or play.",
    discussion: """
      The session was started with --control ADDRESS and --places COUNT. NAME=PORT is a controller for an external \
      host, at an address as --port of hci serve has it; NAME alone is a device with one of our apps. WORDS are what \
      a scenario file would have under the device's name. The answer says the instant, and where the port is.

      EXAMPLES:
        babbench hci serve guest-lobby --port guest=h4:tcp:9001 --control unix:/tmp/room --places 8
        babbench room add unix:/tmp/room watch=h4:tcp:0 '{at: [3, 0]}'
        babbench room add unix:/tmp/room client-9 '{phone: iphone, at: [0, 4]}'
        babbench room remove unix:/tmp/room watch

      EXIT CODES:
        0   done
        1   refused; the answer says why
        3   no session takes orders there
      """)

  @Argument(
    help: "Where the session takes orders: unix:PATH or tcp:PORT.", transform: { try ControlAddress(parsing: $0) })
  var address: ControlAddress

  @Argument(help: ArgumentHelp("Who comes, and where its host finds its controller.", valueName: "name[=port]"))
  var device: String

  @Argument(help: "Its phone, place and more, as in a scenario file.")
  var words: [String] = []

  func execute(for streams: OutputStreams) -> Int32 {
    RoomOrder.give((["add", device] + words).joined(separator: " "), at: address, streams)
  }
}

/// `babbench room remove`: a device leaves a room that lives, for good.
struct RoomRemoveCommand: ExecutedCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Take a device out of a running session, for good.",
    discussion: """
      Its links end without a word, as those of a phone whose battery is taken out, and its port is closed. To take a \
      device off the air for a while, use the steps vanish and appear.

      EXAMPLES:
        babbench room remove unix:/tmp/room watch
        babbench room tell unix:/tmp/room client-1: vanish
      """)

  @Argument(
    help: "Where the session takes orders: unix:PATH or tcp:PORT.", transform: { try ControlAddress(parsing: $0) })
  var address: ControlAddress

  @Argument(help: "Who leaves.")
  var device: String

  func execute(for streams: OutputStreams) -> Int32 { RoomOrder.give("remove " + device, at: address, streams) }
}

/// `babbench room tell`: any order, as `babbench hci tell`.
struct RoomTellCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tell", abstract: "Give a running session any order, as babbench hci tell does.",
    discussion: TellCommand.configuration.discussion)

  @OptionGroup var order: TellCommand

  func run() throws { try order.run() }
}

enum RoomOrder {
  /// - Returns: the exit code.
  static func give(_ order: String, at address: ControlAddress, _ streams: OutputStreams) -> Int32 {
    do throws(PortError) {
      let answer = try ControlClient.ask(order, at: address)
      if answer.hasPrefix("error: ") {
        streams.complain(answer)
        return 1
      }
      streams.tell(answer)
      return 0
    } catch {
      return streams.refuse(error)
    }
  }
}
