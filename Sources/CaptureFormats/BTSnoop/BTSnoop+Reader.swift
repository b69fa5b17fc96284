extension BTSnoop {
  /// Reads a file in pieces: hand octets in with `append`, take records out with `next` until it gives nil, and ask
  /// `ending` behind the last piece.
  ///
  /// Refuses: a file that does not start as btsnoop version 1; a record that claims more than `maximumPacketLength`
  /// octets or more included than original ones. Behind a refusal the reader stays where it is.
  public struct Reader: Sendable {
    private var window = OctetWindow()
    /// From the file header; nil as long as that has not been read.
    public private(set) var datalink: UInt32?

    public init() {}

    public mutating func append(_ octets: [UInt8]) { window.append(octets) }

    /// The next record, nil when it has not been handed in whole.
    public mutating func next() throws(CaptureError) -> Record? {
      if datalink == nil, try !readHeader() { return nil }
      guard window.count >= BTSnoop.recordHeaderLength else { return nil }
      let original = Int(window.number(0, 4, bigEndian: true))
      let included = Int(window.number(4, 4, bigEndian: true))
      if included > BTSnoop.maximumPacketLength { throw CaptureError(.lengthOutOfRange, at: window.offset + 4) }
      if included > original { throw CaptureError(.lengthMismatch, at: window.offset) }
      guard window.count >= BTSnoop.recordHeaderLength + included else { return nil }
      let flags = window.number(8, 4, bigEndian: true)
      let record = Record(
        isReceived: flags & 1 != 0, isCommandOrEvent: flags & 2 != 0,
        timestamp: Int64(bitPattern: window.number(16, 8, bigEndian: true)), originalLength: original,
        drops: UInt32(window.number(12, 4, bigEndian: true)),
        octets: window.slice(BTSnoop.recordHeaderLength, included))
      window.skip(BTSnoop.recordHeaderLength + included)
      return record
    }

    /// How the file ends if nothing more is handed in; asked for when `next` has given nil.
    public var ending: CaptureEnding {
      datalink != nil && window.count == 0 ? .whole : .truncated(recordAt: window.offset)
    }

    private mutating func readHeader() throws(CaptureError) -> Bool {
      let known = min(window.count, BTSnoop.magic.count)
      if window.slice(0, known) != Array(BTSnoop.magic.prefix(known)) { throw CaptureError(.notThisFormat, at: 0) }
      guard window.count >= BTSnoop.headerLength else { return false }
      if window.number(8, 4, bigEndian: true) != UInt64(BTSnoop.version) {
        throw CaptureError(.unsupportedVersion, at: 8)
      }
      datalink = UInt32(window.number(12, 4, bigEndian: true))
      window.skip(BTSnoop.headerLength)
      return true
    }
  }
}
