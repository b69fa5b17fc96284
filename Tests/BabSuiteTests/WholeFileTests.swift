import CaptureTestSupport
import Expectations
import Foundation
import Testing

@testable import Judging

@Suite("Files that are written as a whole")
struct WholeFileTests {
  private static let text = Array("new".utf8)

  private func kind(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  @Test("A file is replaced, and stays what it was until then")
  func replaced() throws {
    let folder = try CaptureFolder()
    let path = folder.path + "/a"
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    let sink = try FileSink(path: path)
    sink.write(Self.text)
    try equal(folder.octets("a"), Array("old".utf8))
    try sink.close()
    try equal(folder.octets("a"), Self.text)
    equal(folder.names, ["a"])
  }

  @Test("A symbolic link stays one, whether or not there is a file at its end")
  func links() throws {
    let folder = try CaptureFolder()
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder.path + "/below", withIntermediateDirectories: true)
    try Data("old".utf8).write(to: URL(fileURLWithPath: folder.path + "/below/there"))
    try manager.createSymbolicLink(atPath: folder.path + "/one", withDestinationPath: "below/link")
    try manager.createSymbolicLink(atPath: folder.path + "/below/link", withDestinationPath: "there")
    try manager.createSymbolicLink(atPath: folder.path + "/two", withDestinationPath: folder.path + "/below/new")
    for (link, target) in [("one", "below/there"), ("two", "below/new")] {
      try FileSink.write(Self.text, to: folder.path + "/" + link)
      equal(kind(folder.path + "/" + link), S_IFLNK)
      try equal(folder.octets(target), Self.text)
    }
    try manager.createSymbolicLink(atPath: folder.path + "/circle", withDestinationPath: "circle")
    #expect(throws: WholeFileError.self) { try FileSink.write(Self.text, to: folder.path + "/circle") }
    try equal(manager.contentsOfDirectory(atPath: folder.path + "/below").sorted(), ["link", "new", "there"])
  }

  @Test("A named pipe is written, and stays one")
  func pipe() throws {
    let folder = try CaptureFolder()
    let path = folder.path + "/pipe"
    equal(mkfifo(path, 0o600), 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    try FileSink.write(Self.text, to: path)
    var octets = [UInt8](repeating: 0, count: 16)
    equal(read(reader, &octets, octets.count), Self.text.count)
    equal(Array(octets.prefix(Self.text.count)), Self.text)
    equal(kind(path), S_IFIFO)
    equal(folder.names, ["pipe"])
  }

  @Test("A full device is reported, and stays a device")
  func device() throws {
    let folder = try CaptureFolder()
    let path = folder.path + "/full"
    // The device of /dev/full: major 1, minor 7.
    guard mknod(path, S_IFCHR | 0o600, 1 << 8 | 7) == 0 else { return print("SKIPPED: devices are for root to make") }
    let attempt = open(path, O_WRONLY)
    if attempt < 0 { return print("SKIPPED: devices do not work in this file system") }
    close(attempt)
    #expect {
      try FileSink.write(Self.text, to: path)
    } throws: {
      let error = $0 as? WholeFileError
      return error?.operation == "write" && error?.path == path
    }
    equal(kind(path), S_IFCHR)
    equal(folder.names, ["full"])
  }

  @Test("A folder is no file to write")
  func directory() throws {
    let folder = try CaptureFolder()
    #expect {
      try FileSink.write(Self.text, to: folder.path)
    } throws: {
      ($0 as? WholeFileError)?.operation == "open"
    }
  }
}
