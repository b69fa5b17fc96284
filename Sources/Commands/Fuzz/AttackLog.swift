import Foundation
import InPlaceFuzz
import Judging

/// The attacks of the session under way in a file that is whole after each of them, and costs no more for many.
final class AttackLog {
  private let path: String
  private let file: FileHandle
  private var count = 0
  /// Octets before the ending.
  private var length: UInt64

  /// - Throws: what the operating system said, in one line.
  init(path: String) throws {
    self.path = path
    let empty = AttackFile.octets(of: [])
    try FileSink.write(empty, to: path)
    guard let file = FileHandle(forUpdatingAtPath: path) else {
      throw WholeFileError(path: path, operation: "open", reason: String(cString: strerror(errno)))
    }
    self.file = file
    length = UInt64(empty.count - AttackFile.ending.count)
  }

  deinit { try? file.close() }

  /// Writes those attacks that are not in it yet, and the ending, in one go.
  func extend(to attacks: [TimedAttack]) throws {
    guard attacks.count > count else { return }
    var octets: [UInt8] = []
    for index in count..<attacks.count { octets += AttackFile.octets(of: attacks[index], isFirst: index == 0) }
    do {
      try file.seek(toOffset: length)
      try file.write(contentsOf: octets + AttackFile.ending)
    } catch {
      throw WholeFileError(path: path, operation: "write", reason: (error as NSError).localizedDescription)
    }
    count = attacks.count
    length += UInt64(octets.count)
  }
}
