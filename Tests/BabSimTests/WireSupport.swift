import BabSim
import Expectations
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The shared data of the project.
enum SharedVectors {
  static let folder: String? =
    FileManager.default.fileExists(atPath: Repository.shared + "/vectors") ? Repository.shared : nil

  /// The rows of a table, split at tabs, comments left out; nil, said loudly, when the shared data is absent.
  static func rows(_ name: String) -> [[String]]? {
    guard let folder else {
      print("NOT RUN: ../shared/vectors/\(name) is absent; only the embedded excerpts were tested")
      return nil
    }
    guard let data = FileManager.default.contents(atPath: folder + "/vectors/" + name) else {
      Issue.record("\(name) is missing from the shared vectors")
      return nil
    }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
  }

  /// Octets of base64 text, by the platform's decoder and not by ours.
  static func octets(base64 text: String) throws -> [UInt8] { [UInt8](try required(Data(base64Encoded: text))) }
}

/// Text with `@` for the discriminator's prefix, as octets.
func packetText(_ text: String) -> [UInt8] {
  Array(
    text.split(separator: "@", omittingEmptySubsequences: false)
      .joined(separator: "com.bablabs.bringabrainlanguage.domain.models.PacketPayload.").utf8)
}

/// `ACCEPT` and the canonical text, or `REJECT`.
func verdict(_ octets: [UInt8]) -> String {
  do {
    return "ACCEPT " + String(decoding: try BabPacket(decoding: octets).encoded(), as: UTF8.self)
  } catch {
    return "REJECT"
  }
}
