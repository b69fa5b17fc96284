package import AppSeam
package import Bench
package import SimKernel

/// What charts and pages need to know of an app: how its packets travel in values, and what they are called.
package struct ChartWords: Sendable {
  /// A value that carries a part of a packet.
  package struct Fragment: Hashable, Sendable {
    package var packetID: Int
    /// From 0.
    package var index: Int
    package var count: Int
    /// The part of the packet.
    package var body: [UInt8]

    package init(packetID: Int, index: Int, count: Int, body: [UInt8]) {
      self.packetID = packetID
      self.index = index
      self.count = count
      self.body = body
    }
  }

  /// What became of one value.
  package struct Reception: Sendable {
    /// A packet that will never be whole.
    package struct Drop: Sendable {
      package var packetID: Int?
      package var reason: String
      /// The value that came has nothing to do with it.
      package var isOfItself: Bool

      package init(packetID: Int?, reason: String, isOfItself: Bool) {
        self.packetID = packetID
        self.reason = reason
        self.isOfItself = isOfItself
      }
    }

    /// The text of a packet that is now whole, and its number.
    package var packet: [UInt8]?
    package var packetID: Int
    package var isRepeat: Bool
    package var drops: [Drop]

    package init(packet: [UInt8]?, packetID: Int, isRepeat: Bool, drops: [Drop]) {
      self.packet = packet
      self.packetID = packetID
      self.isRepeat = isRepeat
      self.drops = drops
    }
  }

  /// Puts the values of one direction of one link together.
  package protocol Assembler {
    mutating func receive(_ octets: [UInt8], at instant: SimInstant) -> Reception
  }

  /// What one direction of a stream carries between two borders.
  package struct Unit: Hashable, Sendable {
    /// A packet's text; what there is where it is no packet.
    package var octets: [UInt8]
    /// Octets of the stream before it that belong to it.
    package var head: [UInt8]
    /// The type, or why it is no packet.
    package var label: String
    /// What tells it from others of its label, for example a number; empty: nothing does.
    package var note: String
    package var isPacket: Bool
    /// Octets of the direction up to its end.
    package var end: Int

    package init(
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
  package protocol StreamCutter: Sendable {
    /// - Returns: what is whole now, in order and without gaps.
    mutating func receive(_ octets: [UInt8]) -> [Unit]
    /// What has begun and does not go on; nil: nothing has.
    mutating func finish() -> Unit?
  }

  /// A device that gets nowhere, and what the run shows up to then.
  package struct Situation {
    package var device: Int
    package var header: TraceHeader
    /// Everything but the radio, in trace order.
    package var records: ArraySlice<TraceRecord>
    /// The device at the other end of what a record is about; nil: it is about none.
    package var peer: (TraceRecord) -> Int?

    package init(
      device: Int, header: TraceHeader, records: ArraySlice<TraceRecord>, peer: @escaping (TraceRecord) -> Int?
    ) {
      self.device = device
      self.header = header
      self.records = records
      self.peer = peer
    }
  }

  /// What keeps a device out, plainly: what somebody did, and why.
  package struct Hindrance: Hashable, Sendable {
    package var text: String
    package var instant: SimInstant
    package var record: Int

    package init(_ text: String, instant: SimInstant, record: Int) {
      self.text = text
      self.instant = instant
      self.record = record
    }
  }

  /// The role whose side of a new link is drawn; the other side's is the same line.
  package let central: AppRole
  package let makeAssembler: @Sendable () -> any Assembler
  /// Nil for a value that carries none.
  package let fragment: @Sendable ([UInt8]) -> Fragment?
  /// What a whole text is called, also one that is no packet.
  package let label: @Sendable ([UInt8]) -> String
  /// What a reader of the chart should know of a whole text; nil when nothing.
  package let problem: @Sendable (_ octets: [UInt8], _ isPacket: Bool) -> String?
  /// What a report says, on the chart; nil: it is not drawn.
  package let shown: @Sendable (AppReport) -> String?
  /// What a report says, in one line.
  package let words: @Sendable (AppReport) -> String
  /// What a whole text carries beyond its label, for a line of a report.
  package let gist: @Sendable ([UInt8]) -> String
  /// Whether a report is about something that went wrong.
  package let isTrouble: @Sendable (AppReport) -> Bool
  /// Whether a report of one text says what its device is in from then on; others say what happened.
  package let isState: @Sendable (AppReport) -> Bool
  /// For one direction of one stream; nil: what streams of this app carry is not known.
  package let makeCutter: (@Sendable (DialectName) -> any StreamCutter)?
  /// Why a device gets no link, or keeps no stream; nil: nothing in the run says it.
  package let hindrance: @Sendable (Situation) -> Hindrance?
  /// The clause that a circumstance breaks, where one says it.
  package let clauses: [Circumstance.Kind: String]
  /// Circumstances that are the plain course of things in this protocol.
  package let ordinary: Set<Circumstance.Kind>

  package init(
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
  package static var none: ChartWords {
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
