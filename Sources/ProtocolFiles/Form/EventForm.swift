import AppSeam
import SimKernel

/// Something that happens at one device, in the words of a claim: `hears join where name = ann`.
struct EventForm: Hashable, Sendable {
  enum Verb: String, CaseIterable, Sendable {
    /// A packet is whole that was sent to the app.
    case hears
    /// The app has handed over the last value of a packet, and its platform has taken it.
    case sends
    /// The app reports something.
    case shows
    /// Its user does something.
    case does
    /// A link comes up.
    case links
    /// A link ends.
    case unlinks
    /// The app asks its platform to publish a service.
    case publishes
    /// The app asks its platform to advertise.
    case advertises
    /// The app asks its platform to scan.
    case scans
    /// The app asks its platform for a link.
    case connects
    /// The app asks its platform to stop advertising, or scanning; in steps only.
    case stops

    /// Those without a name after them.
    static let unnamed: [Verb] = [.links, .unlinks, .publishes, .advertises, .scans, .connects]
    /// Those of claims.
    static let ofClaims = allCases.filter { $0 != .stops }
    /// What an app asks of its platform.
    static let asked: [Verb] = [.publishes, .advertises, .scans, .connects, .stops]
    /// What an app asks to stop.
    static let stopped = ["advertising", "scanning"]

    /// Whether a name comes after it.
    var isNamed: Bool { !Self.unnamed.contains(self) }
  }

  /// In place of a packet's name: each packet, with the fields that all have.
  static let anyPacket = "any packet"

  var verb: Verb
  /// A packet's, a report's or an action's; empty for others.
  var name: String
  var conditions: [Condition]
  /// As the file writes it.
  var text: String

  struct Condition: Hashable, Sendable {
    enum Comparison: String, CaseIterable, Sendable {
      case notEqual = "!="
      case atMost = "<="
      case atLeast = ">="
      case equal = "="
      case less = "<"
      case more = ">"
      /// A list has an entry, a map a name, a text a part.
      case has
      case lacks
    }

    enum Operand: Hashable, Sendable {
      case constant(String)
      /// A field of another event that the claim names.
      case field(of: String, String)
    }

    /// A field; its length in octets or entries where `isLength`.
    var field: String
    var isLength = false
    var comparison: Comparison
    var operand: Operand

    /// - Parameter other: the field of another event; nil: it has not come, or has no such field.
    func holds(_ value: FieldValue?, _ other: (_ event: String, _ field: String) -> FieldValue?) -> Bool {
      let bound: String
      switch operand {
      case .constant(let text): bound = text
      case .field(let event, let field):
        guard let value = other(event, field) else { return false }
        bound = value.text
      }
      guard let value else { return comparison == .notEqual || comparison == .lacks }
      if isLength { return compare(.number(Int64(value.extent)), bound) }
      return compare(value, bound)
    }

    private func compare(_ value: FieldValue, _ bound: String) -> Bool {
      switch comparison {
      case .equal: return Self.isSame(value, bound)
      case .notEqual: return !Self.isSame(value, bound)
      case .has: return value.has(bound)
      case .lacks: return !value.has(bound)
      case .less, .more, .atMost, .atLeast:
        guard let (own, other) = Self.numbers(value, bound) else { return false }
        return switch comparison {
        case .less: own < other
        case .more: own > other
        case .atMost: own <= other
        default: own >= other
        }
      }
    }

    private static func isSame(_ value: FieldValue, _ bound: String) -> Bool {
      switch value {
      case .text(let text): return text == bound
      case .number(let number): return number == TypeReader.number(bound) || value.text == bound
      case .decimal(let millionths): return millionths == DecimalText.millionths(bound)
      default: return value.text == bound
      }
    }

    /// Both as numbers, or both in millionths.
    private static func numbers(_ value: FieldValue, _ bound: String) -> (Int64, Int64)? {
      if case .decimal(let millionths) = value { return DecimalText.millionths(bound).map { (millionths, $0) } }
      guard let own = value.number ?? Int64(value.text), let other = TypeReader.number(bound) else { return nil }
      return (own, other)
    }
  }
}

extension FieldValue {
  /// Whether a list has an entry that is written so, a map a name, or a text that part.
  func has(_ text: String) -> Bool {
    switch self {
    case .list(let values): values.contains { $0.text == text }
    case .map(let entries): entries.contains { $0.name == text }
    case .text(let own): own.contains(text)
    case .number, .decimal, .flag, .octets: self.text == text
    }
  }
}

