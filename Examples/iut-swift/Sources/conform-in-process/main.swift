import BabSim
import BabSuite
import Conformance
import Foundation
import Judging
import LobbyClient

// The engine in the bench's own process: nothing to start, a debugger works.
let lobbyClient = ImplementationUnderTest(
  of: .bab, name: "lobby-client", role: .client, dialects: [.sdk], ics: ICS([.roles, .screen, .refusals])
) { configuration in
  LobbyClient(
    peerID: configuration.peerID, displayName: configuration.displayName,
    heartbeat: BabConfiguration(configuration).heartbeatInterval)
}

let suite = Suite([lobbyClient], selection: CaseSelection(select: Array(CommandLine.arguments.dropFirst())))
var worst = Verdict.none
var counts: [(name: String, count: Int)] = []
for item in suite.items {
  let result = suite.run(item)
  let name = result.notApplicable == nil ? result.verdict.name : "n/a"
  if result.notApplicable == nil { worst = worst.combined(with: result.verdict) }
  if let index = counts.firstIndex(where: { $0.name == name }) {
    counts[index].count += 1
  } else {
    counts.append((name, 1))
  }
  print("\(name.padding(toLength: 13, withPad: " ", startingAt: 0))\(result.id.purpose)  \(result.id.dialect)")
  guard let finding = result.finding else { continue }
  for step in result.steps { print("    \(step.instant) \(step.text)") }
  print("    \(finding.clause)\n    expected  \(finding.expected)\n    actual    \(finding.actual)")
}
print(counts.map { "\($0.count) \($0.name)" }.joined(separator: ", "))
exit(ExitCode(worst).rawValue)
