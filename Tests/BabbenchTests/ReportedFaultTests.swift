import Expectations
import Foundation
import Testing

/// Faults that people report in public of their apps, each as a small program and a room (`../shared/reported`): the
/// first line of `why` names the reason.
@Suite("Reported faults", .serialized)
struct ReportedFaultTests {
  /// The cases, beside the library that their programs stand on; nil, said loudly, where they are absent.
  nonisolated(unsafe) private static let folder: TemporaryFolder? = {
    let reported = Repository.shared + "/reported"
    guard FileManager.default.fileExists(atPath: reported), let folder = try? TemporaryFolder() else {
      print("SKIPPED: no shared reports (set BABBENCH_SHARED); reported faults are not tried")
      return nil
    }
    let copy = folder.path + "/reported"
    let library = Repository.path("Examples/iut-python/bab")
    let script = "cp -r '\(reported)' '\(copy)' && chmod -R u+w '\(copy)' && cp -r '\(library)' '\(copy)/common/'"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    try? process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? folder : nil
  }()

  private static let isThere = folder != nil

  @Test(
    "why names the reason in its first line", .enabled(if: isThere),
    arguments: [
      ("01-conform-hides-att-mtu", "1. host offers more octets than a value of its link holds: 256 octets offered"),
      ("02-refused-values-not-told", "1. host went on after its platform had refused a value of BAB3 for client"),
      ("03-unanswered-write", "1. a write to BAB2 of client waits for an answer of the app of host, from"),
      ("04-slow-interval-not-told", "1. the app of host has asked for a connection interval of 1000 ms on link 0"),
      ("16-found-but-not-wanted", "1. guest was told of host (-7"),
      ("17-no-room-for-another-link", "1. host has no room for another link and does not advertise: 3 of 3 links"),
    ])
  func why(_ name: String, _ line: String) throws {
    let path = try required(Self.folder).path + "/reported/" + name
    let result = try Executable.run(["why", "room.yaml"], folder: path)
    expect(result.status == 1 && result.output.hasPrefix(line), "\(result.output.prefix(300))")
  }

  @Test("A link without a subscription is the first line", .enabled(if: isThere))
  func subscription() throws {
    let path = try required(Self.folder).path + "/reported/05-missing-subscription-not-told"
    let result = try Executable.run(["why", "room.yaml"], folder: path)
    equal(result.status, 1)
    expect(result.output.hasPrefix("1. guest has not subscribed to anything on link 1, as it had on link 0"))
  }

  @Test("Phones have as many links as reports say, by a key for either role", .enabled(if: isThere))
  func links() throws {
    let path = try required(Self.folder).path + "/reported/"
    let both = try Executable.run(
      ["run", "room.yaml", "--set", "expect=[m has exactly 7 links]"], folder: path + "08-android-links-of-both-roles")
    equal(both.status, 0, "\(both.output)\(both.errors)")
    // Its app tries again whenever it is told.
    let central = try Executable.run(
      ["why", "room.yaml", "--set", "devices.c.phone={preset: android, links as central: 1}"],
      folder: path + "09-links-key-says-nothing-of-centrals")
    expect(
      central.output.contains("noticed the phone of c has refused a link with p3, because it has as many as it can"),
      "\(central.output)\(central.errors)")
  }

  @Test("Services stay while Bluetooth is off, and an indication waits for the one before it", .enabled(if: isThere))
  func phones() throws {
    let path = try required(Self.folder).path + "/reported/"
    let services = path + "10-iphone-loses-services-at-power-off"
    try equal(Executable.run(["run", "room.yaml", "--out", "out"], folder: services).status, 2)
    let trace = try String(contentsOfFile: services + "/out/trace.jsonl", encoding: .utf8)
    let found = trace.split(separator: "\n").filter { $0.contains("\"servicesDiscovered\"") }
    expect(found.count == 2 && found.allSatisfy { $0.contains("\"uuid\":\"BAB3\",\"properties\":16") })
    let indications = path + "12-notify-on-an-indicating-characteristic"
    let why = try Executable.run(["why", "room.yaml"], folder: indications)
    expect(why.output.contains("noticed host was refused a value of BAB3 for client"), "\(why.output)")
  }

  @Test("conform tells a value that nobody has subscribed to from a full queue", .enabled(if: isThere))
  func unwanted() throws {
    let path = try required(Self.folder).path + "/reported/13-queue-full-that-is-empty"
    let arguments = ["conform", "--iut", "host.yaml", "--dialect", "sdk", "--select", "BAB/HOST/GATT/BV-05-C"]
    let result = try Executable.run(arguments, folder: path)
    expect(result.output.hasPrefix("fail  sends values that nobody has subscribed to (BAB 5.9.4"), "\(result.output)")
  }

  @Test("A service that is published twice fails", .enabled(if: isThere))
  func publishedTwice() throws {
    let path = try required(Self.folder).path + "/reported/15-services-published-twice"
    let result = try Executable.run(["why", "room.yaml"], folder: path)
    expect(result.status == 1 && result.output.hasPrefix("1. fail OneServicePerHost (BAB 2.1), host"))
  }
}
