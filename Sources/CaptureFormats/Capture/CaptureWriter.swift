/// Writes a capture of any format, record by record, into octets that the caller puts into a file.
///
/// Times, directions, adapters and comments are kept as far as the format has a place for them; what a format cannot
/// say at all is refused record by record, and the file stays whole.
public struct CaptureWriter: Sendable {
  /// Why a record does not fit a format, in one line for people.
  public struct Mismatch: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String
    public init(_ description: String) { self.description = description }
  }

  public let format: CaptureFormat

  /// - Parameters:
  ///   - link: what records are written as; nil takes the format's own for what the first record is.
  ///   - application: who writes, in formats that say so.
  public init(format: CaptureFormat, link: CaptureLink? = nil, application: String) {
    self.format = format
  }

  /// Appends one record, and in front of the first one whatever the format begins with.
  public mutating func append(_ record: CaptureRecord, to file: inout [UInt8]) throws(Mismatch) {
    throw Mismatch("\(format.rawValue) is not written yet")
  }

  /// Appends what a file without any record still needs, and what the format ends with. To be called once.
  public mutating func finish(into file: inout [UInt8]) {}
}
