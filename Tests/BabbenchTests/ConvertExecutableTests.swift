@testable import Campaigns
import Expectations
import Foundation
import Testing

@testable import Commands

/// `babbench convert` as a shell ends it.
@Suite("Conversions of the executable", .shippedEdition, .serialized)
struct ConvertExecutableTests {
  @Test("A signal leaves no file, whole or partial, though more input may come", arguments: [SIGINT, SIGTERM])
  func ended(signal number: Int32) throws {
    let folder = try TemporaryFolder()
    let talk = try Executable.start(["convert", "-", "out.pcapng"], folder: folder.path)
    defer { if talk.process.isRunning { kill(talk.process.processIdentifier, SIGKILL) } }
    try talk.input.write(contentsOf: Data(SmallCapture.btsnoop + SmallCapture.record(seconds: 1)))
    for _ in 0..<300 where try folder.files() != ["out.pcapng.partial"] { usleep(100_000) }
    try equal(folder.files(), ["out.pcapng.partial"])
    kill(talk.process.processIdentifier, number)
    talk.process.waitUntilExit()
    expect(talk.process.terminationReason == .exit && talk.process.terminationStatus == Interruption.exitCode)
    try expect(folder.files().isEmpty)
  }
}
