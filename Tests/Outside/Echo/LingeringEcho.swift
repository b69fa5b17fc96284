import AppSeam
import Bench
import Conformance
import SimKernel

extension AppProtocol {
  /// Echo with a host that answers every ping, and ends its program a second after one with a certain number.
  static let lingering = AppProtocol(
    EchoApp(name: "lingering"), title: "Echo with a host that breaks late", clauses: [], exemptions: [],
    breakdownClause: "", purposes: [], mutants: [], designs: [], ics: [], oracles: [],
    makeOracleReader: { JointJudge([]) },
    makeReference: { configuration in
      configuration.role == .echoHost ? LingeringHost() as any AppEngine : EchoClient()
    }, makeBed: { TestBed($0, testers: [:]) }, chart: .none, traffic: nil)
}

/// The ping that ends it is answered as any other.
private final class LingeringHost: AppEngine {
  private let host = EchoHost()
  private static let end = TimerID(1)

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    if case .timer(Self.end) = input { fatalError("a ping from 32 on, a second ago") }
    let effects = host.handle(input, at: now)
    guard case .valueReceived(_, _, let octets) = input, case .ping(0x20...)? = EchoPacket(octets) else {
      return effects
    }
    return effects + [.setTimer(Self.end, at: now + .seconds(1))]
  }
}
