public import BluetoothWire
public import SimKernel

/// What the air shows of a connection beyond what its two hosts are told: hopping, events, sequence numbers.
///
/// Spec: Core v5.4, Vol 6, Part B, 4.5. Observers see it as of the PDU that they are told of.
public final class AirConnection {
  /// 24 bits; from CONNECT_IND, or worked out backwards from a CRC; nil: unknown.
  public internal(set) var crcInit: UInt32?
  /// From CONNECT_IND; nil of a connection whose start is not in the capture.
  public internal(set) var hopIncrement: UInt8?
  /// 1 or 2; nil while not known: it takes the advertiser's ChSel and the initiator's.
  public internal(set) var channelSelection: UInt8?
  public internal(set) var channelMap: LL.ChannelMap?
  /// From CONNECT_IND, 0 … 7; nil: unknown.
  public internal(set) var sleepClockAccuracy: UInt8?
  /// A program has written zeros in the place of the newest PDU's CRC.
  public internal(set) var hasNoCRC = false
  /// Whether the direction of the newest PDU was worked out from time and order: the capture leaves it open, or states
  /// one that cannot be.
  public internal(set) var isDirectionInferred = false
  /// PDUs are encrypted, and the sniffer has no key: what `.fragment` shows after the header is ciphertext.
  public internal(set) var isUnreadable = false
  /// The newest PDU was decrypted, and its MIC was right.
  var isAuthentic = false
  /// The newest PDU is the first of its connection event that the capture has.
  public internal(set) var isFirstOfEvent = false
  /// Version and company of LL_VERSION_IND; nil until it is seen.
  public internal(set) var versionOfCentral: LinkVersion?
  public internal(set) var versionOfPeripheral: LinkVersion?

  public struct LinkVersion: Hashable, Sendable {
    public var version: UInt8
    public var company: UInt16
    public var subversion: UInt16
  }

  /// `connEventCount` of the newest PDU, from the file or from time; nil when neither tells.
  public var eventCounter: UInt16? { clock.counter.map { UInt16(truncatingIfNeeded: $0) } }
  /// Start of the newest event's first PDU, heard or worked out; nil while the interval is not known.
  public var anchor: SimInstant? { clock.anchor.map { SimInstant(nanoseconds: $0) } }

  /// Where channel selection puts the event of the newest PDU: 2402 + 2 k MHz; nil when too little is known.
  public var expectedRFChannel: UInt8? {
    guard let map = channelMap, map.isUsable, let counter = clock.counter else { return nil }
    switch channelSelection {
    case 1?:
      guard let hop = hopIncrement, clock.countsFromStart else { return nil }
      var selection = LL.ChannelSelection1(hopIncrement: hop)
      return LL.rfChannel(dataChannelIndex: selection.next(map: map, by: counter + 1))
    case 2?:
      let channel = LL.ChannelSelection2.channel(
        eventCounter: UInt16(truncatingIfNeeded: counter), accessAddress: accessAddress, map: map)
      return LL.rfChannel(dataChannelIndex: channel)
    default: return nil
    }
  }

  let accessAddress: UInt32
  var clock = AirClock()
  var directions = AirDirections()
  var central = AirSequence()
  var peripheral = AirSequence()
  var encryption = Encryption.plain
  /// Said once for each time that encryption begins, and again after something that could be read.
  var hasReportedEncryption = false
  /// Something with a meaning was delivered since the newest gap of both directions: only then is another one news.
  var hasNews = true
  var coverage = AirCoverage()
  /// Events were not heard since the newest PDU of each side that was not a repeat: what seems to be one now may be
  /// new.
  var isAfterUnheard = PerSide(false)
  /// The newest PDU may have its place before others that were heard earlier.
  var isOrderDoubtful = false
  /// Who sent LL_TERMINATE_IND, and why; the link is over when it is acknowledged.
  var termination: (fromCentral: Bool, reason: HCI.ErrorCode)?
  /// Over, and kept only to know late repeats.
  var isOver = false
  /// Something may have been on the air, unheard, since the newest fragment of each side.
  var mayLackFromCentral = false
  var mayLackFromPeripheral = false
  /// The newest PDU is one after which its connection event is over: the peripheral's with MD 0, which answers one of
  /// the central with MD 0 (4.5.6).
  var endsEvent = false
  /// The newest PDU is the central's with MD 0: the answer to it may end the event.
  var mayEndEvent = false
  /// Its direction could not be told, and that was said.
  var hasLostTrack = false
  /// In a log of a program that speaks itself: not all that it calls its own can be, so that it is taken for a
  /// sniffer's;
  /// and when the peripheral was heard last.
  var isToolDoubtful = false
  var toolHeardAt: Int64?
  /// When the newest PDU was heard, as the file says.
  var lastHeard: Int64 = 0
  /// LL_LENGTH_REQ or RSP of each side.
  var lengthsOfCentral: LL.DataLength?
  var lengthsOfPeripheral: LL.DataLength?
  /// A channel map and a PHY that wait for their instant.
  var pendingMap: (map: LL.ChannelMap, instant: UInt16)?
  var pendingPHY: (phy: UInt8, instant: UInt16)?

  /// Nil: every event is in use, or the counter is not known.
  var subrating: AirSubrating?
  /// What LL_SUBRATE_IND says that has not been acknowledged yet.
  var pendingSubrating: AirSubrating?
  /// Counter of the newest event that was heard with a payload.
  var activeEvent: Int?

  /// How far the encryption start procedure has come (Vol 6, Part B, 5.1.3).
  enum Encryption {
    /// `unknown`: the capture begins in the middle of the connection, or lacks PDUs.
    case unknown, plain
    /// LL_ENC_REQ was seen: the central sends no more plain data.
    case requested
    /// LL_ENC_RSP was seen: the peripheral sends no more plain data either.
    case answered
    /// LL_START_ENC_REQ was seen, or something that can only be ciphertext.
    case on
  }

  /// Something is missing: encryption may have been started there.
  func doubtPlainness() { if encryption == .plain { encryption = .unknown } }

  init(accessAddress: UInt32) { self.accessAddress = accessAddress }
}
