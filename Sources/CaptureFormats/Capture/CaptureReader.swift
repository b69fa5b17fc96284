/// Reads a capture of any format, told by its content: hand pieces of the file in with `append`, take records out with
/// `next` until it gives nil, and ask `ending` behind the last piece.
///
/// Memory is that of the newest piece and one record. Behind a refusal the reader stays where it is.
public struct CaptureReader: Sendable {
  private var btsnoop = BTSnoop.Reader()
  private var count = 0

  public init() {}

  /// Takes the next piece of the file, of any size.
  public mutating func append(_ octets: [UInt8]) { btsnoop.append(octets) }

  /// The format, once enough has been handed in to know it.
  public var format: CaptureFormat? { btsnoop.datalink == nil ? nil : .btsnoop }

  /// The next record, nil when it has not been handed in whole.
  public mutating func next() throws(CaptureError) -> CaptureRecord? {
    guard let record = try btsnoop.next() else { return nil }
    count += 1
    let indicator = record.octets.first ?? 0
    return CaptureRecord(
      number: count, link: .h4, nanoseconds: (record.timestamp - 0x00DC_DDB3_0F2F_8000) * 1_000,
      originalLength: record.originalLength, drops: record.drops,
      body: .hci(adapter: 0, indicator: indicator, isToHost: record.isReceived), octets: record.octets.dropFirst())
  }

  /// How the file ends if nothing more is handed in; asked for when `next` has given nil.
  public var ending: CaptureEnding { btsnoop.ending }
}

/// A file format, as its first octets tell it.
public enum CaptureFormat: String, Hashable, Sendable, CaseIterable {
  case btsnoop
  case pcap
  case pcapng
  case packetLogger = "pklg"
}
