public import AppSeam
public import Bench
public import SimKernel

/// What charts and pages need to know of an app: how its packets travel in values, and what they are called.
public struct ChartWords: Sendable {
  /// A value that carries a part of a packet.
  public struct Fragment: Hashable, Sendable {
    public var packetID: Int
    /// From 0.
    public var index: Int
    public var count: Int
    /// The part of the packet.
    public var body: [UInt8]

    public init(packetID: Int, index: Int, count: Int, body: [UInt8]) {
      self.packetID = packetID
      self.index = index
      self.count = count
      self.body = body
    }
  }

  /// What became of one value.
  public struct Reception: Sendable {
    /// A packet that will never be whole.
    public struct Drop: Sendable {
      public var packetID: Int?
      public var reason: String
      /// The value that came has nothing to do with it.
      public var isOfItself: Bool

      public init(packetID: Int?, reason: String, isOfItself: Bool) {
        self.packetID = packetID
        self.reason = reason
        self.isOfItself = isOfItself
      }
    }

    /// The text of a packet that is now whole, and its number.
    public var packet: [UInt8]?
    public var packetID: Int
    public var isRepeat: Bool
    public var drops: [Drop]

    public init(packet: [UInt8]?, packetID: Int, isRepeat: Bool, drops: [Drop]) {
      self.packet = packet
      self.packetID = packetID
      self.isRepeat = isRepeat
      self.drops = drops
    }
  }

  /// Puts the values of one direction of one link together.
  public protocol Assembler {
    mutating func receive(_ octets: [UInt8], at instant: SimInstant) -> Reception
  }

  /// What one direction of a stream carries between two borders.
  public struct Unit: Hashable, Sendable {
    /// A packet's text; what there is where it is no packet.
    public var octets: [UInt8]
    /// Octets of the stream before it that belong to it.
    public var head: [UInt8]
    /// The type, or why it is no packet.
    public var label: String
    /// What tells it from others of its label, for example a number; empty: nothing does.
    public var note: String
    public var isPacket: Bool
    /// Octets of the direction up to its end.
    public var end: Int

    public init(
      octets: [UInt8], head: [UInt8] = [], label: String, note: String = "", isPacket: Bool, end: Int
    ) {
      self.octets = octets
      self.head = head
      self.label = label
      self.note = note
      self.isPacket = isPacket
      self.end = end
    }
  }

  /// Finds the packets in the octets of one direction of one stream, wherever it is cut into pieces.
  public protocol StreamCutter: Sendable {
    /// - Returns: what is whole now, in order and without gaps.
    mutating func receive(_ octets: [UInt8]) -> [Unit]
    /// What has begun and does not go on; nil: nothing has.
    mutating func finish() -> Unit?
  }

  /// A device that gets nowhere, and what the run shows up to then.
  public struct Situation {
    public var device: Int
    public var header: TraceHeader
    /// Everything but the radio, in trace order.
    public var records: ArraySlice<TraceRecord>
    /// The device at the other end of what a record is about; nil: it is about none.
    public var peer: (TraceRecord) -> Int?

    public init(
      device: Int, header: TraceHeader, records: ArraySlice<TraceRecord>, peer: @escaping (TraceRecord) -> Int?
    ) {
      self.device = device
      self.header = header
      self.records = records
      self.peer = peer
    }
  }

  /// What keeps a device out, plainly: what somebody did, and why.
  public struct Hindrance: Hashable, Sendable {
    public var text: String
    public var instant: SimInstant
    public var record: Int
    /// It is wrong by itself, and explains what is wrong later as well as what does not come.
    public var isMistake: Bool
    /// It says why its record came about, and so more than what a platform knows of that record.
    package var saysWhy = false

    public init(_ text: String, instant: SimInstant, record: Int, isMistake: Bool = false) {
      self.text = text
      self.instant = instant
      self.record = record
      self.isMistake = isMistake
    }
  }

