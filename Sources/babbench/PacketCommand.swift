public import ArgumentParser
public import BabSim
import Commands

extension PacketLines.Input: ExpressibleByArgument {}
extension PacketLines.Dialect: ExpressibleByArgument {}
extension PacketLines.Output: ExpressibleByArgument {}

/// `babbench packet`: Bab packets as a filter, one line in, one line out.
struct PacketCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "packet",
    abstract: "Decode, encode and frame Bab packets, one per line.",
    discussion: """
      Reads lines from standard input and answers each with one line, at once: in a pipe or in a conversation.

      EXAMPLES:
        babbench packet decode --dialect sdk --input text < packets.txt
        babbench packet encode --input base64 < packets.b64
        babbench packet frame --dialect guide --att-mtu 23 < packets.txt
      """,
    subcommands: [Decode.self, Encode.self, Frame.self])

  struct Options: ParsableArguments {
    @Option(help: "The published profile to use.")
    var dialect = PacketLines.Dialect.guide

    @Option(help: "Whether a line is the octets themselves or their base64.")
    var input = PacketLines.Input.text
  }

  struct Decode: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Answer ACCEPT and the canonical packet, or REJECT and the reason with its offset.")

    @OptionGroup var options: Options

    func run() {
      LineFilter.run { PacketLines.decode($0, input: options.input, dialect: options.dialect) }
    }
  }

  struct Encode: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Answer the canonical packet in the form of the input, or REJECT and the reason.")

    @OptionGroup var options: Options

    func run() {
      LineFilter.run { PacketLines.encode($0, input: options.input, dialect: options.dialect) }
    }
  }

  struct Frame: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Answer the values that carry the packet, in order, separated by spaces.")

    @OptionGroup var options: Options

    @Option(name: .customLong("att-mtu"), help: "ATT_MTU of the link, 23 to 517; the profile's own when not given.")
    var attMTU: Int?

    @Option(help: "How values are written.")
    var output = PacketLines.Output.hexadecimal

    func validate() throws {
      if let attMTU, !(23...517).contains(attMTU) { throw ValidationError("--att-mtu must be 23 to 517") }
    }

    func run() {
      var fragmenter = Fragmenter()
      LineFilter.run {
        PacketLines.frame(
          $0, input: options.input, dialect: options.dialect, attMTU: attMTU, output: output, fragmenter: &fragmenter)
      }
    }
  }
}
