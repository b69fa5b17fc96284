import ArgumentParser
import HCIPorts

/// `babbench hci tell`: orders for a session that runs.
struct TellCommand: ExecutedCommand {
  static let configuration = CommandConfiguration(
    commandName: "tell",
    abstract: "Give a running session of hci serve or play an order.",
    discussion: """
      The session was started with --control ADDRESS. An order is a step for a device or the room in the words of \
      scenario files, or one of: add NAME[=PORT] [WORDS], remove NAME, devices, status, pause, resume, speed FACTOR, \
      step TIME, stop, help. Steps, and who comes and leaves, are in the recording of the session, and a replay does \
      them again.

      EXAMPLES:
        babbench hci serve guest-lobby --port guest=h4:tcp:9001 --control unix:/tmp/room
        babbench hci tell unix:/tmp/room guest: vanish
        babbench hci tell unix:/tmp/room 'radio: {packet loss: 20%}'
        babbench hci tell unix:/tmp/room speed 0.1

      EXIT CODES:
        0   done
        1   refused; the answer says why
        3   no session takes orders there
      """)

  @Argument(
    help: "Where the session takes orders: unix:PATH or tcp:PORT.", transform: { try ControlAddress(parsing: $0) })
  var address: ControlAddress

  @Argument(parsing: .captureForPassthrough, help: "The order.")
  var order: [String]

  func validate() throws {
    if order.isEmpty { throw ValidationError("which order? “babbench hci tell \(address) help” lists them") }
  }

  func execute(for streams: OutputStreams) -> Int32 {
    RoomOrder.give(order.joined(separator: " "), at: address, streams)
  }
}
