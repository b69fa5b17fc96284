/// Reads a capture of any format, told by its content: hand pieces of the file in with `append`, take records out with
/// `next` until it gives nil; after the last piece call `finish` and read `ending`.
///
/// Memory is that of the newest piece and one record. After a refusal the reader stays where it is.
public struct CaptureReader: Sendable {
  private var window = OctetWindow()
  private var count = 0
  private var btsnoop = BTSnoop.Decoder()
  private var pcap = PCAP.Decoder()
  private var pcapng = PCAPNG.Decoder()
  private var packetLogger = PacketLogger.Decoder(isBigEndian: false)
  private var monitor = MonitorStream.Decoder()
  /// The format, once enough has been handed in to know it.
  public private(set) var format: CaptureFormat?

  public init() {}

  /// Takes the next piece of the file, of any size.
  public mutating func append(_ octets: [UInt8]) { window.append(octets) }

  /// A piece that was handed in and is no longer read, to be filled again: a new one costs the system more than to
  /// read it. Empty when there is none; written to while a record still shares it, it is copied.
  public mutating func takeSpare() -> [UInt8] { window.takeSpare() }

  /// The link type of all records, from the header of btsnoop or pcap; nil in formats that say it of each record.
  public var link: CaptureLink? { btsnoop.link ?? pcap.link }
  /// What the file is about as a whole, from pcapng section headers; at most `CaptureLimits.comments`.
  public var sectionComments: [String] { pcapng.sectionComments }
  /// Comments of pcapng interface statistics so far; at most `CaptureLimits.comments`.
  public var remarks: [String] { pcapng.remarks }

  /// Packets that pcapng interface statistics so far say were lost, wherever; nil when none say so.
  public var interfaceDrops: UInt64? { pcapng.interfaceDrops }

  /// The next record, nil when it has not been handed in whole.
  ///
  /// - Throws: what is wrong with the file and where; nothing after it can be read.
  public mutating func next() throws(CaptureError) -> CaptureRecord? {
    if format == nil, try !recognise() { return nil }
    // Each is returned as it was made: a record is long, and every copy of it costs as much as reading its header.
    switch format {
    case .btsnoop: return try btsnoop.next(&window, &count)
    case .pcap: return try pcap.next(&window, &count)
    case .pcapng: return try pcapng.next(&window, &count)
    case .packetLogger: return try packetLogger.next(&window, &count)
    case .monitor: return try monitor.next(&window, &count)
    case nil: return nil
    }
  }

  /// Nothing more will be handed in.
  ///
  /// - Throws: that the file is no capture, when it is too short to have told so before.
  public func finish() throws(CaptureError) {
    if format == nil { throw CaptureGuess.refusal(window.front) }
  }

  /// How the file ends if nothing more is handed in; asked for when `next` has given nil.
  public var ending: CaptureEnding {
    let hasHeader =
      switch format {
      case .btsnoop: btsnoop.link != nil
      case .pcap: pcap.link != nil
      case .pcapng, .packetLogger, .monitor: window.offset > 0
      case nil: false
      }
    return hasHeader && window.isEmpty ? .whole : .truncated(recordAt: window.offset)
  }

  private mutating func recognise() throws(CaptureError) -> Bool {
    // As many octets as PacketLogger needs, which has no magic number.
    guard window.has(13) else { return false }
    let front = window.front
    let magic: UInt32 = front.little(0)
    switch magic {
    case PCAP.microsecondMagic, PCAP.nanosecondMagic, PCAP.microsecondMagic.byteSwapped,
      PCAP.nanosecondMagic.byteSwapped:
      format = .pcap
    case PCAPNG.BlockType.sectionHeader: format = .pcapng
    default:
      if front.starts(with: BTSnoop.magic) {
        format = .btsnoop
      } else if MonitorStream.begins(front) {
        format = .monitor
      } else if let isBigEndian = PacketLogger.isBigEndian(front) {
        format = .packetLogger
        packetLogger = PacketLogger.Decoder(isBigEndian: isBigEndian)
      } else {
        throw CaptureGuess.refusal(front)
      }
    }
    return true
  }
}

/// A file format, as its first octets tell it.
public enum CaptureFormat: String, Hashable, Sendable {
  case btsnoop
  case pcap
  case pcapng
  case packetLogger = "pklg"
  /// What a device writes to a serial line; it is read only, because its clock begins with the device.
  case monitor

  /// Those that `CaptureWriter` writes.
  public static let written: [CaptureFormat] = [.btsnoop, .pcap, .pcapng, .packetLogger]
}
