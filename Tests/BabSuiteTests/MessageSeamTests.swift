import AppSeam
import BabSim
import Bench
import BluetoothWire
import Expectations
import Judging
import SimKernel
import Testing

@testable import BabSuite
@testable import Conformance

/// Engines without a radio, with the bench's BLE half around them.
@Suite("The seam of messages")
struct MessageSeamTests {
  private static func library(_ name: String) -> ImplementationUnderTest {
    var implementation = ImplementationUnderTest(of: .bab, name: name, role: .host) { configuration in
      LibraryHost(try! AppProtocol.bab.makeEngine(name: name, configuration), configuration)
    }
    implementation.seam = .messages
    return implementation
  }

  private static func run(_ purpose: TestPurpose, _ dialect: DialectName, _ name: String) -> CaseResult {
    let id = CaseID(purpose: purpose.id, dialect: dialect, seed: purpose.seeds[0])
    return CaseRunner.run(purpose, id, on: library(name))
  }

  // MARK: In process

  @Test("The reference host as a library passes what applies to it", arguments: DialectName.bab)
  func reference(dialect: DialectName) {
    var (judged, others) = (0, 0)
    for (index, purpose) in Catalog.all.enumerated()
    where purpose.role == .host && purpose.dialects.contains(dialect) && index % 3 == 0 {
      let result = Self.run(purpose, dialect, AppProtocol.reference)
      if result.notApplicable == nil { judged += 1 } else { others += 1 }
      expect(
        result.notApplicable != nil || result.verdict == .pass,
        "\(purpose.id): \(result.finding.map { "\($0.expected): \($0.actual)" } ?? "")")
    }
    expect(judged > 90 && others > 15, "\(judged) judged, \(others) not")
  }

  @Test(
    "A mutant as a library fails",
    arguments: [("no-handshake-back", "LOBBY"), ("role-given-twice", "ROLE")])
  func mutant(name: String, group: String) throws {
    try require(AppProtocol.bab.mutant(name) != nil)
    let failed = Catalog.all.contains { purpose in
      purpose.role == .host && purpose.group == group && Self.run(purpose, .sdk, name).verdict == .fail
    }
    expect(failed)
  }

  @Test("A purpose of the BLE half does not apply, and says why; with the seam of BLE it does")
  func notApplicable() throws {
    let purpose = try required(AppProtocol.bab.purpose("BAB/HOST/ADV/BV-01-C"))
    let id = CaseID(purpose: purpose.id, dialect: .sdk, seed: 1)
    var implementation = Self.library(AppProtocol.reference)
    equal(CaseRunner.notApplicable(purpose, id, implementation), "judges the BLE half, which is the bench's")
    implementation.seam = .ble
    expect(CaseRunner.notApplicable(purpose, id, implementation) == nil)
  }

  @Test("Every line of the table is a group, a clause or a purpose that there is")
  func table() {
    for half in EngineGlue.bab.halves {
      let row = EngineGlue(judgedBy: [half]) { engine, _ in engine }
      expect(Catalog.all.contains(where: row.isJudged), "\(half)")
    }
  }

  /// A link that the platform has up, subscribed.
  private static func linkUp(_ glue: MessageGlue) {
    _ = glue.handle(.user(.startHosting), at: .zero)
    _ = glue.handle(.connected(LinkID(0), peer: BluetoothAddress(kind: .random, bits: 1)), at: .zero)
    let state = Dialect.sdk.state.uuid
    _ = glue.handle(.subscribed(LinkID(0), characteristic: state, true), at: .zero)
  }

