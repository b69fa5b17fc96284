import AppSeam
import BabSim
import BabSuite
import Bench
import BluetoothWire
import Expectations
import Judging
import SimKernel
import Testing

@testable import Conformance

/// What passes the pipe of the network beside the radio (Docs/Formats/app-seam.md).
@Suite("The words of a network as text")
struct NetworkWordsTests {
  private static let keepAlive = KeepAliveRequest(idle: .seconds(5), interval: .seconds(5), count: 3)

  /// Lines as the page has them, and what they mean.
  private static let inputs: [(text: String, input: NetworkInput)] = [
    (
      #"{"name":"net.listenerReady","type":"_beamscribe._tcp","instance":"Keynote (2)","port":49152}"#,
      .listenerReady(type: "_beamscribe._tcp", name: "Keynote (2)", port: 49_152)
    ),
    (
      #"{"name":"net.listenerFailed","type":"_beamscribe._tcp","reason":"reclaimed"}"#,
      .listenerFailed(type: "_beamscribe._tcp", .reclaimed)
    ),
    (
      #"{"name":"net.found","endpoint":0,"type":"_beamscribe._tcp","instance":"Über\n","interfaces":["wifi","awdl"],"record":null}"#,
      .found(EndpointID(0), type: "_beamscribe._tcp", name: "Über\n", interfaces: [.infrastructure, .peerToPeer])
    ),
    (
      #"{"name":"net.found","endpoint":1,"type":"_a._tcp","instance":"A","interfaces":["awdl"],"record":"03763d31"}"#,
      .found(
        EndpointID(1), type: "_a._tcp", name: "A", interfaces: [.peerToPeer], record: [3, 0x76, 0x3D, 0x31])
    ),
    (#"{"name":"net.recordChanged","endpoint":7,"record":""}"#, .recordChanged(EndpointID(7), record: [])),
    (#"{"name":"net.changed","endpoint":7,"interfaces":[]}"#, .changed(EndpointID(7), interfaces: [])),
    (#"{"name":"net.lost","endpoint":7}"#, .lost(EndpointID(7))),
    (
      #"{"name":"net.incoming","connection":1,"interface":"awdl","peer":"guest-1"}"#,
      .incoming(ConnectionID(1), .peerToPeer, peer: "guest-1")
    ),
    (#"{"name":"net.ready","connection":2,"interface":"wifi"}"#, .ready(ConnectionID(2), .infrastructure)),
    (#"{"name":"net.waiting","connection":2,"reason":"noPath"}"#, .waiting(ConnectionID(2), .noPath)),
    (#"{"name":"net.failed","connection":2,"reason":"timedOut"}"#, .failed(ConnectionID(2), .timedOut)),
    (
      #"{"name":"net.received","connection":2,"octets":"000000027b7d"}"#,
      .received(ConnectionID(2), octets: [0, 0, 0, 2, 0x7B, 0x7D])
    ),
    (#"{"name":"net.ended","connection":2}"#, .ended(ConnectionID(2))),
    (#"{"name":"net.submitted","connection":2,"accepted":false}"#, .submitted(ConnectionID(2), accepted: false)),
    (#"{"name":"net.room","connection":2}"#, .room(ConnectionID(2))),
    (#"{"name":"net.viable","connection":2,"viable":true}"#, .viable(ConnectionID(2), true)),
    (#"{"name":"net.betterPath","connection":2,"available":true}"#, .betterPath(ConnectionID(2), true)),
    (#"{"name":"net.cancelled","connection":2147483647}"#, .cancelled(ConnectionID(2_147_483_647))),
    (#"{"name":"net.pathChanged","interfaces":["awdl"]}"#, .pathChanged([.peerToPeer])),
  ]

  private static let effects: [(text: String, effect: AppEffect)] = [
    (
      #"{"name":"net.listen","type":"_beamscribe._tcp","instance":"Keynote","peerToPeer":true,"keepAlive":{"idle":5000000000,"interval":5000000000,"count":3},"record":null}"#,
      .network(
        .listen(ListenRequest(type: "_beamscribe._tcp", name: "Keynote", peerToPeer: true, keepAlive: keepAlive)))
    ),
    (
      #"{"name":"net.listen","type":"_a._udp","instance":"","peerToPeer":false,"keepAlive":null,"record":null}"#,
      .network(.listen(ListenRequest(type: "_a._udp", name: "", peerToPeer: false)))
    ),
    (
      #"{"name":"net.listen","type":"_a._tcp","instance":"A","peerToPeer":false,"keepAlive":null,"record":"0161"}"#,
      .network(.listen(ListenRequest(type: "_a._tcp", name: "A", peerToPeer: false, record: [1, 0x61])))
    ),
    (
      #"{"name":"net.updateRecord","type":"_a._udp","record":"0161"}"#,
      .network(.updateRecord(type: "_a._udp", record: [1, 0x61]))
    ),
    (#"{"name":"net.stopListening","type":"_a._udp"}"#, .network(.stopListening(type: "_a._udp"))),
    (
      #"{"name":"net.browse","type":"_a._udp","peerToPeer":false}"#,
      .network(.browse(type: "_a._udp", peerToPeer: false))
    ),
    (#"{"name":"net.stopBrowsing","type":"_a._udp"}"#, .network(.stopBrowsing(type: "_a._udp"))),
    (#"{"name":"net.prime","duration":10000000000}"#, .network(.prime(.seconds(10)))),
    (
      #"{"name":"net.connect","connection":2,"endpoint":0,"interfaces":["wifi","awdl"],"timeout":10000000000,"keepAlive":{"idle":5000000000,"interval":5000000000,"count":3}}"#,
      .network(
        .connect(
          ConnectionID(2),
          ConnectRequest(
            endpoint: EndpointID(0), interfaces: [.infrastructure, .peerToPeer], timeout: .seconds(10),
            keepAlive: keepAlive)))
    ),
    (
      #"{"name":"net.connect","connection":4,"endpoint":1,"interfaces":["awdl"],"timeout":null,"keepAlive":null}"#,
      .network(.connect(ConnectionID(4), ConnectRequest(endpoint: EndpointID(1), interfaces: [.peerToPeer])))
    ),
    (
      #"{"name":"net.send","connection":1,"octets":"00ff"}"#, .network(.send(ConnectionID(1), octets: [0, 0xFF]))
    ),
    (#"{"name":"net.finish","connection":1}"#, .network(.finish(ConnectionID(1)))),
    (#"{"name":"net.cancel","connection":1}"#, .network(.cancel(ConnectionID(1)))),
    (#"{"name":"net.read","connection":1,"on":false}"#, .network(.read(ConnectionID(1), false))),
    (#"{"name":"keep","octets":"00ff"}"#, .keep([0, 0xFF])),
    (#"{"name":"keep","octets":""}"#, .keep([])),
    (#"{"name":"keepMore","octets":"0aff"}"#, .keepMore([0x0A, 0xFF])),
  ]

  private func members(_ text: some Collection<UInt8>) throws -> MessageMembers {
    try MessageMembers(JSONTree(Array(text)))
  }

  private func effect(_ octets: some Collection<UInt8>) throws -> AppEffect {
    try members(octets).effect(of: BabApp()) { BluetoothAddress(kind: .random, bits: $0) }
  }

  private func written(_ write: (inout JSONText) -> Void) -> String {
    var text = JSONText()
    text.beginObject()
    write(&text)
    text.endObject()
    return String(decoding: text.octets, as: UTF8.self)
  }

  @Test("Every input is read and written as its line")
  func everyInput() throws {
    for (text, input) in Self.inputs {
      try equal(members(text.utf8).input(of: BabApp()), .network(input))
      equal(written { $0.input(.network(input)) }, text)
    }
    equal(Set(Self.inputs.map { written($0.input) }).count, 19)
  }

  private func written(_ input: NetworkInput) -> String { written { $0.input(input) } }

  @Test("Every effect is read and written as its line")
  func everyEffect() throws {
    for (text, meant) in Self.effects {
      try equal(effect(text.utf8), meant)
      equal(written { $0.effect(meant) }, text)
    }
    let names = try Self.effects.map { try members($0.text.utf8).text("name") }
    equal(Set(names), Set(MessageMembers.networkEffectNames + ["keep", "keepMore"]))
  }

  @Test("A word without one of its members is refused by the member's name, unless it may be null")
  func missing() throws {
    func mayBeNull(_ member: String, in text: String) -> Bool {
      ["timeout", "keepAlive"].contains(member)
        || member == "record" && (text.contains("net.found") || text.contains("net.listen"))
    }
    let texts = Self.inputs.map { ($0.text, isEffect: false) } + Self.effects.map { ($0.text, isEffect: true) }
    for (text, isEffect) in texts {
      let all = try JSONTree(Array(text.utf8)).members
      for left in all where left.name != "name" && !mayBeNull(left.name, in: text) {
        let rest = try MessageMembers(.object(all.filter { $0.name != left.name }))
        let problem = #expect(throws: MessageProblem.self) {
          if isEffect {
            _ = try rest.effect(of: BabApp()) { BluetoothAddress(kind: .random, bits: $0) }
          } else {
            _ = try rest.input(of: BabApp())
          }
        }
        equal(problem?.description, "\(left.name): missing")
      }
    }
  }

  @Test("Octets that are no TXT record are refused")
  func noRecord() throws {
    let line = #"{"name":"net.updateRecord","type":"_a._tcp","record":"0261"}"#
    let problem = #expect(throws: MessageProblem.self) { _ = try effect(line.utf8) }
    equal(problem?.description.hasPrefix("record: no TXT record: strings"), true)
  }

  @Test("Any damage to a line is a word or a problem, never a trap")
  func damage() {
    for text in Self.inputs.map(\.text) + Self.effects.map(\.text) {
      let whole = Array(text.utf8)
      for count in whole.indices {
        #expect(throws: (any Error).self) { try members(whole[..<count]).input(of: BabApp()) }
        #expect(throws: (any Error).self) { try effect(whole[..<count]) }
      }
      for index in whole.indices {
        for value in [UInt8(0), 0x22, 0x2C, 0x2D, 0x39, 0x5B, 0x5C, 0x7B, 0x7D, 0xFF, whole[index] ^ 1] {
          var copy = whole
          copy[index] = value
          _ = try? members(copy).input(of: BabApp())
          _ = try? effect(copy)
        }
      }
    }
  }

  @Test(
    "A problem says what and where",
    arguments: [
      (#"{"name":"net.read","connection":-1,"on":true}"#, "connection: -1 is out of range, 0 to 2147483647"),
      (#"{"name":"net.read","connection":2147483648,"on":true}"#, "connection: 2147483648 is out of range"),
      (#"{"name":"net.read","connection":1,"on":1}"#, "on: a whole number, where true or false is needed"),
      (#"{"name":"net.prime","duration":-1}"#, "duration: -1 is out of range, 0 to 9007199254740992"),
      (#"{"name":"net.prime","duration":"5 s"}"#, "duration: a text, where a whole number is needed"),
      (#"{"name":"net.send","connection":1,"octets":"0g"}"#, "octets: no hexadecimal digit at 1"),
      (
        #"{"name":"net.connect","connection":2,"endpoint":0,"interfaces":["wifi","lan"]}"#,
        "interfaces[1]: \"lan\" is none of wifi, awdl"
      ),
      (
        #"{"name":"net.connect","connection":2,"endpoint":0,"interfaces":"wifi"}"#,
        "interfaces: a text, where a list is needed"
      ),
      (
        #"{"name":"net.connect","connection":2,"endpoint":0,"interfaces":[],"keepAlive":{"idle":1,"interval":1}}"#,
        "keepAlive.count: missing"
      ),
      (
        #"{"name":"net.listen","type":"_a._tcp","instance":"a","peerToPeer":true,"keepAlive":5}"#,
        "keepAlive: a whole number, where an object is needed"
      ),
      (#"{"name":"keep","octets":null}"#, "octets: missing"), (#"{"name":"keepMore"}"#, "octets: missing"),
      (#"{"name":"net.lisen"}"#, "name: \"net.lisen\" is no effect or report; did you mean “net.listen”?"),
      (#"{"name":"net.ready","connection":2,"interface":"wifi"}"#, "name: \"net.ready\" is no effect or report"),
    ])
  func places(text: String, expected: String) throws {
    let problem = #expect(throws: MessageProblem.self) { try effect(text.utf8) }
    equal(problem?.description.hasPrefix(expected), true, "\(problem?.description ?? "")")
  }

  @Test(
    "So does one of an input",
    arguments: [
      (#"{"name":"net.failed","connection":2,"reason":"gone"}"#, "reason: \"gone\" is none of noPath, refused, reset,"),
      (#"{"name":"net.listenerReady","type":"a","instance":"b","port":65536}"#, "port: 65536 is out of range"),
      (#"{"name":"net.listen","type":"a"}"#, "name: \"net.listen\" is no input"),
    ])
  func placesOfInputs(text: String, expected: String) throws {
    let problem = #expect(throws: MessageProblem.self) { try members(text.utf8).input(of: BabApp()) }
    equal(problem?.description.hasPrefix(expected), true, "\(problem?.description ?? "")")
  }

  // MARK: The hello

  private func hello(_ change: (inout AppConfiguration) -> Void) -> String {
    var configuration = AppProtocol.bab.configuration(.host, .sdk, peerID: "a", displayName: "b")
    change(&configuration)
    var text = JSONText()
    IUTHello(of: .bab, role: .host, configuration: configuration).write(to: &text)
    return String(decoding: text.octets, as: UTF8.self)
  }

  @Test("A hello has what was kept and the offset of the clock, and neither where there is none")
  func helloWithMemory() throws {
    let text = hello {
      $0.kept = [0xCA, 0xFE]
      $0.clockOffsetMilliseconds = -86_400_000
    }
    expect(text.contains(#""seed":"0","kept":"cafe","clockOffsetMilliseconds":-86400000,"game":{"#))
    let read = try IUTHello(members(text.utf8), of: .bab)
    equal(read.configuration.kept, [0xCA, 0xFE])
    equal(read.configuration.clockOffsetMilliseconds, -86_400_000)
    let plain = hello { _ in }
    expect(!plain.contains("kept") && !plain.contains("clockOffset"))
    try expect(IUTHello(members(plain.utf8), of: .bab).configuration.kept.isEmpty)
    for bad in [text.replacing("cafe", with: "caf"), text.replacing("-86400000", with: "0.5")] {
      #expect(throws: MessageProblem.self) { try IUTHello(members(bad.utf8), of: .bab) }
    }
  }

  // MARK: Texts for people

  @Test("Every word has a text of one line, whatever a program calls its service")
  func texts() {
    let odd = "a\n\u{202E}b"
    let inputs: [NetworkInput] =
      Self.inputs.map(\.input) + [
        .listenerReady(type: odd, name: odd, port: 1),
        .incoming(ConnectionID(1), .infrastructure, peer: odd),
      ]
    let listen = NetworkEffect.listen(ListenRequest(type: odd, name: odd, peerToPeer: true))
    let texts = inputs.map { EventWords.of(.network($0)) } + Self.effects.map { EventWords.of($0.effect) }
    for text in texts + [EventWords.of(.network(listen))] {
      expect(!text.isEmpty && text.unicodeScalars.allSatisfy(ShownText.isShown), "\(text)")
    }
    equal(EventWords.of(.network(.failed(ConnectionID(2), .reset))), "connection 2 failed: reset by the other end")
    equal(EventWords.of(.network(.received(ConnectionID(2), octets: [1]))), "1 octet came on connection 2")
    equal(EventWords.of(.keep([1, 2])), "keeps 2 octets for its next launch")
    equal(EventWords.of(.keepMore([1])), "keeps 1 octet more for its next launch")
  }

  @Test("An oracle that asks for the network's words gets them, and no others")
  func kinds() {
    for (_, input) in Self.inputs {
      let kind: TraceKind =
        switch input {
        case .received: .streamOctets
        case .submitted: .streamAnswer
        default: .networkInput
        }
      equal(TraceKind.of(.input(.network(input))), kind)
    }
    for (_, effect) in Self.effects {
      guard case .network(let word) = effect else { continue }
      let isSend = if case .send = word { true } else { false }
      equal(TraceKind.of(.effect(effect)), (isSend ? .streamSend : .networkEffect))
    }
    equal(TraceKind.of(.effect(.keep([]))), .otherEffect)
    equal(TraceKind.of(.effect(.cancelTimer(TimerID(1)))), .timer)
    equal(TraceKind.of(.effect(.keepMore([]))), .otherEffect)
    equal(TraceKind.of(.input(.launched)), .launched)
  }
}

/// A word of an app whose fields are called as a line's own members are.
private enum OddWord: AppStatement {
  case shown(name: String, sequence: Int64, instant: Int64, device: Int64, at: Int64, action: String)

  static let words = [OddWord.shown(name: "", sequence: 0, instant: 0, device: 0, at: 0, action: "")]
  static let example = OddWord.shown(name: "a", sequence: 1, instant: 2, device: 3, at: 4, action: "b")

  mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    guard case .shown(var name, var sequence, var instant, var device, var at, var action) = self else { return }
    try visitor.word("shown")
    try visitor.field("name", &name)
    try visitor.field("sequence", &sequence)
    try visitor.field("instant", &instant)
    try visitor.field("device", &device)
    try visitor.field("at", &at)
    try visitor.field("action", &action)
    self = .shown(name: name, sequence: sequence, instant: instant, device: device, at: at, action: action)
  }
}

@Suite("Fields that are called as members of every line")
struct WordMemberTests {
  @Test("They have an underscore in a report, except what only inputs have")
  func reports() throws {
    var text = JSONText()
    text.beginObject()
    text.effect(.report(AppReport(OddWord.example)))
    text.endObject()
    let line = String(decoding: text.octets, as: UTF8.self)
    equal(line, #"{"name":"shown","name_":"a","sequence_":1,"instant_":2,"device_":3,"at":4,"action":"b"}"#)
    let members = try MessageMembers(JSONTree(text.octets))
    let read = try members.word("shown", among: OddWord.self, of: BabApp())
    equal(read?.isSame(as: OddWord.example), true)
  }

  @Test("All have one in an action")
  func actions() throws {
    var text = JSONText()
    text.beginObject()
    text.member("at", 5)
    text.input(.user(AppAction(OddWord.example)))
    text.endObject()
    let line = String(decoding: text.octets, as: UTF8.self)
    let expected =
      #"{"at":5,"name":"user","action":"shown","name_":"a","sequence_":1,"instant_":2,"device_":3,"at_":4,"action_":"b"}"#
    equal(line, expected)
    let members = try MessageMembers(JSONTree(text.octets))
    let read = try members.word("shown", among: OddWord.self, of: BabApp(), isAction: true)
    equal(read?.isSame(as: OddWord.example), true)
  }

  @Test("A line of a trace has no member twice")
  func traces() throws {
    final class Lines: OctetSink {
      var octets: [UInt8] = []
      func write(_ octets: [UInt8]) { self.octets += octets }
      func close() {}
    }
    let lines = Lines()
    let reader = TraceLinesReader(sink: lines)
    reader.read(TraceRecord(sequence: 8, instant: .zero, device: 0, event: .report(AppReport(OddWord.example))))
    reader.read(
      TraceRecord(sequence: 9, instant: .zero, device: 0, event: .input(.network(.ended(ConnectionID(1))))))
    reader.end(
      RunOutcome(
        ending: .finished, endInstant: .zero, digest: TraceDigest(), statistics: RunOutcome.Statistics(), devices: []))
    let texts = lines.octets.split(separator: 0x0A)
    equal(texts.count, 3)
    for text in texts { _ = try JSONTree(Array(text)) }
    let expected =
      #"{"version":1,"kind":"input","payload":{"sequence":9,"instant":0,"device":0,"name":"net.ended","connection":1}}"#
    equal(String(decoding: texts[1], as: UTF8.self), expected)
  }
}
