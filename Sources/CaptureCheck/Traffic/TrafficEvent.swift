public import BluetoothWire
public import CaptureFormats
public import SimKernel

/// Where a packet stands: which of the captures that are read together, and its number there.
public struct PacketPlace: Hashable, Comparable, Sendable {
  /// Index among the captures of this check.
  public var file: Int
  /// 1, 2, 3 … as in `CaptureRecord.number`.
  public var number: Int

  public init(file: Int, number: Int) {
    self.file = file
    self.number = number
  }

  public static func < (a: Self, b: Self) -> Bool { (a.file, a.number) < (b.file, b.number) }

  /// The place as one number, for `Finding.record` and `TraceRecord.sequence`; keeps the order within a file.
  public var record: Int { file << 40 | number }
  public init(record: Int) { self.init(file: record >> 40, number: record & (1 << 40 - 1)) }
}

/// Where and when something was seen.
public struct TrafficMoment: Hashable, Sendable {
  public var place: PacketPlace
  /// Since the first packet of all captures, on their common clock. Real captures step back at times; this may, too.
  public var instant: SimInstant
  /// How much time the packets of this capture prove: see `WitnessedTime`.
  package internal(set) var witnessed = SimInstant.zero
  /// The capture that stands for all that were taken where the record's was.
  var viewpoint = 0
}

/// One thing that a capture shows, in the order of its packets (of all captures, by corrected time). ATT PDUs and
/// fragments, which nearly all packets are, come as a `TrafficPDU` instead, and events of controllers as a
/// `TrafficHCIEvent`, and everything of networks as a `TrafficNetworkEvent`.
public struct TrafficEvent {
  public var moment: TrafficMoment
  public var kind: Kind

  public var place: PacketPlace { moment.place }
  public var instant: SimInstant { moment.instant }

  public enum Kind {
    /// A connection came about, or turned up in the middle of its life (`link.isFromStart` is false then).
    case linkOpened(TrafficLink)
    /// `reason` is the HCI reason or the LL_TERMINATE_IND's; nil when the link fell silent or its capture ended.
    case linkClosed(TrafficLink, reason: HCI.ErrorCode?)
    /// Interval, latency, timeout, PHY, data length or encryption are now as the link says.
    case linkChanged(TrafficLink, TrafficLink.Change)
    /// A whole frame of another channel: signalling, security manager, or one that LE does not fix.
    case frame(TrafficLink, fromCentral: Bool, L2CAP.ChannelID, ArraySlice<UInt8>)
    /// Octets of this link are missing or cannot be read; what depends on them is inconclusive, not wrong.
    case gap(TrafficLink, fromCentral: Bool?, TrafficGap)
    /// Parameters after opcode and length. Every command of an HCI capture comes, also those that change a link.
    case command(adapter: TrafficAdapter, HCI.Opcode, ArraySlice<UInt8>)
    /// An advertising PDU on the air, or one report of a controller.
    case advertisement(TrafficAdvertisement)
    /// A PDU on the air, before anything is made of it; advertising channel PDUs come as this as well.
    case air(TrafficLink?, AirHeader, ArraySlice<UInt8>)
    /// A record that is not a packet, or cannot be read.
    case aside(CaptureBody, ArraySlice<UInt8>)
    /// ACL data that belongs to no LE connection; the octets are those after the ACL header.
    case foreign(TrafficAdapter, handle: HCI.ConnectionHandle, TrafficForeign, ArraySlice<UInt8>)
  }

  /// Bits of what an observer wants to see.
  public struct Interests: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    /// linkOpened, linkClosed, linkChanged.
    public static let links = Interests(rawValue: 1)
    /// `observe(att:)`.
    public static let att = Interests(rawValue: 2)
    public static let frames = Interests(rawValue: 4)
    /// `observe(fragment:_:)`.
    public static let fragments = Interests(rawValue: 8)
    public static let gaps = Interests(rawValue: 16)
    public static let commands = Interests(rawValue: 32)
    /// `observe(event:)`.
    public static let events = Interests(rawValue: 64)
    public static let advertisements = Interests(rawValue: 128)
    public static let air = Interests(rawValue: 256)
    public static let asides = Interests(rawValue: 512)
    public static let foreign = Interests(rawValue: 1_024)
    /// `observe(network:)`: streams and services.
    public static let network = Interests(rawValue: 2_048)
    /// `observe(network:)`: each packet of a network.
    public static let packets = Interests(rawValue: 4_096)
  }
}

/// Octets that one side of a link sent: a whole ATT PDU, or a fragment.
///
/// Millions of these pass in a second; handed on as they are, without taking a case of an event apart, they cost no
/// counting of references.
public struct TrafficPDU {
  public let moment: TrafficMoment
  public let link: TrafficLink
  public let fromCentral: Bool
  /// For an ATT PDU the opcode and what follows; for a fragment what is after the ACL header, or the LL header and
  /// payload.
  public let octets: ArraySlice<UInt8>

