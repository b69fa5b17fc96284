import AppSeam
import SimKernel

@testable import BabSim

/// What an app has shown so far, read from its reports as an oracle reads them.
extension EngineHarness.Device {
  func last<Value>(_ pick: (BabReport) -> Value?) -> Value? {
    for report in reports.reversed() { if let value = pick(report) { return value } }
    return nil
  }

  var phase: String? { last { if case .phase(let phase) = $0 { phase } else { nil } } }
  var linkState: String? { last { if case .linkState(let state) = $0 { state } else { nil } } }
  var roster: [String]? { last { if case .roster(let roster) = $0 { roster } else { nil } } }
  var lobby: LobbyView? { last { if case .lobby(let lobby) = $0 { lobby } else { nil } } }
  var leaderboard: [LeaderboardRow]? { last { if case .leaderboard(let rows) = $0 { rows } else { nil } } }
  var summary: SummaryView? { last { if case .summary(let summary) = $0 { summary } else { nil } } }
  var ending: String? { last { if case .sessionEnded(let reason) = $0 { reason } else { nil } } }
  var turn: String? { last { if case .turn(let player) = $0 { player } else { nil } } ?? nil }
  /// When it was last seen in a link state.
  func time(ofLinkState state: String) -> SimInstant? {
    reports.lastIndex(of: .linkState(state)).map { reportTimes[$0] }
  }

  var hasResumed: Bool { reports.contains(.resumed) }

  /// The history as the reports tell it.
  var history: [String] {
    var lines: [String] = []
    for report in reports {
      if case .committed(let index, let id, _) = report, index == lines.count { lines.append(id) }
      if case .historyReplaced(let ids) = report { lines = ids }
    }
    return lines
  }

  var texts: [String] { reports.compactMap { if case .committed(_, _, let text) = $0 { text } else { nil } } }

  var violations: [String] {
    reports.compactMap { if case .violation(_, let rule, _) = $0 { rule } else { nil } }
  }

  var refusals: [String] {
    reports.compactMap { if case .refused(_, let reason) = $0 { reason } else { nil } }
  }

  func sent(_ type: PacketType) -> Int {
    reports.filter { if case .packetSent(_, type.rawValue, _, _) = $0 { true } else { false } }.count
  }

  func received(_ type: PacketType) -> [String] {
    reports.compactMap { if case .packetReceived(_, type.rawValue, _, let json) = $0 { json } else { nil } }
  }
}

extension EngineHarness {
  /// A lobby: one host, that many clients, all asked to join at once.
  static func lobby(
    dialect: Dialect, clients: Int, configure: (inout BabConfiguration) -> Void = { _ in }
  ) -> EngineHarness {
    let harness = EngineHarness()
    harness.populate(dialect: dialect, clients: clients, configure: configure)
    return harness
  }

  func populate(dialect: Dialect, clients: Int, configure: (inout BabConfiguration) -> Void = { _ in }) {
    add(HostEngine(configuration: Self.configuration(dialect, "host", configure)), name: "host")
    user(0, .startHosting)
    for number in 1...max(1, clients) where clients > 0 {
      addClient(dialect, number, configure)
    }
    for number in 1...max(1, clients) where clients > 0 { user(number, .joinHost) }
  }

  @discardableResult
  func addClient(
    _ dialect: Dialect, _ number: Int, _ configure: (inout BabConfiguration) -> Void = { _ in }
  ) -> Int {
    let name = "peer-\(number)"
    return add(ClientEngine(configuration: Self.configuration(dialect, name, configure)), name: name)
  }

  static func configuration(
    _ dialect: Dialect, _ peerID: String, _ configure: (inout BabConfiguration) -> Void = { _ in }
  ) -> BabConfiguration {
    var configuration = BabConfiguration(dialect: dialect, peerID: peerID, displayName: peerID.uppercased())
    configuration.scenarios.append(.ensemble(id: "ensemble", roles: 8))
    configure(&configuration)
    return configuration
  }

  var host: Device { devices[0] }
  var clients: ArraySlice<Device> { devices.dropFirst() }
}
