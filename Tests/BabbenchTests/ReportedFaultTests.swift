import Foundation
import Testing

/// Faults that people report in public of their apps, each as a small program and a room (`../shared/reported`): the
/// first line of `why` names the reason.
@Suite("Reported faults", .serialized)
struct ReportedFaultTests {
  /// The cases, beside the library that their programs stand on; nil, said loudly, where they are absent.
  nonisolated(unsafe) private static let folder: TemporaryFolder? = {
    let shared =
      ProcessInfo.processInfo.environment["BABBENCH_SHARED"]
      ?? CIRecipes.root.deletingLastPathComponent().appendingPathComponent("shared").path
    let reported = shared + "/reported"
    guard FileManager.default.fileExists(atPath: reported), let folder = try? TemporaryFolder() else {
      print("SKIPPED: no shared reports (set BABBENCH_SHARED); reported faults are not tried")
      return nil
    }
    let copy = folder.path + "/reported"
    let library = CIRecipes.root.appendingPathComponent("Examples/iut-python/bab").path
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
      ("16-found-but-not-wanted", "1. guest was told of host (at last -7"),
      ("17-no-room-for-another-link", "1. host has no room for another link and does not advertise: 3 of 3 links"),
    ])
  func why(_ name: String, _ line: String) throws {
    let path = try #require(Self.folder).path + "/reported/" + name
    let result = try Executable.run(["why", "room.yaml"], folder: path)
    #expect(result.status == 1 && result.output.hasPrefix(line), "\(result.output.prefix(300))")
  }

  @Test("A link without a subscription is noticed, though nothing is judged", .enabled(if: isThere))
  func subscription() throws {
    let path = try #require(Self.folder).path + "/reported/05-missing-subscription-not-told"
    let result = try Executable.run(["why", "room.yaml"], folder: path)
    #expect(result.status != 0)
    #expect(result.output.contains("noticed guest has not subscribed to anything on link 1, as it had on link 0"))
  }

  @Test("A service that is published twice fails", .enabled(if: isThere))
  func publishedTwice() throws {
    let path = try #require(Self.folder).path + "/reported/15-services-published-twice"
    let result = try Executable.run(["why", "room.yaml"], folder: path)
    #expect(result.status == 1 && result.output.hasPrefix("1. fail OneServicePerHost (BAB 2.1), host"))
  }
}
