import BluetoothWire
import CaptureFormats
public import Judging
public import SimKernel

/// Everything that is said about captures: what they hold, what general rules and a protocol's oracles say.
public struct CheckReport: Sendable {
  /// A connection as reports list it.
  public struct Link: Sendable {
    public var index: Int
    public var file: Int
    public var handleOrAccessAddress: String
    public var central: String
    public var peripheral: String
    public var isFromStart: Bool
    public var isEncrypted: Bool
    public var attMTU: Int?
    public var openedAt: SimInstant
    public var closedAt: SimInstant?
    public var attPDUs: Int
    public var gaps: Int
    /// Gaps by kind, with the first one of each.
    public var gapKinds: [(kind: TrafficGap, first: PacketPlace, count: Int)]
    /// ATT PDUs by time: element i counts those from i to i + 1 `CheckReport.step` after the first packet of all.
    public var density: [Int]
    /// What the other device is called, on the air the peripheral; nil when no capture has it, or names were not
    /// collected.
    public var peerName: String?
    public var viewpoint = TrafficLink.Viewpoint.air
    /// As they were at the end, nil where no packet tells: units of 1.25 ms, events, units of 10 ms.
    public var interval: UInt16?
    public var peripheralLatency: UInt16?
    public var supervisionTimeout: UInt16?
    /// As `TrafficLink.phy`.
    public var phy: UInt8?
    /// Octets of LL payload in the longer direction.
    public var dataLength: UInt16?

    /// The address of the device that `peerName` names.
    public var peer: String { viewpoint == .host(.peripheral) ? central : peripheral }
  }

  /// A connection of TCP as reports list it.
  public struct Stream: Sendable {
    public var index: Int
    public var file: Int
    public var interfaceName: String?
    public var client: String
    public var server: String
    public var openedAt: SimInstant
    /// Nil while it is up at the end.
    public var endedAt: SimInstant?
    /// Both ends' SYN are in the capture.
    public var isFromStart = false
    /// How it ended, in words.
    public var ending = ""
    /// Those that the capture has, each once.
    public var clientOctets = 0
    public var serverOctets = 0
    /// Gaps by kind, with the first one of each.
    public var gapKinds: [(kind: StreamGap, first: PacketPlace, count: Int)] = []

    public var gaps: Int { gapKinds.reduce(0) { $0 + $1.count } }
  }

  /// A service of Multicast DNS as reports list it: as it was announced last.
  public struct Service: Sendable {
    public var file: Int
    public var interfaceName: String?
    public var name: String
    public var host: String
    public var port: UInt16
    public var addresses: [String]
    /// Nobody has taken it back.
    public var isThere: Bool
  }

  public var captures: [ReadCapture]
  public var links: [Link]
  public var streams: [Stream] = []
  /// Streams beyond those that are listed.
  public var furtherStreams = 0
  public var services: [Service] = []
  /// General rules; `Finding.device` is a link's index.
  public var rules: [OracleResult]
  /// As `--protocol` named it; nil when only general rules were asked for.
  public var protocolName: String?
  public var judgement: TrafficJudgement?
  public var notes: [TrafficNote]
  /// The instant of the last packet of all.
  public var end = SimInstant.zero
  /// How much time one element of `Link.density` covers.
  public var step = SimDuration.milliseconds(1)
  /// The packets that findings name, with those around them; empty unless they were collected.
  public var scenes: [PacketScene] = []

  public init(
    captures: [ReadCapture], links: [Link], rules: [OracleResult], protocolName: String?, judgement: TrafficJudgement?,
    notes: [TrafficNote]
  ) {
    self.captures = captures
    self.links = links
    self.rules = rules
    self.protocolName = protocolName
    self.judgement = judgement
    self.notes = notes
  }

  /// PDUs of Bluetooth LE are in the captures that this bench does not read, whatever they say.
  public var hasUnreadPDUs: Bool { captures.contains { $0.opaque.contains(where: \.why.isUnjudgedPDU) } }

  /// The heaviest of all verdicts. A protocol that was asked for and found nothing to judge is inconclusive, whatever
  /// the general rules say; neither is traffic that was not read a pass.
  public var verdict: Verdict {
    let general = rules.map(\.verdict).combined().combined(with: hasUnreadPDUs ? .inconclusive : .none)
    guard protocolName != nil else { return general }
    let own = (judgement?.oracles ?? []).map(\.verdict).combined()
    return general.combined(with: own == .none ? .inconclusive : own)
  }

  /// As `PacketPlace.record`; of the rules and oracles.
  var packetsOfFindings: Set<Int> {
    Set((rules + (judgement?.oracles ?? [])).flatMap(\.findings).compactMap(\.record))
  }
}
