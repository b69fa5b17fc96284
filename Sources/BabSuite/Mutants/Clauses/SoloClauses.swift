import AppSeam
import BabSim
import Conformance

/// Defects of solo mode, in hosts and clients.
extension Mutants {
  static let solo: [Mutant] = solo(.host) + solo(.client)

  private static func solo(_ role: AppRole) -> [Mutant] {
    let prefix = role == .host ? "host-" : "client-"
    return soloRadio(prefix, role) + soloWords(prefix, role)
  }

  private static func soloRadio(_ prefix: String, _ role: AppRole) -> [Mutant] {
    [
      .whenTold(prefix + "solo-scans", role, "BAB 5.10.1", "looks for others in solo mode") { m, input in
        if input == .user(.startSolo) { m.added.append(.scan(services: m.dialect.scanFilter)) }
      },
      .asks(prefix + "solo-app-line-late", role, "BAB 5.10.2", "commits the app's line only with the user's") {
        m, effect in
        guard case .committed(let index, _, _)? = effect.bab else { return [effect] }
        if index % 2 == 0 {
          m.kept = [effect]
          return []
        }
        defer { m.kept = [] }
        return m.kept + [effect]
      },
      .asks(prefix + "solo-app-speaks-once", role, "BAB 5.10.2", "lets the app speak only at the beginning") {
        _, effect in
        guard case .committed(let index, _, _)? = effect.bab, index > 0, index % 2 == 0 else { return [effect] }
        return []
      },
      .misses(prefix + "solo-skip-stays", role, "BAB 5.10.4", "stays at a line that is skipped") {
        $0 == .user(.skipLine)
      },
      .told(prefix + "solo-summary-always", role, "BAB 5.10.5", "shows the summary also when nothing is saved") {
        _, input in
        input == .user(.endSolo(save: false)) ? [.user(.endSolo(save: true))] : [input]
      },
      .keeps(prefix + "solo-summary-never", role, "BAB 5.10.5", "shows no summary") {
        if case .summary? = $0.bab { true } else { false }
      },
      .asks(prefix + "solo-company", role, "BAB 6.2", "gives points for company to a player who is alone") {
        _, effect in
        guard case .summary(var summary)? = effect.bab else { return [effect] }
        for index in summary.rankings.indices { summary.rankings[index].score += 5 }
        return [.report(.summary(summary))]
      },
    ]
  }

  /// Defects in the comparing of words: what was spoken is changed, knowing the line on the screen.
  private static func soloWords(_ prefix: String, _ role: AppRole) -> [Mutant] {
    [
      speaking(prefix + "solo-any-word", role, "takes a line for read with its first word") { _, line in line },
      speaking(prefix + "solo-any-order", role, "matches the words of a line in any order") { spoken, line in
        line.filter(spoken.contains) + spoken.filter { !line.contains($0) }
      },
      speaking(prefix + "solo-forgives", role, "counts no error for a word that does not match") { spoken, line in
        spoken.filter(line.contains)
      },
      speaking(prefix + "case-matters", role, clause: "BAB 6.11", "compares words with their case") { spoken, line in
        spoken.map { line.contains($0) || !line.contains($0.lowercased()) ? $0 : "x" + $0 }
      },
    ]
  }

  /// A defect in what is spoken, given the words of the line on the screen.
  static func speaking(
    _ name: String, _ role: AppRole, clause: String = "BAB 5.10.3", _ summary: String,
    _ change: @escaping @Sendable (_ spoken: [String], _ line: [String]) -> [String]
  ) -> Mutant {
    .seam(
      name, role, clause, summary,
      hearing: { m, input in
        guard case .speak(let text)? = input.bab, case .screen(let line)? = m.kept.first?.bab,
          let expected = line.text
        else { return [input] }
        func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
        // A line's own capitals are no fault of who reads it in small letters.
        let lowered = words(expected).map { $0.lowercased() }
        let spoken = words(text).map {
          lowered.contains($0.lowercased()) && words(expected).contains($0) ? $0.lowercased() : $0
        }
        return [.user(.speak(change(spoken, lowered).joined(separator: " ")))]
      },
      whenAsking: { m, effect in if case .screen? = effect.bab { m.kept = [effect] } })
  }
}
