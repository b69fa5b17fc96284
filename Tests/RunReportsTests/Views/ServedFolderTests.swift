import Expectations
import Foundation
import Testing

@testable import RunViews

@Suite("The folder that view serves")
struct ServedFolderTests {
  private final class Place {
    let path = NSTemporaryDirectory() + "/babbench-view-" + UUID().uuidString

    init() throws {
      try FileManager.default.createDirectory(atPath: path + "/in/run", withIntermediateDirectories: true)
      try write("secret", "secret.html")
      try write(#"{"verdict": "fail", "scenario": "<b>a game"}"#, "in/run/result.json")
      try write("page", "in/run/timeline.html")
      try write("half", "in/run/air.pcapng.partial")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, _ name: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    var folder: ServedFolder { ServedFolder(path + "/in") }
  }

  @Test("Regular files below it are there, and no others")
  func files() throws {
    let place = try Place()
    let folder = place.folder
    expect(folder.isThere)
    equal(folder.file(["run", "timeline.html"])?.size, 4)
    let link = place.path + "/in/link.html"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: place.path + "/secret.html")
    try FileManager.default.createSymbolicLink(atPath: place.path + "/in/out", withDestinationPath: place.path)
    equal(mkfifo(place.path + "/in/pipe.html", 0o600), 0)
    for names in [
      [], ["run"], ["link.html"], ["out", "secret.html"], ["..", "secret.html"], ["run", "air.pcapng.partial"],
      ["pipe.html"], ["run", "timeline.html", "x"],
    ] {
      expect(folder.file(names) == nil, "\(names)")
    }
    equal(folder.entries([], limit: 10)?.map(\.name), ["run"])
    expect(folder.entries(["out"], limit: 10) == nil)
    expect(!ServedFolder(place.path + "/none").isThere)
  }

  @Test("A file that is replaced has another tag")
  func tags() throws {
    let place = try Place()
    let first = place.folder.file(["run", "timeline.html"])?.tag
    expect(first != nil && first == place.folder.file(["run", "timeline.html"])?.tag)
    try FileManager.default.removeItem(atPath: place.path + "/in/run/timeline.html")
    try place.write("page of another length", "in/run/timeline.html")
    expect(place.folder.file(["run", "timeline.html"])?.tag != first)
  }

  @Test("The index has the runs with their verdicts, and names stay text")
  func index() throws {
    let place = try Place()
    try FileManager.default.createDirectory(atPath: place.path + "/in/b ?#", withIntermediateDirectories: false)
    try place.write("page", "in/b ?#/timeline.html")
    let index = RunIndex(place.folder)
    equal(Set(index.runs.map(\.title)), ["<b>a game", "b ?#"])
    equal(index.runs.first { $0.path == ["run"] }?.verdict, "fail")
    let page = String(decoding: try IndexPage.octets(index, folder: "in", now: 0), as: UTF8.self)
    expect(page.contains("&lt;b&gt;a game"))
    expect(!page.contains("<b>"))
    expect(page.contains("\"/-/follow/run/timeline.html\""))
    expect(page.contains("\"/files/b%20%3F%23/timeline.html\""))
    expect(page.contains("no result yet"))
  }
}
