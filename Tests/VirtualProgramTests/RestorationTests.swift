import AppSeam
import Bench
import Expectations
import Foundation
import Platform
import SimKernel
import Testing

/// What a phone keeps of an app outlives the process of the app.
@Suite("State restoration of programs", .enabled(if: RestoredWorld.isPossible))
struct RestorationTests {
  private static func program(_ command: [String]) -> ScenarioProgram {
    var program = ScenarioProgram(
      words: ["./mine"],
      launch: ProgramLaunch(
        command: command, directory: "/tmp",
        environment: ["PATH=/usr/local/bin:/usr/bin:/bin"]))
    // The limits are wide, since a busy machine is no finding.
    program.limits.startMilliseconds = 300_000
    program.limits.answerMilliseconds = 300_000
    program.limits.launchMilliseconds = 600_000
    return program
  }

  private static var restored: ScenarioProgram { program([Conform.built("restored-program").path]) }

  @Test("Programs are restored as the same apps in process: the same calls, callbacks and trace", arguments: [3, 4])
  func same(seed: UInt64) throws {
    let inside = RestoredWorld([nil, nil], seed: seed)
    let expected = inside.play()
    equal(inside.lines.count { $0.hasSuffix("launched") }, 6, "\(inside.lines)")
    equal(inside.lines.count { $0.contains("willRestoreState") }, 3)
    for programs in [[Self.restored, Self.restored], [nil, Self.restored]] {
      let outside = RestoredWorld(programs, seed: seed)
      let outcome = outside.play()
      expect(outcome.breakdown == nil, "\(String(describing: outcome.breakdown))")
      equal(outside.lines, inside.lines)
      expect(inside.trace.count > inside.lines.count)
      equal(outside.trace, inside.trace)
      equal(outcome.digest, expected.digest)
    }
  }

  /// Asks for its state to be kept and does nothing else; its answer to `remember` is the last line.
  /// - Parameter asked: whether its hello says that it knows the question.
  private static func script(_ memory: String, asked: Bool = true) -> ScenarioProgram {
    program([
      "/bin/sh", "-c",
      #"""
      read -r line
      echo '{"name":"hello","protocol":1,"implementation":"script"$ASKED}'
      while read -r line; do
        at=${line#*:}; at=${at%%,*}
        case $line in
          *'"launched"'*) echo "{\"at\":$at,\"effects\":[{\"name\":\"gap.preserve\",\"on\":true}]}" ;;
          *'"remember"'*) echo "{\"at\":$at,\"effects\":[$MEMORY]}" ;;
          *) echo "{\"at\":$at,\"effects\":[]}" ;;
        esac
      done
      """#.replacing("$ASKED", with: asked ? #","memory":1"# : "").replacing(
        "$MEMORY", with: memory.replacing("\"", with: "\\\"")),
    ])
  }

  private static let empty =
    #""name":"memory","version":1,"peers":[],"centrals":[],"servers":[],"links":[],"attempts":[],"#
    + #""scans":[],"advertisements":[],"nextNumber":0"#

  @Test(
    "A program that hands over a damaged memory ends the run by its place",
    arguments: [
      (#"{"name":"memory"}"#, "effects[0].version: missing"),
      (#"{"name":"memroy"}"#, #"effects[0].name: "memroy", where memory is needed"#),
      ("{},{}", "effects: more than one"),
      ("7", "effects[0]: a whole number, where an object is needed"),
      (
        "{\(Self.empty.replacing(#""version":1"#, with: #""version":2"#))}", "effects[0]: version: 2, where 1 is needed"
      ),
      (
        "{\(Self.empty.replacing(#""attempts":[]"#, with: #""attempts":["E3:9B"]"#))}",
        #"effects[0]: attempts[0]: "E3:9B" is no address"#
      ),
    ])
  func damaged(memory: String, reason: String) throws {
    let world = RestoredWorld([Self.script(memory), nil], seed: 1)
    world.run(2)
    world.world.apply(.reclaim, device: 0)
    world.run(1)
    let breakdown = try required(world.world.finish(ending: .finished).breakdown)
    expect(breakdown.device == 0 && breakdown.hasStarted && breakdown.cause == "hands over a damaged memory")
    expect(breakdown.detail.hasPrefix("its memory: \(reason); it said “"), "\(breakdown.detail)")
  }

  @Test("A sound memory, none, and a program that does not know the question go on")
  func sound() {
    for (memory, asked) in [("{\(Self.empty)}", true), ("", true), ("damaged", false)] {
      let world = RestoredWorld([Self.script(memory, asked: asked), nil], seed: 1)
      world.run(2)
      for fault in [DeviceFault.reclaim, .relaunch, .kill, .relaunch] {
        world.world.apply(fault, device: 0)
        world.run(1)
      }
      let outcome = world.world.finish(ending: .finished)
      expect(outcome.breakdown == nil, "\(String(describing: outcome.breakdown))")
    }
  }
}