  /// The role whose side of a new link is drawn; the other side's is the same line.
  public let central: AppRole
  public let makeAssembler: @Sendable () -> any Assembler
  /// Nil for a value that carries none.
  public let fragment: @Sendable ([UInt8]) -> Fragment?
  /// What a whole text is called, also one that is no packet.
  public let label: @Sendable ([UInt8]) -> String
  /// What a reader of the chart should know of a whole text; nil when nothing.
  public let problem: @Sendable (_ octets: [UInt8], _ isPacket: Bool) -> String?
  /// What a report says, on the chart; nil: it is not drawn.
  public let shown: @Sendable (AppReport) -> String?
  /// What a report says, in one line.
  public let words: @Sendable (AppReport) -> String
  /// What a whole text carries beyond its label, for a line of a report.
  public let gist: @Sendable ([UInt8]) -> String
  /// Whether a report is about something that went wrong.
  public let isTrouble: @Sendable (AppReport) -> Bool
  /// Whether a report of one text says what its device is in from then on; others say what happened.
  public let isState: @Sendable (AppReport) -> Bool
  /// For one direction of one stream; nil: what streams of this app carry is not known.
  public let makeCutter: (@Sendable (DialectName) -> any StreamCutter)?
  /// Why a device gets no link, or keeps no stream; nil: nothing in the run says it.
  public let hindrance: @Sendable (Situation) -> Hindrance?
  /// The clause that a circumstance breaks, where one says it.
  public let clauses: [Circumstance.Kind: String]
  /// Circumstances that are the plain course of things in this protocol.
  public var ordinary: Set<Circumstance.Kind>
  /// Labels of the packets that answer one peer, and are for no other.
  package var answers: Set<String> = []
  /// Actions whose texts are a part of what the protocol tells again with every change: none of them is doubled.
  package var settings: Set<String> = []

  public init(
    central: AppRole, makeAssembler: @escaping @Sendable () -> any Assembler,
    fragment: @escaping @Sendable ([UInt8]) -> Fragment?, label: @escaping @Sendable ([UInt8]) -> String,
    problem: @escaping @Sendable ([UInt8], Bool) -> String?, shown: @escaping @Sendable (AppReport) -> String?,
    words: @escaping @Sendable (AppReport) -> String,
    gist: @escaping @Sendable ([UInt8]) -> String = { String(decoding: $0, as: UTF8.self) },
    isTrouble: @escaping @Sendable (AppReport) -> Bool = { _ in false },
    isState: @escaping @Sendable (AppReport) -> Bool = { _ in true },
    makeCutter: (@Sendable (DialectName) -> any StreamCutter)? = nil,
    hindrance: @escaping @Sendable (Situation) -> Hindrance? = { _ in nil },
    clauses: [Circumstance.Kind: String] = [:], ordinary: Set<Circumstance.Kind> = []
  ) {
    self.clauses = clauses
    self.ordinary = ordinary
    self.central = central
    self.makeAssembler = makeAssembler
    self.fragment = fragment
    self.label = label
    self.problem = problem
    self.shown = shown
    self.words = words
    self.gist = gist
    self.isTrouble = isTrouble
    self.isState = isState
    self.makeCutter = makeCutter
    self.hindrance = hindrance
  }
}

extension ChartWords {
  /// For an app whose packets nobody knows: every value is one.
  public static var none: ChartWords {
    ChartWords(
      central: AppRole(rawValue: ""), makeAssembler: { WholeValues() }, fragment: { _ in nil },
      label: { "\($0.count) octets" }, problem: { _, _ in nil }, shown: { _ in nil }, words: { "shows \($0)" })
  }
}

private struct WholeValues: ChartWords.Assembler {
  mutating func receive(_ octets: [UInt8], at instant: SimInstant) -> ChartWords.Reception {
    ChartWords.Reception(packet: octets, packetID: 0, isRepeat: false, drops: [])
  }
}
