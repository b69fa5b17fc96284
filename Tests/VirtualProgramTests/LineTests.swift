import AppSeam
import BluetoothWire
import Conformance
import CoreBluetooth
import GuideApps
import SimKernel
import Testing

@testable import VirtualProgram

@Suite("A program speaks the lines of the IUT protocol")
struct LineTests {
  private static let hello = #"{"name":"hello","protocol":1,"role":"host","peerID":"me","seed":"7","game":{"totalLines":3}}"#

  private static func session(log: @escaping (String) -> Void = { _ in }) -> ProgramSession<ChatHost> {
    ProgramSession(
      greeting: ProgramGreeting(implementation: "chat 1", claims: ["screen"]),
      app: { setup in
        VirtualProgram.report("identity", ["role": setup.role, "peerID": setup.peerID, "displayName": nil as String?])
        return ChatHost(queue: .main)
      },
      user: { host, action in
        if let text = action.text("text") { host.say(text) }
      }, log: log)
  }

  private static func say(_ session: ProgramSession<ChatHost>, _ line: String) throws -> String {
    String(decoding: try session.answer(Array(line.utf8)), as: UTF8.self)
  }

  @Test("The hello is answered, and the app is launched and publishes")
  func begins() throws {
    let session = Self.session()
    VirtualProgram.current = session
    defer { VirtualProgram.current = nil }
    #expect(
      try Self.say(session, Self.hello)
        == #"{"name":"hello","protocol":1,"implementation":"chat 1","ics":["screen"]}"#)
    let launched = try Self.say(session, #"{"at":0,"name":"launched"}"#)
    #expect(launched.hasPrefix(#"{"at":0,"effects":[{"name":"identity","role":"host","peerID":"me","displayName":null},"#))
    #expect(launched.contains(#"{"name":"publish","service":"#))
    #expect(launched.contains(#""name":"advertise""#))
    session.end()
  }

  @Test(
    "What is not in the protocol is named",
    arguments: [
      ("nothing", "it is not JSON"), ("[]", "it is no JSON object"), (#"{"at":0}"#, "name: missing"),
      (#"{"at":0,"name":"lunched"}"#, "name: \"lunched\" is no input"),
      (#"{"at":0,"name":"attMTU","link":-1,"attMTU":23}"#, "link: -1 is negative"),
      (#"{"at":0,"name":"valueReceived","link":0,"characteristic":"BAB2","octets":"0"}"#, "octets: pairs of hexadecimal digits are needed"),
    ])
  func mistakes(line: String, reason: String) throws {
    let session = Self.session()
    _ = try Self.say(session, Self.hello)
    #expect(throws: ProgramEnd.notInProtocol(reason)) { try session.answer(Array(line.utf8)) }
    session.end()
  }
}
