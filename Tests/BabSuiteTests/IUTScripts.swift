import AppSeam
import BabSim
import Bench
import Foundation
import SimKernel

@testable import BabSuite
@testable import Conformance

/// Programs under test that are a few lines of shell, each with a folder of its own.
enum IUTScript {
  static let hello = #"read -r line; echo '{"name":"hello","protocol":1,"implementation":"script"}'"#
  /// Reads an input and takes its instant out of `{"at":N,…`.
  static let ask = #"read -r line || exit 0; at=${line#*:}; at=${at%%,*}"#
  static let answer = #"echo "{\"at\":$at,\"effects\":[]}""#
  /// A program that does as it should and asks for nothing.
  static let wellBehaved = hello + "\nwhile :; do \(ask); \(answer); done"

  static let environment = ["PATH=/usr/local/bin:/usr/bin:/bin"]

  static func launch(_ script: String) -> ProgramLaunch {
    ProgramLaunch(command: ["/bin/sh", "-c", script], directory: "/tmp", environment: environment)
  }

  static func engine(_ script: String, _ limits: ProgramLimits = ProgramLimits()) -> ProcessEngine {
    engine(launch(script), limits)
  }

  static func engine(_ launch: ProgramLaunch, _ limits: ProgramLimits = ProgramLimits()) -> ProcessEngine {
    let configuration = AppProtocol.bab.configuration(.host, .sdk, peerID: "peer-iut", displayName: "iut")
    return ProcessEngine(
      launch, limits: limits, hello: IUTHello(of: .bab, role: .host, configuration: configuration))
  }

  /// Whether any process of the group is left that could still do something; a killed one may take a moment to go.
  static func isAlive(group: Int32) -> Bool {
    for _ in 0..<2_000 {
      if members(of: group).isEmpty { return false }
      usleep(1_000)
    }
    return true
  }

  /// Processes of the group that are not zombies. Zombies that are not ours belong to whoever adopted them.
  private static func members(of group: Int32) -> [Int32] {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.compactMap { Int32($0) }.filter { pid in
      guard let words = status(pid) else { return false }
      return words.count > 2 && words[0] != "Z" && words[0] != "X" && Int32(words[2]) == group
    }
  }

  /// State, parent, process group and so on; nil for a process that is not there.
  private static func status(_ pid: Int32) -> [Substring]? {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
      let bracket = text.lastIndex(of: ")")
    else { return nil }
    return text[text.index(after: bracket)...].split(separator: " ")
  }

  /// Whether the process is still there as a child of this one, zombie included.
  static func isOurChild(_ pid: Int32) -> Bool {
    guard let words = status(pid), words.count > 1 else { return false }
    return Int32(words[1]) == getpid()
  }
}
