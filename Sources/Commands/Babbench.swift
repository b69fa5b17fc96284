import ArgumentParser
import Campaigns

/// The command line: parse, call, print, exit. Everything else lives below.
struct Babbench: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "babbench",
      abstract: "A whole Bluetooth LE lobby in one deterministic process, and a judge for it.",
      discussion: """
        Same scenario and seed: same octets on the air, same verdict, on every machine.

        EXAMPLES:
          babbench list --scenarios
          babbench run eight-peer-lobby
          babbench run eight-peer-lobby --seed 7 --out out
          babbench run Scenarios/lobby/eight-peer-lobby.yaml --seeds 1..1000 --jobs 2
          babbench run eight-peer-lobby --set radio=convention-hall --check-determinism
          babbench why eight-peer-lobby --seed 22 --set radio=subway
          babbench diff eight-peer-lobby@21 eight-peer-lobby@22 --set radio=subway
          babbench stress eight-peer-lobby --seeds 1..1000
          babbench explore --worlds 1000
          babbench shrink eight-peer-lobby --seed 18 --set radio=convention-hall
          babbench hci serve guest-lobby --port guest=h4:tcp:9001
          babbench play --role host --controller user:hci0
          babbench replay session.jsonl --times 10
          babbench conform --iut my-host.yaml --out out
          babbench watch -- conform --iut my-host.yaml
          babbench stats air.pcapng --html stats.html
          babbench calibrate btsnoop_hci.log --name pixel --output pixel.yaml
          babbench explain \(Examples.purpose)
          babbench check btsnoop_hci.log
          babbench inspect btsnoop_hci.log --link 3 --verbose
          babbench convert btsnoop_hci.log phone.pcapng
          babbench view out
          babbench fuzz run eight-peer-lobby --when "all clients in lobby" --from client-3
          babbench selftest
          babbench physics
          babbench fuzz parser
          babbench protocol new chat
          babbench new corebluetooth-tests room-tests
          \((["babbench validate Scenarios"] + Edition.current.examples.calls).joined(separator: "\n  "))

        EXIT CODES:
          0    pass
          1    fail
          2    inconclusive, or nothing was judged
          3    the bench itself failed
          64   the command line, a scenario or a description is wrong
          130  interrupted; the files already written are complete
        """,
      version: "babbench " + BenchVersion.current,
      subcommands: [
        RunCommand.self, WhyCommand.self, DiffCommand.self, StressCommand.self, ExploreCommand.self,
        MergeCommand.self, ShrinkCommand.self,
        HCICommand.self,
        PlayCommand.self, RoomCommand.self,
        ReplayCommand.self, ConformCommand.self, WatchCommand.self,
        ExplainCommand.self,
        SelftestCommand.self, PhysicsCommand.self, LimitsCommand.self, FiguresCommand.self, FuzzCommand.self,
        ValidateCommand.self, ProtocolCommand.self, NewCommand.self,
        CheckCommand.self, InspectCommand.self, StatsCommand.self, CalibrateCommand.self, ConvertCommand.self,
        CaptureCommand.self, AdaptersCommand.self, ExtcapCommand.self, ViewCommand.self,
        ListCommand.self,
      ] + Edition.current.commands + [SchemaCommand.self, EngineCommand.self])
  }
}
