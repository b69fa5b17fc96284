import ArgumentParser
import Bench
import Conformance
import Foundation
import Judging
import ProtocolFiles
import SimKernel

/// `babbench validate`: reads scenarios and protocol files, and says what is wrong with them.
struct ValidateCommand: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Read scenarios and protocol files, and say what is wrong with them.",
    discussion: """
      One line per file on standard output; problems as file:line:column on standard error. Exit 0, or 64.

      EXAMPLES:
        babbench validate my.yaml
        babbench validate Scenarios
        babbench validate chat.yaml
        babbench validate eight-peer-lobby --set dialect=app
      """)

  @Argument(
    help: "Scenarios and protocol files, folders of them, or names of shipped scenarios.",
    completion: .scenarios)
  var files: [String]

  @OptionGroup var overrides: SettingOptions

  func execute(on bench: Bench, for streams: OutputStreams) -> Int32 {
    var good = 0
    var bad = 0
    for argument in files {
      do {
        for path in try paths(of: argument) {
          do {
            if let summary = try ProtocolFile.summary(ofFile: path) {
              streams.tell("ok \(path): a protocol, \(summary)")
              good += 1
              continue
            }
            let scenario = try bench.load(path, overrides.settings)
            let devices = CountedNoun.text(scenario.devices.count, "device")
            streams.tell("ok \(path): \(devices), \(CountedNoun.text(scenario.steps.count, "step"))")
            for remark in scenario.remarks { streams.tell("  \(remark)") }
            good += 1
          } catch {
            _ = streams.refuse(error)
            bad += 1
          }
        }
      } catch {
        _ = streams.refuse(error)
        bad += 1
      }
    }
    if bad > 0 { streams.complain("\(bad) of \(CountedNoun.text(good + bad, "file")) cannot be used") }
    return (bad > 0 ? Judging.ExitCode.usage : .pass).rawValue
  }

  private func paths(of argument: String) throws -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder), isFolder.boolValue else {
      return [try ScenarioLibrary.shipped.path(of: argument)]
    }
    let found = ScenarioLibrary(folder: argument).entries.map(\.path)
    if found.isEmpty { throw NoScenario(argument: argument, hint: "the folder holds no .yaml file") }
    return found
  }
}
