import AppSeam
import BabSim
import BabSuite
import Bench
import BluetoothWire
import Expectations
import Foundation
import Judging
import SimKernel
import Testing

@testable import Commands
@testable import Conformance

/// Rooms that lines drive: Docs/Formats/room-protocol.md.
@Suite("babbench room", .shippedEdition)
struct RoomCommandTests {
  /// One end of the pipe, without a pipe.
  private final class Talk {
    let table = RoomTable()
    private(set) var lines: [String] = []

    @discardableResult
    func say(_ line: String) throws -> JSONTree {
      lines.append(line)
      return try JSONTree(Array(table.answer(Array(line.utf8)).utf8))
    }

    /// The inputs of an answer, without those that are named.
    func inputs(_ answer: JSONTree) -> [String] {
      answer.member("inputs")?.items.compactMap { input in
        guard let name = input.member("name")?.text, let device = input.member("device")?.text else { return nil }
        return "\(device) \(name)"
      } ?? []
    }

    /// Lets time pass until an app is told this.
    func advance(
      until word: String, to limit: Int = 60_000_000_000, effects: String = "", _ see: (JSONTree) -> Void = { _ in }
    ) throws {
      var effects = effects
      while true {
        let answer = try say("{\"name\":\"advance\",\"to\":\(limit),\"effects\":[\(effects)]}")
        try require(answer.member("error") == nil, "\(answer)")
        effects = ""
        see(answer)
        if inputs(answer).contains(word) { return }
        try require(answer.member("at")?.integer != Int64(limit), "\(word) did not come")
      }
    }
  }

  private static let two: String = {
    let lamp = #"\"lamp\":{\"protocol\":\"none\",\"phone\":\"iphone\"}"#
    let computer = #"\"computer\":{\"protocol\":\"none\",\"phone\":\"linux\",\"at\":[2,0]}"#
    return #"{"name":"room","seed":"7","apps":["lamp","computer"],"text":"{\"devices\":{"# + lamp + "," + computer
      + #"}}"}"#
  }()

  /// A computer finds a lamp, connects, pairs, ends the link, and pairs again on another one.
  private static func exchange(_ talk: Talk) throws -> JSONTree {
    let room = try talk.say(two)
    equal(room.member("devices")?.items.count, 2)
    try talk.advance(until: "computer launched")
    let start = """
      {"device":"lamp","name":"gap.advertise","data":"020106","scanResponse":""},
      {"device":"computer","name":"gap.scan","services":[],"solicited":[],"everyPacket":true}
      """.replacing("\n", with: "")
    var address = ""
    try talk.advance(until: "computer gap.heard", effects: start) { answer in
      address = answer.member("inputs")?.items.first?.member("address")?.text ?? address
    }
    equal(address, room.member("devices")?.items[0].member("address")?.text)
    let connect = "{\"device\":\"computer\",\"name\":\"connect\",\"address\":\"\(address)\"}"
    for link in 0...1 {
      try talk.advance(
        until: "computer connected",
        effects: (link == 0 ? "{\"device\":\"computer\",\"name\":\"stopScanning\"}," : "") + connect)
      var paired: JSONTree?
      try talk.advance(
        until: "computer gap.paired", effects: "{\"device\":\"computer\",\"name\":\"gap.pair\",\"link\":\(link)}"
      ) { answer in
        paired = answer.member("inputs")?.items.first { $0.member("name")?.text == "gap.paired" } ?? paired
      }
      equal(paired?.member("error"), .null, "link \(link)")
      // The last keys are on their way.
      let later =
        (try talk.say("{\"name\":\"ask\",\"that\":\"lamp has 1 link\"}").member("at")?.integer ?? 0) + 500_000_000
      while try talk.say("{\"name\":\"advance\",\"to\":\(later)}").member("at")?.integer != later {}
      let end = "{\"device\":\"computer\",\"name\":\"disconnect\",\"link\":\(link)}"
      let again = "{\"device\":\"lamp\",\"name\":\"gap.advertise\",\"data\":\"020106\",\"scanResponse\":\"\"}"
      try talk.advance(until: "computer disconnected", effects: end + "," + again)
    }
    return try talk.say("{\"name\":\"finish\"}")
  }

  @Test("Two apps at the other end meet and pair, on a second link by their bond; the same lines give the same digest")
  func exchanges() throws {
    let outcome = try Self.exchange(Talk())
    equal(outcome.member("ending")?.text, "finished")
    equal(outcome.member("digest")?.text, (try Self.exchange(Talk())).member("digest")?.text)
  }

