public import CaptureFormats
import Foundation
public import Judging

/// Reads a capture file, or standard input, piece by piece: whatever its size, memory is that of one piece.
///
/// Pieces are read, not mapped: pages of a mapped file count as memory of the process, and reading costs little beside
/// decoding.
public final class CaptureFile {
  private static let pieceOctets = 1 << 20

  public let path: String
  private let descriptor: Int32
  private let shouldStop: () -> Bool
  @exclusivity(unchecked) private var reader = CaptureReader()
  @exclusivity(unchecked) private var isAtEnd = false
  /// A piece that nobody reads, to be filled.
  private var spare: [UInt8] = []

  /// Somebody asked to stop while octets were waited for.
  public struct Stopped: Error {}

  /// - Parameters:
  ///   - path: `-` is standard input.
  ///   - shouldStop: asked when a signal has ended a wait for octets.
  public init(path: String, shouldStop: @escaping () -> Bool = { false }) throws(WholeFileError) {
    self.path = path
    self.shouldStop = shouldStop
    descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw WholeFile.error("open", path) }
  }

  deinit { if descriptor > 0 { close(descriptor) } }

  public var format: CaptureFormat? { reader.format }
  /// The link type of the whole file, from its header; nil in formats that say it of each record.
  public var link: CaptureLink? { reader.link }
  /// What a pcapng file says about itself so far.
  public var sectionComments: [String] { reader.sectionComments }
  /// Packets that the statistics of its interfaces say were lost, so far; nil when none say so.
  var interfaceDrops: UInt64? { reader.interfaceDrops }
  /// How the file ended; of meaning once `next` has given nil.
  public var ending: CaptureEnding { reader.ending }

  /// The next record, nil at the end of the file.
  @inline(__always)
  public func next() throws -> CaptureRecord? {
    while true {
      if let record = try reader.next() { return record }
      if isAtEnd {
        try reader.finish()
        return nil
      }
      try refill()
    }
  }

  private func refill() throws {
    var piece = spare.isEmpty ? reader.takeSpare() : spare
    spare = []
    if piece.count < Self.pieceOctets { piece = [UInt8](repeating: 0, count: Self.pieceOctets) }
    let count = piece.withUnsafeMutableBytes { buffer in
      var count = 0
      repeat {
        count = read(descriptor, buffer.baseAddress, buffer.count)
      } while count < 0 && errno == EINTR && !shouldStop()
      return count
    }
    if count < 0, errno == EINTR { throw Stopped() }
    if count < 0 { throw WholeFile.error("read", path) }
    if count == 0 {
      isAtEnd = true
    } else if count == piece.count {
      reader.append(piece)
    } else {
      // Pipes hand out little at a time.
      reader.append(Array(piece[..<count]))
      spare = piece
    }
  }
}