  public var place: PacketPlace { moment.place }
  public var instant: SimInstant { moment.instant }
}

/// An event of a controller, handed on as a `TrafficPDU` is and for the same reason.
public struct TrafficHCIEvent {
  public let moment: TrafficMoment
  public let adapter: TrafficAdapter
  public let code: UInt8
  /// After code and length; subevents are in front of them.
  public let parameters: ArraySlice<UInt8>

  public var place: PacketPlace { moment.place }
  public var instant: SimInstant { moment.instant }
}

/// What the header of a fragment says.
public enum LinkFragment: Hashable, Sendable {
  /// `Packet_Boundary_Flag` and `Broadcast_Flag` of an ACL packet (Core v5.4, Vol 4, Part E, 5.4.2).
  case acl(boundary: UInt8, broadcast: UInt8)
  /// LLID 1 or 2, or a control PDU (3); a repeat has the SN of the PDU before it.
  case linkLayer(llid: UInt8, isRepeat: Bool)
}

/// Why ACL data is not that of an LE connection.
public enum TrafficForeign: String, Hashable, Sendable, CaseIterable {
  /// Connection Complete (0x03) opened the handle, or its channels are those that only BR/EDR fixes.
  case classic = "data of a BR/EDR connection"
  /// Controllers of Qualcomm and Broadcom send records of their own to the host there; nothing opens these handles, and
  /// they are no L2CAP frames.
  case debug = "debug records of a controller, on handle 0x0EDC or above 0x0EFF"
  /// The host's.
  case reservedHandle = "data of the host on a handle above 0x0EFF"
  /// The host's data that met a Disconnection Complete halfway.
  case closed = "data for a handle that was just disconnected"
  /// The connection came up before the capture, and so far nothing tells whether it is one of LE.
  case undecided = "data on a handle that nothing opened, of a channel that LE does not fix"
}

/// Why octets of a link are not there.
public enum TrafficGap: String, Hashable, Sendable, CaseIterable {
  /// A continuing fragment without a start: the capture began inside a frame, or lost its start.
  case continuationWithoutStart = "a continuing fragment without a start"
  /// A new frame began before the last one was whole.
  case frameUnfinished = "a frame that never became whole"
  /// A frame's fragments are longer than its length says.
  case frameTooLong = "fragments longer than the frame's length"
  /// The sniffer missed PDUs (sequence numbers, event counters), or kept one whose CRC is wrong.
  case missed = "a PDU that the sniffer missed"
  /// The event counter goes on by two or more: the central was silent in an event, or the sniffer missed all of it.
  case unheardEvent = "a connection event of which nothing was heard"
  /// The length of an ACL packet is less than the octets that are there.
  case lengthMismatch = "an ACL packet with more octets than its length says"
  /// The capturer cut the packet.
  case snapped = "a packet cut off by the capturer"
  /// A record of a host's log is there twice, or after one with a later time.
  case disorder = "a record that is there twice, or not in the order of time"
  /// Encrypted, and the sniffer has no key.
  case encrypted = "encrypted traffic"
}

/// What an advertiser said. Anonymous advertising is not told.
public struct TrafficAdvertisement {
  public var address: BluetoothAddress
  /// From an HCI report: whose controller heard it. Nil on the air.
  public var heardBy: TrafficAdapter?
  public var isConnectable: Bool
  public var isScanResponse: Bool
  /// AD structures; of extended advertising, put together from all its fragments.
  public var data: ArraySlice<UInt8>
  /// dBm; nil: not measured.
  public var rssi: Int8?
  /// With the PDUs of extended advertising.
  public var isExtended = false
  /// The controller could not receive all of `data`, or a limit cut it.
  public var isTruncated = false
}

/// Sees what captures show. Observers share nothing and cannot change what others see.
public protocol TrafficObserver: AnyObject {
  var interests: TrafficEvent.Interests { get }
  func observe(_ event: TrafficEvent)
  /// A whole ATT PDU.
  func observe(att pdu: TrafficPDU)
  /// An event of a controller.
  func observe(event: TrafficHCIEvent)
  /// ACL data or an LL data PDU before recombination.
  func observe(fragment pdu: TrafficPDU, _ header: LinkFragment)
  /// What a capture of a network shows; called only for who has one of its interests.
  func observe(network event: TrafficNetworkEvent)
  /// All captures have been read; `end` is the instant of the last packet.
  func finish(at end: SimInstant)
}

extension TrafficObserver {
  public func observe(_ event: TrafficEvent) {}
  public func observe(att pdu: TrafficPDU) {}
  public func observe(event: TrafficHCIEvent) {}
  public func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {}
  public func observe(network event: TrafficNetworkEvent) {}
  public func finish(at end: SimInstant) {}
}