  /// Answers its user with a packet for link 0 and the end of that link.
  private final class Farewell: AppEngine {
    var inputs: [AppInput] = []
    func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
      inputs.append(input)
      guard case .user(let action) = input, action.bab == .leave else { return [] }
      return [
        .notify(LinkID(0), characteristic: BluetoothUUID(0), octets: Array("{}".utf8)), .disconnect(LinkID(0)),
      ]
    }
  }

  @Test("What was sent before the end of a link leaves before its end")
  func farewell() throws {
    let engine = Farewell()
    let glue = MessageGlue.around(
      engine, AppProtocol.bab.configuration(.host, .sdk, peerID: "peer-iut", displayName: "iut"))
    Self.linkUp(glue)
    let first = glue.handle(.user(.leave), at: .zero)
    expect(first.contains { if case .notify = $0 { true } else { false } })
    expect(!first.contains(.disconnect(LinkID(0))))
    let state = Dialect.sdk.state.uuid
    let second = glue.handle(.submitted(LinkID(0), characteristic: state, accepted: true), at: .zero)
    let timer = try required(
      second.compactMap { effect -> TimerID? in
        if case .setTimer(let id, at: SimInstant.zero + .seconds(1)) = effect { id } else { nil }
      }.first)
    expect(glue.handle(.timer(timer), at: .zero + .seconds(1)).contains(.disconnect(LinkID(0))))
  }

  @Test("A radio that goes off is told as the loss of every peer")
  func radio() {
    let engine = Farewell()
    let glue = MessageGlue.around(
      engine, AppProtocol.bab.configuration(.host, .sdk, peerID: "peer-iut", displayName: "iut"))
    Self.linkUp(glue)
    engine.inputs = []
    _ = glue.handle(.radioPower(false), at: .zero)
    equal(engine.inputs, [.disconnected(LinkID(0), reason: .connectionTimeout), .radioPower(false)])
    _ = glue.handle(.disconnected(LinkID(0), reason: .connectionTerminatedByLocalHost), at: .zero)
    equal(engine.inputs.count, 2)
  }

  // MARK: Over the pipe

  private static func vocabulary(_ role: AppRole) -> PeerVocabulary {
    let configuration = AppProtocol.bab.configuration(role, .sdk, peerID: "peer-iut", displayName: "iut")
    return PeerVocabulary(IUTHello(of: .bab, role: role, seam: .messages, configuration: configuration))
  }

  private static func read(_ text: String, _ vocabulary: PeerVocabulary) throws -> [AppEffect] {
    try vocabulary.effects(MessageMembers(JSONTree(Array(text.utf8))))
  }

  private static func line(_ input: AppInput, _ vocabulary: inout PeerVocabulary) -> String {
    var text = JSONText()
    text.beginObject()
    vocabulary.write(input, to: &text)
    text.endObject()
    return String(decoding: text.octets, as: UTF8.self)
  }

  @Test("Inputs speak of peers and texts")
  func inputs() {
    var vocabulary = Self.vocabulary(.host)
    let (link, uuid) = (LinkID(3), Dialect.sdk.command.uuid)
    let address = BluetoothAddress(kind: .random, bits: 0xE39B_B026_9401)
    equal(
      Self.line(.connected(link, peer: address), &vocabulary),
      #"{"name":"peerConnected","peer":3,"address":"E3:9B:B0:26:94:01"}"#)
    equal(
      Self.line(.valueReceived(link, characteristic: uuid, octets: Array(#"{"ñ":1}"#.utf8)), &vocabulary),
      #"{"name":"message","peer":3,"text":"{\"ñ\":1}"}"#)
    equal(
      Self.line(.valueReceived(link, characteristic: uuid, octets: [0x7B, 0xFF]), &vocabulary),
      #"{"name":"message","peer":3,"octets":"7bff"}"#)
    equal(
      Self.line(.disconnected(link, reason: .connectionTimeout), &vocabulary),
      #"{"name":"peerDisconnected","peer":3,"reason":8}"#)
    expect(vocabulary.peers.isEmpty)
  }

  @Test("Effects speak of peers and texts; without a peer they are for all")
  func effects() throws {
    var vocabulary = Self.vocabulary(.host)
    let address = BluetoothAddress(kind: .random, bits: 1)
    for link in [0, 2] { _ = Self.line(.connected(LinkID(link), peer: address), &vocabulary) }
    func sent(_ link: Int) -> AppEffect {
      .notify(LinkID(link), characteristic: BluetoothUUID(0), octets: Array("né".utf8))
    }
    try equal(Self.read(#"{"name":"send","text":"né"}"#, vocabulary), [sent(0), sent(2)])
    try equal(Self.read(#"{"name":"send","peer":2,"text":"né"}"#, vocabulary), [sent(2)])
    try equal(Self.read(#"{"name":"endPeer","peer":2}"#, vocabulary), [.disconnect(LinkID(2))])
    try equal(Self.read(#"{"name":"advertise","on":false}"#, vocabulary), [.stopAdvertising])
    try equal(Self.read(#"{"name":"search","on":false}"#, Self.vocabulary(.client)), [.stopScanning])
    try equal(
      Self.read(#"{"name":"phase","phase":"LOBBY"}"#, vocabulary), [.report(AppReport(BabReport.phase("LOBBY")))])
  }

  @Test("The platform's words are refused, with what may be said instead", arguments: ["notify", "scan", "sent"])
  func refused(name: String) {
    do {
      _ = try Self.read(#"{"name":"\#(name)"}"#, Self.vocabulary(.host))
      Issue.record("it was taken")
    } catch {
      expect(
        "\(error)".hasPrefix(
          "name: \"\(name)\" is no effect or report with seam messages, which has send, endPeer, setTimer, "
            + "cancelTimer, advertise and reports"))
    }
  }

  @Test("A program that dies with the glue around it is told as one without")
  func death() throws {
    let launch = IUTScript.launch(IUTScript.hello + "\nread -r line; echo boom >&2; exit 3")
    let implementation = ImplementationUnderTest.process(
      launch, of: .bab, name: "dies", role: .host, ics: ICS([]), seam: .messages)
    let purpose = try required(AppProtocol.bab.purpose("BAB/HOST/LOBBY/BV-01-C"))
    let result = CaseRunner.run(
      purpose, CaseID(purpose: purpose.id, dialect: .sdk, seed: 1), on: implementation)
    equal(result.verdict, .fail)
    equal(result.failure?.ending, .exitCode(3))
    expect(result.log.contains("boom"))
  }
}