extension ProtocolForm {
  /// One claim about every run.
  struct Claim: Sendable {
    var id: String
    var text: String
    var clause: String
    /// Whose apps it is about.
    var role: AppRole
    var kind: Kind
    /// The newest of these events at the device is known to the conditions of the others, and without one nothing is
    /// judged.
    var with: EventForm?

    enum Kind: Sendable {
      /// After the first event comes the second one in time: on the same link where both have one, or on every link
      /// that is subscribed then. Where an event is given as `after`, only links count on which it has come.
      case follows(EventForm, EventForm, within: SimDuration, toAll: Bool, after: EventForm?)
      case never(EventForm)
      /// The first event does not come on a link, or at a device, before the second one has.
      case neverBefore(EventForm, EventForm)
      /// The first event does not come after the second one.
      case neverAfter(EventForm, EventForm)
      /// No more often than that, on a link or at a device, for each value of a field where one is given; within any
      /// span of that length where one is given.
      case atMost(Int, EventForm, within: SimDuration?, each: String?)
      /// A number never falls, and no number of a map.
      case rises(EventForm, field: String)
      /// No two devices have two of the events in another order; events are the same where a field is, or all are.
      case agree(EventForm, by: String?)
    }
  }

  /// One test purpose.
  struct Purpose: Sendable {
    var id: String
    var text: String
    var clauses: [String]
    var role: AppRole
    var testers: Int
    /// Names of features without which it does not apply.
    var needs: [String]
    /// What must be so before the steps; what goes wrong there is no verdict.
    var arrange: [Step] = []
    var steps: [Step]

    struct Step: Sendable {
      var text: String
      var kind: Kind
      var line: Int
      var column: Int
    }

    enum Kind: Sendable {
      /// A tester links, asks for an ATT_MTU, discovers and subscribes; one that serves is linked to.
      case joins(tester: Int)
      case leaves(tester: Int)
      case sends(tester: Int, packet: String, values: [(name: String, value: FieldValue)])
      /// Octets as one packet, whatever they are.
      case sendsOctets(tester: Int, characteristic: String, octets: [UInt8])
      case hears(tester: Int, EventForm, within: SimDuration)
      /// The next packet that comes is this one; or the next of its kind.
      case hearsNext(tester: Int, EventForm, ofItsKind: Bool, within: SimDuration)
      /// As `joins`, as a check.
      case canJoin(tester: Int, within: SimDuration)
      case hearsNo(tester: Int, EventForm, for: SimDuration)
      case hearsNothing(tester: Int, for: SimDuration)
      /// What has come to a tester up to now counts no longer.
      case forgets(tester: Int)
      case isUnlinked(tester: Int, within: SimDuration)
      case staysLinked(tester: Int, for: SimDuration)
      /// The implementation's user does something.
      case user(FreeAction)
      case shows(EventForm, within: SimDuration)
      case showsNo(EventForm, for: SimDuration)
      case showsNothing(for: SimDuration)
      /// What the implementation asks of its phone, after the last thing that was awaited.
      case asks(EventForm, within: SimDuration)
      case asksNo(EventForm, for: SimDuration)
      /// Something happens to the phone of the implementation.
      case suffers(String)
      /// A tester advertises what its role does, under a name; nil: it stops.
      case advertises(tester: Int, name: String?)
      /// A tester hears advertising.
      case finds(tester: Int, EventForm, within: SimDuration)
      /// What the implementation has shown up to now counts no longer.
      case screenForgets
      case wait(SimDuration)
    }
  }
}

extension ProtocolForm.Purpose.Kind {
  var advertises: Bool { if case .advertises = self { true } else { false } }

  /// Whether a link is there after it.
  var joins: Bool {
    switch self {
    case .joins, .canJoin: true
    default: false
    }
  }

  /// Whether it is nothing without a link.
  var needsLink: Bool {
    switch self {
    case .sends, .sendsOctets, .hears, .hearsNext, .staysLinked: true
    default: false
    }
  }

  /// The place of the tester that a step is about; nil: it is about none.
  var tester: Int? {
    switch self {
    case .joins(let tester), .leaves(let tester), .sends(let tester, _, _), .sendsOctets(let tester, _, _),
      .hears(let tester, _, _), .hearsNext(let tester, _, _, _), .canJoin(let tester, _), .hearsNo(let tester, _, _),
      .hearsNothing(let tester, _),
      .forgets(let tester), .isUnlinked(let tester, _), .staysLinked(let tester, _), .advertises(let tester, _),
      .finds(let tester, _, _):
      tester
    case .user, .shows, .showsNo, .showsNothing, .screenForgets, .asks, .asksNo, .suffers, .wait: nil
    }
  }
}
