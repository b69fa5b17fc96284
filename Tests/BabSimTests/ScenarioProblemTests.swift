import BabSim
import Bench
import Expectations
import Testing

/// Every diagnostic that Docs/Formats/scenario.md promises, with its exact place.
@Suite("Scenario problems")
struct ScenarioProblemTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var title: String
    var text: String
    /// Whole lines, in order.
    var problems: [String]
    var testDescription: String { title }
  }

  static let cases: [Case] = [
    Case(
      title: "unknown key", text: "devices:\n  host: {}\nradoi: ideal\n",
      problems: ["a.yaml:3:1: a scenario has no key “radoi”; did you mean “radio”?"]),
    Case(
      title: "unknown key far from all others", text: "devices: { host: {}, client: {} }\nduration: 1s\nzzzzzzzz: 1\n",
      problems: [
        "a.yaml:3:1: a scenario has no key “zzzzzzzz”; write name, summary, seed, duration, limits, radio, network, "
          + "protocol, dialect, lobbies, devices, game, steps, meanwhile, expect or claims"
      ]),
    Case(
      title: "a tag that YAML does not know", text: "devices: { host: {} }\nsteps:\n  - !!foo\n",
      problems: ["a.yaml:3:5: the YAML tag “!!foo” is not taken; leave it out"]),
    Case(
      title: "a tag of another program", text: "seed: !!python/object 5\ndevices: { host: {} }\n",
      problems: ["a.yaml:1:7: the YAML tag “!!python/object” is not taken; leave it out"]),
    Case(
      title: "a tag of one's own", text: "devices: { host: {}, a: {} }\nsteps: [ a: !bar join ]\n",
      problems: ["a.yaml:2:13: the YAML tag “!bar” is not taken; leave it out"]),
    Case(
      title: "a tag of a list", text: "devices: { host: {} }\nsteps: !!set [ host: start hosting ]\n",
      problems: ["a.yaml:2:8: the YAML tag “!!set” is not taken; leave it out"]),
    Case(
      title: "devices around each other",
      text: "devices: { a: { around: b, radius: 1 m }, b: { around: a, radius: 1 m } }\n",
      problems: [
        "a.yaml:1:25: “a” stands around a device that stands around it; give one of them a place with “at”"
      ]),
    Case(
      title: "a step that goes back in time",
      text:
        "devices: { host: {}, a: {} }\nsteps:\n  - { at: 5s, host: start hosting }\n  - a: join\n  - { at: 2s, a: leave }\n",
      problems: [
        "a.yaml:5:5: “at” goes back to 2.000000000 s, after a step at 5.000000000 s; put the steps in their order"
      ]),
    Case(
      title: "what only a host does, done by clients",
      text:
        "devices: { host: {}, client: { count: 3 } }\nsteps:\n  - all clients: start hosting\n  - host: [leave, join]\n",
      problems: [
        "a.yaml:3:18: “start hosting” is for a host, and client-1 is a client and 2 others like it; "
          + "write “host: start hosting”",
        "a.yaml:4:19: “join” is for a client, and host is a host; write “all clients: join”",
      ]),
    Case(
      title: "what only a host does, with a value, where there is none",
      text: "devices: { client: {} }\nsteps:\n  - client: { set difficulty: hard, start hosting: }\n",
      problems: [
        "a.yaml:3:15: “set difficulty” is for a host, and client is a client; add a device with “role: host”",
        "a.yaml:3:37: “start hosting” is for a host, and client is a client; add a device with “role: host”",
      ]),
    Case(
      title: "a control character", text: "name: \"red \\e[31m\"\ndevices: { host: {} }\n",
      problems: [
        "a.yaml:1:7: the control character U+001B would not be seen where the text is shown; leave it out"
      ]),
    Case(
      title: "writing from right to left", text: "devices: { host: {} }\nsummary: a\u{202E}b\n",
      problems: [
        "a.yaml:2:10: the control character U+202E would not be seen where the text is shown; leave it out"
      ]),
    Case(
      title: "too many lobbies", text: "lobbies: 40\ndevices: { host: {}, client: { count: 60 } }\n",
      problems: ["a.yaml:2:10: 40 lobbies of 61 devices are more than 1024 devices; write a smaller number"]),
    Case(
      title: "lobbies out of the world",
      text: "lobbies: { count: 4, spacing: 10 km }\ndevices: { host: { at: [1, 1] } }\n",
      problems: ["a.yaml:2:10: lobby 2 is out of the world; write a smaller “spacing”"]),
    Case(
      title: "lobbies with an address", text: "lobbies: 2\ndevices: { host: { address: \"C0:00:00:00:00:01\" } }\n",
      problems: ["a.yaml:2:10: host has an address of its own, and there are 2 lobbies; leave “address” out"]),
    Case(
      title: "a spread of two kinds",
      text: "devices: { host: {} }\nsteps:\n  - host: start hosting\n    spread: { over: 1s, mean gap: 1s }\n",
      problems: [
        "a.yaml:4:25: “spread” has one of “over”, “mean gap” and “waves of”; write, for example, “over: 10s”"
      ]),
    Case(
      title: "waves without a pause",
      text: "devices: { host: {} }\nsteps:\n  - host: start hosting\n    spread: { waves of: 2 }\n",
      problems: ["a.yaml:4:13: “spread” needs “every”; write “every: …”"]),
    Case(
      title: "a pause without waves",
      text: "devices: { host: {} }\nsteps:\n  - host: start hosting\n    spread: { over: 2s, every: 1s }\n",
      problems: ["a.yaml:4:25: “every” needs “waves of”; leave it out of “over”"]),
    Case(
      title: "a spread of two entries",
      text: "devices: { host: {}, a: {} }\nsteps:\n  - host: start hosting\n    a: join\n    spread: { over: 2s }\n",
      problems: ["a.yaml:5:13: “spread” is of one entry; write a step for each"]),
    Case(
      title: "churn that says too little",
      text: "devices: { host: {} }\nsteps:\n  - host: { churn: { stay: 1s, leaving: vanish, returning: appear } }\n",
      problems: [
        "a.yaml:3:20: “churn” needs “away”; write “away: …”", "a.yaml:3:20: “churn” needs “for”; write “for: …”",
      ]),
    Case(
      title: "hostile in no way", text: "devices: { host: { hostile: { share: 10% } } }\n",
      problems: [
        "a.yaml:1:29: “hostile” says what such a device does; write “engine: …” or "
          + "“message fault: { do: corrupt, every: 5 }”"
      ]),
    Case(
      title: "no unit", text: "devices: { host: {} }\nduration: 5\n",
      problems: ["a.yaml:2:11: “duration” “5” has no unit; write 5s, 300ms, 20us or 1min"]),
    Case(
      title: "wrong unit", text: "devices: { host: {} }\nduration: 5 parsecs\n",
      problems: ["a.yaml:2:11: “duration” “5 parsecs” has an unknown unit “parsecs”; write 5s, 300ms, 20us or 1min"]),
    Case(
      title: "a duration that is no number", text: "devices: { host: {} }\nduration: soon\n",
      problems: ["a.yaml:2:11: “duration” “soon” is no duration; write 5s, 300ms, 20us or 1min"]),
    Case(
      title: "finer than a nanosecond", text: "devices: { host: {} }\nduration: 0.5ns\n",
      problems: ["a.yaml:2:11: “duration” “0.5ns” is too fine or too large; write 5s, 300ms, 20us or 1min"]),
    Case(
      title: "one channel", text: "devices: { host: {} }\nsteps:\n  - host: { use channels: 7 }\n",
      problems: ["a.yaml:3:27: a link needs two channels at least; write, for example, 0..10"]),
    Case(
      title: "an interval that is none",
      text: "devices: { host: {} }\nsteps:\n  - host: { update connection: { connection interval: 8ms } }\n",
      problems: ["a.yaml:3:55: “connection interval” cannot be that; write 7.5ms to 4s in steps of 1.25ms"]),
    Case(
      title: "a scan window that is too long",
      text: "devices:\n  host: { phone: { preset: ideal, scan interval: 10ms, scan window: 20ms } }\n",
      problems: ["a.yaml:2:69: the scan window is longer than the scan interval; write both"]),
    Case(
      title: "no devices", text: "name: nobody\n",
      problems: ["a.yaml:1:1: a scenario needs “devices”; write “devices: …”"]),
    Case(
      title: "two hosts", text: "devices:\n  host: {}\n  other: { role: host }\n",
      problems: [
        "a.yaml:2:3: there are 2 hosts in one lobby (host, other); write another “lobby: …” for each of them"
      ]),
    Case(
      title: "two hosts of one lobby beside another",
      text: "devices:\n  host: {}\n  b: { role: host, lobby: x }\n  c: { role: host, lobby: x }\n",
      problems: ["a.yaml:2:3: there are 2 hosts in one lobby (b, c); write another “lobby: …” for each of them"]),
    Case(
      title: "addresses that are none, not random static, of a group, and of two devices",
      text: "devices:\n  host: { address: public 01:00:00:00:00:01 }\n  a: { address: 'C0:00:00:00:01' }\n"
        + "  b: { address: '80:00:00:00:00:01' }\n  client: { count: 3, address: 'C0:00:00:00:00:01' }\n"
        + "  d: { address: 'C0:00:00:00:00:02' }\n  e: { address: 'C0:00:00:00:00:02' }\n",
      problems: [
        "a.yaml:2:20: “address” “public 01:00:00:00:00:01” is not of one device; write a public address whose first "
          + "octet is even",
        "a.yaml:3:17: “address” “C0:00:00:00:01” is no address; write C0:00:00:00:00:01 or public 00:1B:DC:00:00:01",
        "a.yaml:4:17: “address” “80:00:00:00:00:01” is not random static; write C0 to FF first, or “public” before a "
          + "public address",
        "a.yaml:5:32: “address” would be that of all members; write it for one of them, “client-1: { address: … }”",
        "a.yaml:7:17: “address” C0:00:00:00:00:02 is d's already; write another one",
      ]),
    Case(
      title: "an interferer with the times of both kinds",
      text: "radio:\n  interferers:\n    - { name: a, at: [0, 0], wifi channel: 6, airtime: 20%, off: 1ms }\n"
        + "    - { name: b, at: [0, 0], wifi channel: 6, frame: 1ms }\n"
        + "    - { name: c, at: [0, 0], wifi channel: 6, airtime: 100% }\ndevices: { host: {} }\n",
      problems: [
        "a.yaml:3:61: “off” is of an interferer without “airtime”; leave it out, or write “on” and “off”",
        "a.yaml:4:47: “frame” needs an “airtime”; write “airtime: 20%” beside it",
        "a.yaml:5:56: “airtime” “100%” is out of range; write 0.1% to 99.9%",
      ]),
    Case(
      title: "a count without its number",
      text: "devices: { host: {} }\nexpect:\n  - host has at most violations\n",
      problems: ["a.yaml:3:5: “at most violations” is no condition; write how many, “at least 1 violations”"]),
    Case(
      title: "an unknown protocol", text: "devices:\n  host: { protocol: babel }\n",
      problems: ["a.yaml:2:21: protocol “babel” does not exist; write bab or none"]),
    Case(
      title: "what is said of an app to a bare controller",
      text: "devices:\n  host: {}\n  box: { protocol: none, role: client, engine: x }\n",
      problems: [
        "a.yaml:3:26: “box” has no app; leave “role” out, or name the protocol that it speaks",
        "a.yaml:3:40: “box” has no app; leave “engine” out, or name the protocol that it speaks",
      ]),
    Case(
      title: "what only an app can do, and a bare controller has none",
      text: "devices: { host: {}, box: { protocol: none } }\nsteps:\n  - box: join\n  - box: { join: host }\n",
      problems: [
        "a.yaml:3:10: “join” is done with an app that box does not have; name another device",
        "a.yaml:4:12: “join” is done with an app that box does not have; name another device",
      ]),
    Case(
      title: "what only an app shows, and a bare controller has none",
      text: "devices: { host: {}, box: { protocol: none } }\nexpect:\n  - box in lobby\n",
      problems: ["a.yaml:3:5: “in lobby” is said of an app that box does not have; name another device"]),
    Case(
      title: "a host to join that is no device",
      text: "devices: { host: {}, client: {} }\nsteps:\n  - client: { join: hots }\n",
      problems: ["a.yaml:3:21: there is no device “hots”; did you mean “host”?"]),
    Case(
      title: "missing device in a step",
      text: "devices: { host: {}, client: { count: 2 } }\nsteps:\n  - client-3: join\n",
      problems: [
        "a.yaml:3:5: a step has no key “client-3” and there is no such device; did you mean “client-1”?"
      ]),
    Case(
      title: "missing device in a condition",
      text: "devices: { host: {}, client: {} }\nexpect:\n  - that: cleint in lobby\n",
      problems: ["a.yaml:3:11: there is no device “cleint”; did you mean “client”?"]),
    Case(
      title: "a name that steps use otherwise", text: "devices:\n  host: {}\n  everyone: {}\n",
      problems: ["a.yaml:3:3: “everyone” means something else in steps; give the device another name"]),
    Case(
      title: "two steps of one label",
      text: "devices: { host: {} }\nsteps:\n  - { host: leave, label: a }\n  - { host: leave, label: a }\n",
      problems: ["a.yaml:4:27: two steps have the label “a”; rename one of them"]),
    Case(
      title: "two roles of one name", text: "devices: { host: {} }\ngame: { roles: [{ id: a }, { id: a }] }\n",
      problems: ["a.yaml:2:34: two roles are called “a”; rename one of them"]),
    Case(
      title: "a device written twice", text: "devices:\n  host: {}\n  client: {}\n  host: {}\n",
      problems: ["a.yaml:4:3: “host” is written twice; keep one"]),
    Case(
      title: "a key written twice in one line", text: "devices: { host: { at: [0, 0], at: [1, 1] } }\n",
      problems: ["a.yaml:1:32: “at” is written twice; keep one"]),
    Case(
      title: "an impossible position", text: "devices:\n  host: { at: [0, 11 km] }\n",
      problems: ["a.yaml:2:19: y of “at” “11 km” is out of range; write -10 km to 10 km"]),
    Case(
      title: "a position with one number", text: "devices:\n  host: { at: [7] }\n",
      problems: ["a.yaml:2:15: “at” must be a point, not a list; write [x, y] or [x, y, z] in metres"]),
    Case(
      title: "a circle out of the world",
      text: "devices:\n  host: { at: [9 km, 0] }\n  client: { count: 4, around: host, radius: 2 km }\n",
      problems: ["a.yaml:3:31: the circle leaves the world; write places within -10 km to 10 km"]),
    Case(
      title: "an unknown phone", text: "devices:\n  host: { phone: iphnoe }\n",
      problems: [
        "a.yaml:2:18: phone “iphnoe” does not exist; did you mean “iphone”?"
      ]),
    Case(
      title: "an unknown room", text: "radio: livingroom\ndevices: { host: {} }\n",
      problems: ["a.yaml:1:8: radio preset “livingroom” does not exist; did you mean “living-room”?"]),
    Case(
      title: "an unknown dialect", text: "dialect: klingon\ndevices: { host: {} }\n",
      problems: ["a.yaml:1:10: dialect “klingon” does not exist; write guide, sdk or app"]),
    Case(
      title: "a list where a mapping must be", text: "devices:\n  - host\n",
      problems: ["a.yaml:2:3: “devices” must be a mapping of names, not a list; write “host: { phone: ideal }”"]),
    Case(
      title: "a text where a mapping must be", text: "devices: { host: {} }\ngame: chess\n",
      problems: [
        "a.yaml:2:7: “game” must be a mapping, not a text; write keys such as “scenario:”, “roles:” or “lines:”"
      ]),
    Case(
      title: "a count of nothing", text: "devices:\n  host: {}\n  client: { count: 0 }\n",
      problems: ["a.yaml:3:20: “count” 0 is out of range; write 1 to 255"]),
    Case(
      title: "a share without %", text: "devices: { host: {} }\ngame: { autoplay: { accuracy: 0.8 } }\n",
      problems: ["a.yaml:2:31: “accuracy” “0.8” has no unit; write 80% or 0.5%"]),
    Case(
      title: "a range that runs backwards", text: "devices: { host: {} }\ngame: { autoplay: { think: 2s..1s } }\n",
      problems: ["a.yaml:2:28: “think” runs backwards; write the smaller end first"]),
    Case(
      title: "an unknown action", text: "devices: { host: {} }\nsteps:\n  - host: start hostign\n",
      problems: ["a.yaml:3:11: there is no action “start hostign”; did you mean “start hosting”?"]),
    Case(
      title: "an action that must say more", text: "devices: { host: {} }\nsteps:\n  - host: set scenario\n",
      problems: ["a.yaml:3:11: “set scenario” needs to know more; write “set scenario: …”"]),
    Case(
      title: "a wait without a limit",
      text: "devices: { host: {} }\nsteps:\n  - when: host is ACTIVE\n    host: end game\n",
      problems: ["a.yaml:3:5: “when” needs a limit; write “within: 15s” beside it"]),
    Case(
      title: "two beginnings", text: "devices: { host: {} }\nsteps:\n  - at: 1s\n    after: 1s\n    host: leave\n",
      problems: ["a.yaml:4:5: a step begins by “at” or by “after”, not both; write two steps"]),
    Case(
      title: "an unknown phase", text: "devices: { host: {} }\nexpect:\n  - everyone is FINISHD\n",
      problems: ["a.yaml:3:5: “FINISHD” is no condition; did you mean “FINISHED”?"]),
    Case(
      title: "an unknown label",
      text: "devices: { host: {} }\nsteps:\n  - { host: leave, label: gone }\nexpect:\n"
        + "  - { that: host is LOBBY, within: 1s, after: gnoe }\n",
      problems: ["a.yaml:5:47: no step has the label “gnoe”; did you mean “gone”?"]),
    Case(
      title: "a timeout too short for its interval",
      text: "devices:\n  host: { phone: { connection interval: 1s, supervision timeout: 2s } }\n",
      problems: [
        "a.yaml:2:45: the supervision timeout must be more than (1 + latency) × interval × 2; write a longer one"
      ]),
    Case(
      title: "an interval the air does not have",
      text: "devices:\n  host: { phone: { connection interval: 30.5ms } }\n",
      problems: ["a.yaml:2:41: “connection interval” cannot be that; write 7.5ms to 4s in steps of 1.25ms"]),
    Case(
      title: "a name that is no name", text: "devices:\n  host: {}\n  Client One: {}\n",
      problems: [
        "a.yaml:3:3: “Client One” is no device name; write up to 32 of a-z, 0-9 and “-”, beginning with a letter"
      ]),
    Case(
      title: "several problems at once",
      text: "radio: idael\ndialekt: sdk\ndevices:\n  host: { phone: nokia }\nseed: -1\n",
      problems: [
        "a.yaml:1:8: radio preset “idael” does not exist; did you mean “ideal”?",
        "a.yaml:2:1: a scenario has no key “dialekt”; did you mean “dialect”?",
        "a.yaml:4:18: phone “nokia” does not exist; write ideal, iphone, android, android-7, linux or “profile.yaml#name” for one"
          + " of a profile",
        "a.yaml:5:7: seed “-1” is no seed; write a whole number from 0 to 18446744073709551615",
      ]),
    Case(
      title: "not YAML", text: "devices:\n  host: { at: [0, 0\n",
      problems: [
        "a.yaml:3:1: not YAML: while parsing a flow sequence did not find expected ',' or ']'; check indentation, "
          + "colons and quotes"
      ]),
    Case(
      title: "brackets without end", text: String(repeating: "[", count: 5_000),
      problems: ["a.yaml:1:1: nested far too deeply; a scenario needs five levels"]),
    Case(
      title: "a tab that indents", text: "devices:\n\thost: {}\n",
      problems: [
        "a.yaml:2:1: a character that YAML cannot begin with; put the value in quotes, and indent with blanks"
      ]),
    Case(
      title: "a second document", text: "devices: { host: {} }\n---\ndevices: { host: {} }\n",
      problems: ["a.yaml:2:1: a second YAML document; a file holds one scenario"]),
    Case(
      title: "an anchor", text: "devices:\n  host: &h {}\n  client: *h\n",
      problems: ["a.yaml:2:9: YAML anchors and aliases are not taken; write the value out"]),
    Case(
      title: "an alias of nothing", text: "devices:\n  host: *h\n",
      problems: ["a.yaml:2:9: YAML anchors and aliases are not taken; write the value out"]),
    Case(
      title: "an empty file", text: "",
      problems: ["a.yaml:1:1: the file is empty; a scenario needs at least “devices:” with a device in it"]),
    Case(
      title: "a file of comments", text: "# nothing\n\n",
      problems: ["a.yaml:1:1: the file is empty; a scenario needs at least “devices:” with a device in it"]),
    Case(
      title: "a list as a file", text: "- a\n- b\n",
      problems: [
        "a.yaml:1:1: a scenario must be a mapping, not a list; write keys such as “name:”, “summary:” or “seed:”"
      ]),
  ]

  @Test("Each problem is one line with its place and what to write instead", arguments: cases)
  func problem(_ example: Case) {
    switch ScenarioReader.read(text: example.text, file: "a.yaml", language: .bab()) {
    case .success: equal(example.problems, [])
    case .failure(let problems): equal(problems.list.map(\.description), example.problems)
    }
  }

  @Test("More than twenty problems are counted, not listed")
  func manyProblems() {
    let keys = (1...33).map { "qqqqqqqqqq\($0): 1\n" }.joined()
    guard
      case .failure(let problems) = ScenarioReader.read(
        text: "devices: { host: {} }\n" + keys, file: "a.yaml", language: .bab())
    else { return expect(false, "33 unknown keys were taken") }
    equal(problems.list.count, 20)
    equal(problems.omitted, 13)
    expect(problems.description.hasSuffix("\nand 13 more"))
  }

  @Test("Octets that are no text are refused with their place")
  func binary() {
    func first(_ octets: [UInt8]) -> String? {
      guard case .failure(let problems) = ScenarioReader.read(octets: octets, file: "a.yaml", language: .bab()) else {
        return nil
      }
      return problems.list.first?.description
    }
    equal(
      first(Array("name: x\nab".utf8) + [0x00, 0x01]),
      "a.yaml:2:3: this is a binary file (octet 00); write YAML text in UTF-8")
    equal(
      first([0x7F, 0x45, 0x4C, 0x46, 0x02]), "a.yaml:1:5: this is a binary file (octet 02); write YAML text in UTF-8")
    equal(
      first(Array("name: é".utf8) + [0xFF]), "a.yaml:1:8: this is not UTF-8 text; write YAML text in UTF-8")
    equal(first([0xFF, 0xFE, 0x61, 0x00]), "a.yaml:1:1: the file is UTF-16; save it as UTF-8")
  }

  @Test("A file beyond the size limit is refused before it is parsed")
  func large() {
    let octets = [UInt8](repeating: UInt8(ascii: "["), count: 10_000_000)
    guard case .failure(let problems) = ScenarioReader.read(octets: octets, file: "a.yaml", language: .bab()) else {
      return expect(false, "ten megabytes were taken")
    }
    equal(
      problems.list.map(\.description), ["a.yaml:1:1: the file has 10000000 octets; a scenario has at most 1048576"])
  }

  @Test(
    "Nothing traps or runs away",
    arguments: [
      String(repeating: "[", count: 200_000), String(repeating: "- ", count: 200_000),
      String(repeating: "{a: ", count: 50_000), String(repeating: "? ", count: 50_000),
      "a: &a [x, x]\nb: &b [*a, *a]\n" + String(repeating: "c: [*b, *b, *b, *b, *b, *b, *b, *b]\n", count: 20),
      "devices: { host: {} }\nname: \"\\uD800\"\n", "devices: !!binary aGk=\n", "? [a, b]\n: c\n",
      "%YAML 9.9\n---\na: b\n",
      "devices: { ? : }", "steps: { : : }", "\u{FEFF}devices: { host: { at: [.., ..] } }", "--- |\n", "'", "\"\\x",
      "devices: { host: {} }\nexpect: [ any, no, every one, all \"\", \"\\\"\", not not, has, "
        + "host has 99999999999999999999 links ]",
    ])
  func hostile(text: String) {
    guard case .failure(let problems) = ScenarioReader.read(text: text, file: "a.yaml", language: .bab()) else {
      return expect(false, "this was taken as a scenario")
    }
    expect(!problems.list.isEmpty)
    expect(problems.list.allSatisfy { $0.location.line >= 1 && $0.location.column >= 1 })
  }

  @Test("Every prefix of a good scenario is a scenario or a problem, and no prefix traps")
  func prefixes() throws {
    let text = try Repository.text("Scenarios/lobby/two-peers.yaml")
    let octets = Array(text.utf8)
    var refused = 0
    for count in stride(from: 0, through: octets.count, by: 7) {
      if case .failure = ScenarioReader.read(octets: Array(octets.prefix(count)), file: "a.yaml", language: .bab()) {
        refused += 1
      }
    }
    expect(refused > 0)
  }
}
