import AppSeam
import Bench
import Conformance

extension AppProtocol {
  /// Echo with a host that ends its program, never ends, or takes all memory, on pings with certain numbers. Nobody
  /// tests it; fuzzing must find it.
  static let fragile = AppProtocol(
    EchoApp(name: "fragile"), title: "Echo with a fragile host", clauses: [], exemptions: [], breakdownClause: "",
    purposes: [], mutants: [], designs: [], ics: [], oracles: [], makeOracleReader: { JointJudge([]) },
    makeReference: { configuration in
      configuration.role == .echoHost ? EchoHost(answer: answer) as any AppEngine : EchoClient()
    }, makeBed: { TestBed($0, testers: [:]) }, chart: .none, traffic: nil)

  private static func answer(_ number: UInt8) -> UInt8 {
    switch number {
    case 0x80...: fatalError("no answer to a ping from 128 on")
    case 0x40...0x7F: endless()
    case 0x10...0x3F: hoard()
    default: number
    }
  }

  private static func endless() -> UInt8 {
    var number: UInt64 = 1
    while number != 0 { number = number &* 3 | 1 }
    return 0
  }

  private static func hoard() -> UInt8 {
    var all: [[UInt8]] = []
    while true { all.append([UInt8](repeating: UInt8(truncatingIfNeeded: all.count), count: 1 << 20)) }
  }
}