  @Test("One process plays rooms one after the other, and each has the digest that it has alone")
  func oneAfterTheOther() throws {
    let alone = try Self.exchange(Talk()).member("digest")
    let talk = Talk()
    _ = try Self.exchange(talk)
    try equal(Self.exchange(talk).member("digest"), alone)
    // No oracle knows these apps.
    equal(talk.table.exitCode, 2)
  }

  @Test(
    "A line that is wrong is refused by one line that says why, and changes nothing",
    arguments: [
      ("garbage", "not JSON at octet 0"), ("[]", "a list, where an object is needed"), ("{}", "name: missing"),
      ("{\"name\":\"advanse\"}", "did you mean “advance”?"), ("{\"name\":\"advance\",\"to\":-1}", "out of range"),
      ("{\"name\":\"advance\",\"to\":\"soon\"}", "to: a text, where a whole number is needed"),
      ("{\"name\":\"advance\",\"to\":9,\"effects\":[{\"device\":\"lamb\",\"name\":\"stopScanning\"}]}", "“lamp”"),
      ("{\"name\":\"advance\",\"to\":9,\"effects\":[{\"device\":\"lamp\",\"name\":\"stopScaning\"}]}", "no effect"),
      (#"{"name":"advance","to":9,"effects":[{"device":"lamp","name":"gatt.read","link":0}]}"#, "handle"),
      ("{\"name\":\"advance\",\"to\":9,\"until\":\"all is well\"}", "until: "),
      ("{\"name\":\"act\",\"device\":\"lamp\",\"words\":\"vanis\"}", "words: "),
      ("{\"name\":\"act\",\"device\":\"nobody\",\"words\":\"vanish\"}", "there is no device “nobody”"),
      ("{\"name\":\"ask\",\"that\":\"lamp has 2 wings\"}", "that: "),
    ])
  func refuses(line: String, reason: String) throws {
    let (plain, disturbed) = (Talk(), Talk())
    for talk in [plain, disturbed] { _ = try talk.say(Self.two) }
    let answer = disturbed.table.answer(Array(line.utf8))
    expect(answer.hasPrefix("{\"error\":") && !answer.contains("\n"))
    expect(answer.contains(reason), "\(answer)")
    for talk in [plain, disturbed] { _ = try talk.say("{\"name\":\"advance\",\"to\":1000000}") }
    let finish = "{\"name\":\"finish\"}"
    try equal(plain.say(finish).member("digest"), disturbed.say(finish).member("digest"))
    expect(plain.table.exitCode == 2 && disturbed.table.exitCode == 64)
  }

  @Test(
    "A room that cannot be is refused, with the place in its scenario",
    arguments: [
      ("\"text\":\"devices: { a: { phone: nokia } }\"", "room.yaml:1:24: "), ("\"text\":\"\"", "room.yaml:1:1: "),
      ("\"scenario\":\"no-such-lobby\"", "scenario: "), ("\"seed\":\"one\",\"text\":\"devices: { a: {} }\"", "seed: "),
      ("\"text\":\"devices: { a: {} }\",\"apps\":[\"b\"]", "apps[0]: there is no device “b”"),
      ("\"text\":\"devices: { a: {} }\",\"out\":\"/dev/null\"", "out: "),
      (#""text":"devices: { host: {} }","apps":["host"],"reports":["violations"]"#, "did you mean “violation”?"),
    ])
  func refusesRooms(members: String, reason: String) throws {
    let talk = Talk()
    let answer = talk.table.answer(Array("{\"name\":\"room\",\(members)}".utf8))
    expect(answer.contains(reason) && answer.hasPrefix("{\"error\":"), "\(answer)")
    try expect(talk.say("{\"name\":\"finish\"}").member("error") != nil)
  }

  @Test("Before a room, there is none")
  func noRoom() throws {
    try equal(Talk().say("{\"name\":\"finish\"}").member("error")?.text?.contains("there is no room"), true)
  }

  @Test("A shipped scenario has the digest that it has by run")
  func shippedScenario() throws {
    let name = "client-vanishes-and-returns"
    let scenario = try Bench.real.load(try ScenarioLibrary.shipped.path(of: name), [])
    let judgement = try Bench.real.judge(scenario, RunOptions(seed: 3), readers: [])
    let talk = Talk()
    _ = try talk.say("{\"name\":\"room\",\"scenario\":\"\(name)\",\"seed\":\"3\"}")
    var answer = try talk.say("{\"name\":\"advance\",\"to\":5000000000}")
    while answer.member("over") == nil { answer = try talk.say("{\"name\":\"advance\",\"to\":600000000000}") }
    let outcome = try talk.say("{\"name\":\"finish\"}")
    equal(outcome.member("digest")?.text, judgement.outcome.digest.hexadecimal)
    equal(outcome.member("verdict")?.text, "pass")
  }

  @Test("An engine at the other end is told its hello, and its peers are content")
  func engine() throws {
    let talk = Talk()
    _ = try talk.say(#"{"name":"room","scenario":"two-peers","apps":["host"],"reports":["violation","refused"]}"#)
    var engine: (any AppEngine)?
    var effects = ""
    var over: JSONTree?
    while over == nil {
      let answer = try talk.say("{\"name\":\"advance\",\"to\":600000000000,\"effects\":[\(effects)]}")
      try require(answer.member("error") == nil, "\(answer)")
      over = answer.member("over")
      effects = ""
      let now = SimInstant(nanoseconds: answer.member("at")?.integer ?? 0)
      for input in answer.member("inputs")?.items ?? [] {
        let members = try MessageMembers(input)
        if let hello = input.member("hello") {
          engine = AppProtocol.bab.makeReference(try IUTHello(MessageMembers(hello), of: .bab).configuration)
        }
        if input.member("name")?.text == "ended" { continue }
        for effect in engine?.handle(try members.input(of: AppProtocol.bab.app), at: now) ?? [] {
          var text = JSONText()
          text.beginObject()
          text.member("device", "host")
          text.effect(effect)
          text.endObject()
          effects += (effects.isEmpty ? "" : ",") + String(decoding: text.octets, as: UTF8.self)
        }
      }
    }
    let outcome = try talk.say("{\"name\":\"finish\"}")
    equal(outcome.member("verdict")?.text, "pass", "\(outcome)")
    equal(talk.table.exitCode, 0)
    equal(outcome.member("ending")?.text, "finished")
  }

  @Test("What is done to a phone on purpose is done now: its app ends and is launched again")
  func acts() throws {
    let talk = Talk()
    _ = try talk.say(Self.two)
    try talk.advance(until: "computer launched")
    let kill = try talk.say("{\"name\":\"act\",\"device\":\"lamp\",\"words\":\"kill\"}")
    expect(talk.inputs(kill).contains("lamp ended"))
    // An app that is over asks for nothing.
    let late = try talk.say(
      "{\"name\":\"advance\",\"to\":1000,\"effects\":[{\"device\":\"lamp\",\"name\":\"stopAdvertising\"}]}")
    expect(late.member("error") == nil)
    let relaunch = try talk.say("{\"name\":\"act\",\"device\":\"lamp\",\"words\":\"relaunch\"}")
    equal(talk.inputs(relaunch), ["lamp launched"])
    equal(relaunch.member("inputs")?.items.first?.member("launch")?.integer, 2)
  }

  @Test("A room with a folder leaves its files, and its lines give its digest again")
  func files() throws {
    let folder = NSTemporaryDirectory() + "room-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let talk = Talk()
    // What a room with one device more has left there goes, and what others put there stays.
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in ["old.btsnoop", "notes.txt"] {
      try "x".write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
    }
    try "old.btsnoop\n".write(toFile: folder + "/.babbench-files", atomically: true, encoding: .utf8)
    _ = try talk.say(Self.two.replacing("\"seed\"", with: "\"out\":\"\(folder)\",\"seed\""))
    try talk.advance(until: "computer launched")
    _ = try talk.say("{\"name\":\"advance\",\"to\":2000000000}")
    let outcome = try talk.say("{\"name\":\"finish\"}")
    let names = Set(try FileManager.default.contentsOfDirectory(atPath: folder))
    expect(
      names.isSuperset(of: ["air.pcapng", "lamp.btsnoop", "timeline.html", "trace.jsonl", "room.jsonl", "notes.txt"]))
    expect(!names.contains("old.btsnoop"))
    let again = Talk()
    var digest: String?
    for line in try String(contentsOfFile: folder + "/room.jsonl", encoding: .utf8).split(separator: "\n") {
      digest = try again.say(String(line)).member("digest")?.text ?? digest
    }
    equal(digest, outcome.member("digest")?.text)
  }

  @Test("The command answers each line at once, and its exit code is 64 when a line was refused")
  func command() throws {
    let talk = try Executable.start(["room"])
    try talk.input.write(contentsOf: Data((Self.two + "\nhello\n").utf8))
    try talk.input.close()
    let output = String(decoding: talk.readToEnd(), as: UTF8.self)
    talk.process.waitUntilExit()
    equal(output.split(separator: "\n").count, 2)
    expect(output.contains("{\"error\":\"not JSON at octet 0"))
    equal(talk.process.terminationStatus, 64)
  }
}
