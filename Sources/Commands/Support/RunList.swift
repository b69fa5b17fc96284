import Campaigns
import Conformance
import Foundation
import Judging

/// What a run has left in its folder, as far as babbench wrote it: a list in that folder (`MadeFiles`). It is cleared
/// before a run begins.
///
/// The next run into the same folder takes away what is listed, so that captures of two runs are never judged as one.
/// What is not listed is somebody else's and stays. A recording of a session is not listed: nothing can make it again.
final class RunList {
  private let folder: OutputFolder
  private var made: MadeFiles?

  init(_ folder: OutputFolder) { self.folder = folder }

  /// Takes away what an earlier run has left; once.
  func clear() throws {
    if made != nil { return }
    let known = Self.unlisted(in: folder)
    made = try MadeFiles(in: folder.path)
    for name in known { MadeFiles.remove(folder.path(of: name)) }
  }

  /// Lists those of the names that are there now.
  func write(_ names: [String]) throws {
    try clear()
    try made?.list(names.filter { FileManager.default.fileExists(atPath: folder.path(of: $0)) })
  }

  /// The files that any run may have.
  static func names(devices: [String]) -> [String] {
    ["trace.jsonl", "air.pcapng", "network.pcapng", "timeline.html", "result.json", "junit.xml"]
      + HCICaptureReader.fileNames(devices) + devices.map { $0 + ".log" }
  }

  /// The files of an earlier run that has left no list, by its result.json: versions before this one left none.
  private static func unlisted(in folder: OutputFolder) -> [String] {
    guard !FileManager.default.fileExists(atPath: folder.path(of: MadeFiles.list)),
      let octets = FileManager.default.contents(atPath: folder.path(of: "result.json")),
      let result = try? JSONTree([UInt8](octets)), result.member("digest")?.text != nil,
      let words = result.member("repeat")?.text.flatMap({ Shell.words(of: $0) }), words.first == "babbench",
      ["run", "replay"].contains(words.dropFirst().first)
    else { return [] }
    let devices = (result.member("devices")?.items ?? []).compactMap { $0.member("name")?.text }
    return names(devices: devices).filter { !$0.contains("/") }
  }
}
