import AppSeam
import Bench
import Conformance
import SimKernel

extension AppProtocol {
  /// Two packets, two roles, one of everything that a protocol has.
  static let echo = AppProtocol(
    EchoApp(), title: "Echo",
    clauses: [
      ClauseText(
        id: "ECHO 1", text: "The host MUST answer every ping with one pong that has its number, within a second.",
        document: "Protocol/echo.md")
    ],
    exemptions: [], breakdownClause: "ECHO 1", purposes: [.answersPing], mutants: [wrongNumber], designs: [], ics: [],
    oracles: [OracleDescription(PongsAnswerPings.self)], makeOracleReader: { OracleReader.echo() },
    makeReference: { configuration in
      configuration.role == .echoHost ? EchoHost() as any AppEngine : EchoClient()
    }, makeBed: { EchoBed($0) }, chart: .echo,
    traffic: EchoTraffic.self)

  private static let wrongNumber = Mutant(
    "wrong-number", .echoHost, clause: "ECHO 1", failedBy: PongsAnswerPings.id,
    "A pong has the number after that of its ping."
  ) { _ in EchoHost { $0 &+ 1 } }
}

extension TestPurpose {
  static let answersPing = TestPurpose(
    "ECHO/HOST/PING/BV-01-C", role: .echoHost, peers: .echoClient, ["ECHO 1"], "The host answers a ping.",
    initial: "A client has subscribed to pongs.", expects: ["one pong with the number of the ping"], needs: [],
    dialects: [DialectName(rawValue: "plain")], seeds: [1], testers: 1, arrange: { _ in }
  ) { bed in
    guard let bed = bed as? EchoBed else { throw bed.inconclusive("the test bed is another protocol's") }
    try bed.preamble { try bed.expect("the client may call") { bed.client.isReady } }
    if bed.gives("the client's user calls") { bed.world.act(AppAction(EchoAction.call), device: 1) }
    let heard = { bed.client.heard.map(String.init).joined(separator: ", ") }
    try bed.expect("pong 1 comes", actual: { "heard: \(heard())" }) { bed.client.heard == [1] }
    try bed.never("another pong comes", actual: heard) { bed.client.heard.count > 1 }
  }
}

/// The host under test, and a client that remembers what it shows.
final class EchoBed: TestBed {
  let client = EchoTester()

  init(_ setup: CaseSetup) { super.init(setup, testers: [1: client]) }
}

/// The reference client, with a memory.
final class EchoTester: AppEngine {
  private let engine = EchoClient()
  private(set) var isReady = false
  private(set) var heard: [Int64] = []

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    let effects = engine.handle(input, at: now)
    for case .report(let report) in effects {
      switch report.among(EchoReport.self) {
      case .ready: isReady = true
      case .heard(let number): heard.append(number)
      case nil: break
      }
    }
    return effects
  }
}

extension ChartWords {
  /// A packet is a value.
  static let echo = ChartWords(
    central: .echoClient, makeAssembler: { EchoAssembler() }, fragment: { _ in nil },
    label: { octets in EchoPacket(octets).map { "\($0)" } ?? "no packet" }, problem: { _, _ in nil },
    shown: { _ in nil }, words: { "showed: \($0)" })
}

private struct EchoAssembler: ChartWords.Assembler {
  private var count = 0

  mutating func receive(_ octets: [UInt8], at instant: SimInstant) -> ChartWords.Reception {
    count += 1
    return ChartWords.Reception(packet: octets, packetID: count, isRepeat: false, drops: [])
  }
}
