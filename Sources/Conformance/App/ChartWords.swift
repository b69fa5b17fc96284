package import AppSeam
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

  package init(
    central: AppRole, makeAssembler: @escaping @Sendable () -> any Assembler,
    fragment: @escaping @Sendable ([UInt8]) -> Fragment?, label: @escaping @Sendable ([UInt8]) -> String,
    problem: @escaping @Sendable ([UInt8], Bool) -> String?, shown: @escaping @Sendable (AppReport) -> String?,
    words: @escaping @Sendable (AppReport) -> String,
    gist: @escaping @Sendable ([UInt8]) -> String = { String(decoding: $0, as: UTF8.self) },
    isTrouble: @escaping @Sendable (AppReport) -> Bool = { _ in false }
  ) {
    self.central = central
    self.makeAssembler = makeAssembler
    self.fragment = fragment
    self.label = label
    self.problem = problem
    self.shown = shown
    self.words = words
    self.gist = gist
    self.isTrouble = isTrouble
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
