import AppSeam
import CoreBluetooth
import Expectations
import GuideApps
import SimKernel
import Testing

@testable import VirtualProgram

@Suite("A program speaks the lines of the IUT protocol")
struct LineTests {
  private static let hello =
    #"{"name":"hello","protocol":1,"role":"host","peerID":"me","seed":"7","game":{"totalLines":3}}"#

  private static func session(log: @escaping (String) -> Void = { _ in }) -> ProgramSession<ChatHost> {
    ProgramSession(
      greeting: ProgramGreeting(implementation: "chat 1", claims: ["screen"]), app: { _ in ChatHost(queue: .main) },
      user: { host, action in
        if let text = action.text("text") { host.say(text) }
        if action.name == "wait" { DispatchSemaphore(value: 0).wait() }
      }, log: log)
  }

  private static func say(_ session: ProgramSession<ChatHost>, _ line: String) throws -> String {
    String(decoding: try session.answer(Array(line.utf8)), as: UTF8.self)
  }

  @Test("The hello is answered, and the app is launched, publishes and advertises")
  func begins() throws {
    let session = Self.session()
    try equal(
      Self.say(session, Self.hello),
      #"{"name":"hello","protocol":1,"implementation":"chat 1","memory":1,"ics":["screen"]}"#)
    let launched = try Self.say(session, #"{"at":0,"name":"launched"}"#)
    let told =
      #"{"name":"callback","method":"peripheralManagerDidUpdateState(_:)","peer":null,"arguments":["poweredOn"]}"#
    expect(
      launched.hasPrefix(#"{"at":0,"effects":["# + told + #",{"name":"call","method":"CBPeripheralManager.add(_:)""#))
    expect(launched.contains(#",{"name":"gatt.publish","service":0,"#))
    let published = try Self.say(session, #"{"at":0,"name":"gatt.published","service":0,"error":null}"#)
    expect(published.contains(#",{"name":"advertise","localName":"","services":["#))
    session.end()
  }

  @Test("Calls and callbacks are written as the page of the seam has them, up to a limit")
  func calls() throws {
    let lines = try Repository.text("Docs/Formats/app-seam.md").split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix(#"{"name":"call"#) || $0.hasPrefix(#"{"name":"remark""#) }
    let words: [CallWord] = [
      .call(
        method: "CBPeripheral.writeValue(_:for:type:)", peer: "E3:9B:B0:26:94:01",
        arguments: ["2 octets 4F4B", "FFE1", "withResponse"]),
      .callback(
        method: "peripheral(_:didWriteValueFor:error:)", peer: "E3:9B:B0:26:94:01", arguments: ["FFE1", "nil"]),
      .remark(
        kind: "misuse", id: "peripheral.value-too-long",
        text: "a value of 600 octets is written; 512 is the limit of ATT"),
    ]
    var answer = AnswerLine(at: .zero)
    for word in words { answer.call(word) }
    equal(
      String(decoding: answer.octets, as: UTF8.self), "{\"at\":0,\"effects\":[\(lines.joined(separator: ","))]}")
    for _ in 0..<3_000 { answer.call(words[0]) }
    expect(answer.octets.count < 2_000 * 200)
  }

  @Test(
    "What is not in the protocol is named",
    arguments: [
      ("nothing", "it is not JSON"), ("[]", "it is no JSON object"), (#"{"at":0}"#, "name: missing"),
      (#"{"at":0,"name":"lunched"}"#, "name: \"lunched\" is no input of a phone"),
      (#"{"at":0,"name":"attMTU","link":-1,"attMTU":23}"#, "link: 0 to 2147483647 is needed"),
      (#"{"at":0,"name":"gatt.rssi","link":0,"rssi":"loud"}"#, "rssi: a whole number is needed"),
      (
        #"{"at":0,"name":"gatt.notified","link":0,"handle":1,"type":"BAB2","octets":"0"}"#,
        "octets: pairs of hexadecimal digits are needed"
      ),
    ])
  func mistakes(line: String, reason: String) throws {
    let session = Self.session()
    _ = try Self.say(session, Self.hello)
    #expect(throws: ProgramEnd.notInProtocol(reason)) { try session.answer(Array(line.utf8)) }
    session.end()
  }

  @Test("What the phone keeps is handed over, and comes with the next hello")
  func memory() throws {
    let session = Self.session()
    _ = try Self.say(session, Self.hello)
    _ = try Self.say(session, #"{"at":0,"name":"launched"}"#)
    _ = try Self.say(session, #"{"at":0,"name":"gatt.published","service":0,"error":null}"#)
    _ = try Self.say(session, #"{"at":5,"name":"connected","link":0,"address":"E3:9B:B0:26:94:01"}"#)
    let answer = try Self.say(session, #"{"at":7,"name":"remember"}"#)
    expect(
      answer.hasPrefix(#"{"at":7,"effects":[{"name":"memory","version":1,"peers":[{"address":"E3:9B:B0:26:94:01","#),
      "\(answer)")
    expect(answer.contains(#""links":[{"link":0,"address":"E3:9B:B0:26:94:01","outgoing":false,"attMTU":23,"#))
    session.end()
    let memory = String(answer.dropFirst(#"{"at":7,"effects":["#.count).dropLast(2))
    let next = Self.session()
    _ = try Self.say(next, String(Self.hello.dropLast()) + #","memory":\#(memory),"restored":true}"#)
    // It has the link, and keeps it for the launch after this one.
    try expect(Self.say(next, #"{"at":9,"name":"remember"}"#).contains(#""links":[{"link":0,"#))
    next.end()
    let closed = Self.session()
    _ = try Self.say(closed, String(Self.hello.dropLast()) + #","memory":\#(memory)}"#)
    let after = try Self.say(closed, #"{"at":9,"name":"remember"}"#)
    expect(after.contains(#""links":[]"#) && after.contains(#""peers":[{"address":"E3:9B:B0:26:94:01""#))
    closed.end()
  }

  @Test(
    "A damaged memory is named by its place",
    arguments: [
      ("7", "an object is needed"), (#"{"name":"memory"}"#, "version: missing"),
      (#"{"name":"memory","version":"1"}"#, "version: a whole number is needed"),
    ])
  func damagedMemory(memory: String, reason: String) throws {
    let hello = String(Self.hello.dropLast()) + #","memory":\#(memory)}"#
    let expected = "memory: " + reason
    #expect(throws: ProgramEnd.notInProtocol(expected)) { try Self.session().answer(Array(hello.utf8)) }
  }

  @Test("An app whose main queue waits forever ends with the cause")
  func stopped() throws {
    let session = Self.session()
    _ = try Self.say(session, Self.hello)
    _ = try Self.say(session, #"{"at":0,"name":"launched"}"#)
    let error = #expect(throws: ProgramEnd.self) {
      try Self.say(session, #"{"at":5,"name":"user","action":"wait"}"#)
    }
    equal(error?.exitCode, 70)
    expect("\(error, default: "")".hasPrefix("the app is stopped: the main queue waits forever: "))
    session.end()
  }

  /// The lines of the page that the bench's own reader is tested with.
  private static let examples: [String] = {
    let text = (try? Repository.text("Docs/Formats/app-seam.md")) ?? ""
    return text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("{") }
  }()

  @Test("Every input about attributes and channels on the page of the seam is read")
  func inputs() throws {
    let lines = Self.examples.filter { $0.contains(#""name":"gatt."#) || $0.contains(#""name":"l2cap."#) }
      .filter { $0.hasPrefix(#"{"at":"#) }
    equal(lines.count, 27)
    for line in lines {
      #expect(throws: Never.self, "\(line)") { _ = try LineMembers(Data(line.utf8)).input() }
    }
  }

  @Test("Every effect about attributes and channels on the page of the seam is written as there")
  func effects() throws {
    let lines = Self.examples.filter { $0.hasPrefix(#"{"name":"gatt."#) || $0.hasPrefix(#"{"name":"l2cap."#) }
    equal(lines.count, 20)
    for line in lines {
      let members = try LineMembers(Data(line.utf8))
      let name = try members.text("name")
      let attribute = try members.typedWord(name, among: GATTEffect.self)
      let channel = try members.typedWord(name, among: ChannelEffect.self)
      var answer = AnswerLine(at: .zero)
      if let attribute { answer.effect(.gatt(attribute)) }
      if let channel { answer.effect(.channel(channel)) }
      equal(String(decoding: answer.octets, as: UTF8.self), "{\"at\":0,\"effects\":[\(line)]}")
    }
  }

  @Test("A report has its members in order, and null for nil")
  func reports() {
    let report = ProgramReport(name: "role", members: ["player": "a/b", "role": nil as String?, "ready": true, "n": 3])
    equal(report.json, #""name":"role","player":"a/b","role":null,"ready":true,"n":3"#)
  }
}
