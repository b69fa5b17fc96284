import AppSeam
import Expectations
import Foundation
import SimKernel
import Testing

@testable import VirtualProgram

@Suite("Words of the network in lines")
struct NetworkLineTests {
  /// The examples of the page whose names begin so, with a time or without.
  private static func lines(timed: Bool) throws -> [String] {
    let start = timed ? #"{"at":"# : #"{"name":"net."#
    return try Repository.text("Docs/Formats/app-seam.md").split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix(start) && $0.contains(#""name":"net."#) }
  }

  @Test("Inputs are read as the page of the seam has them")
  func inputs() throws {
    let words = try Self.lines(timed: true).map { line in
      guard case .network(let word) = try LineMembers(Data(line.utf8)).input() else { return "no word of the network" }
      return "\(word)".prefix { $0 != "(" }.description
    }
    equal(
      words,
      [
        "listenerReady", "listenerFailed", "found", "changed", "recordChanged", "lost", "incoming", "ready", "waiting",
        "failed", "received", "ended", "submitted", "room", "viable", "betterPath", "cancelled", "pathChanged",
      ])
    let found = #"{"name":"net.found","endpoint":3,"type":"_a._tcp","instance":"A","interfaces":["awdl"]}"#
    try equal(
      LineMembers(Data(found.utf8)).input(),
      .network(.found(EndpointID(3), type: "_a._tcp", name: "A", interfaces: [.peerToPeer])))
    let told =
      #"{"name":"net.found","endpoint":3,"type":"_a._tcp","instance":"A","interfaces":["awdl"],"record":"0161"}"#
    try equal(
      LineMembers(Data(told.utf8)).input(),
      .network(
        .found(EndpointID(3), type: "_a._tcp", name: "A", interfaces: [.peerToPeer], record: [1, 0x61])))
  }

  @Test("Effects are written as the page of the seam has them")
  func effects() throws {
    let probes = KeepAliveRequest(idle: .seconds(5), interval: .seconds(5), count: 3)
    let type = "_beamscribe._tcp"
    let record: [UInt8] = [3, 0x76, 0x3D, 0x31]
    let effects: [NetworkEffect] = [
      .listen(ListenRequest(type: type, name: "Keynote", peerToPeer: true, keepAlive: probes, record: record)),
      .updateRecord(type: type, record: [3, 0x76, 0x3D, 0x32]), .stopListening(type: type),
      .browse(type: type, peerToPeer: true), .stopBrowsing(type: type),
      .prime(.seconds(10)),
      .connect(
        ConnectionID(2),
        ConnectRequest(
          endpoint: EndpointID(0), interfaces: [.infrastructure, .peerToPeer], timeout: .seconds(10))),
      .send(ConnectionID(1), octets: [0, 0, 0, 0x33, 0x7B, 0x22, 0x63]), .finish(ConnectionID(1)),
      .cancel(ConnectionID(2)), .read(ConnectionID(2), false),
    ]
    var answer = AnswerLine(at: .zero)
    for effect in effects { answer.effect(.network(effect)) }
    let lines = try Self.lines(timed: false).joined(separator: ",")
    equal(String(decoding: answer.octets, as: UTF8.self), "{\"at\":0,\"effects\":[\(lines)]}")
  }

  @Test(
    "What is not in the protocol is named",
    arguments: [
      (
        #"{"name":"net.failed","connection":2,"reason":"tired"}"#,
        "reason: \"tired\" is none of noPath, refused, reset, timedOut, interfaceOff, reclaimed, invalid"
      ),
      (#"{"name":"net.pathChanged","interfaces":["wifi","lan"]}"#, "interfaces: \"lan\" is none of wifi, awdl"),
      (#"{"name":"net.ready","connection":2,"interface":"lan"}"#, "interface: \"lan\" is none of wifi, awdl"),
      (#"{"name":"net.lost"}"#, "endpoint: missing"), (#"{"name":"net.x"}"#, "name: \"net.x\" is no input of a phone"),
    ])
  func mistakes(line: String, reason: String) {
    #expect(throws: ProgramEnd.notInProtocol(reason)) { try LineMembers(Data(line.utf8)).input() }
  }
}
