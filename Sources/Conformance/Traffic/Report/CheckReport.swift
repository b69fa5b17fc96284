public import CaptureFormats
public import SimKernel

/// Everything that is said about captures: what they hold, what general rules and a protocol's oracles say.
public struct CheckReport: Sendable {
  public struct Capture: Sendable {
    public var path: String
    public var format: CaptureFormat?
    public var records: Int
    /// Records by what they are, in the order of first appearance.
    public var links: [(link: CaptureLink, records: Int)] = []
    public var ending: CaptureEnding
    /// Since 1970; nil when it has no records.
    public var firstNanoseconds: Int64?
    public var lastNanoseconds: Int64?
    /// What was added to its times to bring it onto the common clock, with how sure that is; nil for a single one.
    public var clock: ClockOffset?
    /// As the capturer counted them; nil when the format does not say.
    public var drops: UInt32?
    /// Records that could not be taken apart, by reason, with the first one of each.
    public var opaque: [(why: CaptureOpacity, first: Int, records: Int)] = []
  }

  public struct ClockOffset: Hashable, Sendable {
    public var offset: SimDuration
    /// Half the width of what the matched packets allow; zero when somebody has given the offset.
    public var uncertainty: SimDuration
    /// Packets that both captures have; 0 when somebody has given the offset.
    public var matches: Int
    /// How much slower this clock is, in parts per 10⁹; 0 unless one constant offset cannot be right.
    public var driftPPB = 0
    /// The time, by this capture's own clock, at which `offset` holds.
    public var middle: Int64 = 0
    /// Packets of one direction only are in both captures: the offset is a bound, and its uncertainty an assumption.
    public var isOneSided = false

    public init(offset: SimDuration, uncertainty: SimDuration, matches: Int) {
      self.offset = offset
      self.uncertainty = uncertainty
      self.matches = matches
    }

    /// What is to be added to a time of the capture's own clock.
    func correction(at nanoseconds: Int64) -> Int64 {
      if driftPPB == 0 { return offset.nanoseconds }
      let (time, overflows) = nanoseconds.subtractingReportingOverflow(middle)
      return offset.nanoseconds + (overflows ? 0 : Self.drift(driftPPB, over: time))
    }

    /// Nanoseconds that a clock gains in some time.
    static func drift(_ ppb: Int, over nanoseconds: Int64) -> Int64 {
      nanoseconds.scaled(by: Int64(ppb), over: 1_000_000_000)
    }
  }

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
    /// ATT PDUs by time: element i counts those from i to i + 1 `CheckReport.step` behind the first packet of all.
    public var density: [Int]
  }

  public var captures: [Capture]
  public var links: [Link]
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

  public init(
    captures: [Capture], links: [Link], rules: [OracleResult], protocolName: String?, judgement: TrafficJudgement?,
    notes: [TrafficNote]
  ) {
    self.captures = captures
    self.links = links
    self.rules = rules
    self.protocolName = protocolName
    self.judgement = judgement
    self.notes = notes
  }

  /// The heaviest of all verdicts. A protocol that was asked for and found nothing to judge is inconclusive, whatever
  /// the general rules say.
  public var verdict: Verdict {
    let general = rules.map(\.verdict).combined()
    guard protocolName != nil else { return general }
    let own = (judgement?.oracles ?? []).map(\.verdict).combined()
    return general.combined(with: own == .none ? .inconclusive : own)
  }
}
