import AppSeam
import SimKernel

/// Something that happens at one device, in the words of a claim: `hears join where name = ann`.
struct EventForm: Sendable {
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
  }

  var verb: Verb
  /// A packet's, a report's or an action's; empty for links.
  var name: String
  var conditions: [Condition]
  /// As the file writes it.
  var text: String

  struct Condition: Sendable {
    enum Comparison: String, CaseIterable, Sendable {
      case notEqual = "!="
      case atMost = "<="
      case atLeast = ">="
      case equal = "="
      case less = "<"
      case more = ">"
    }

    enum Operand: Sendable {
      case constant(String)
      /// A field of the event that came before.
      case field(String)
    }

    /// A field; its length in octets or entries where `isLength`.
    var field: String
    var isLength = false
    var comparison: Comparison
    var operand: Operand

    /// - Parameter earlier: the fields of the event before; empty where there is none.
    func holds(_ value: FieldValue?, earlier: (String) -> FieldValue?) -> Bool {
      guard let value else { return comparison == .notEqual }
      let own: FieldValue = isLength ? .number(Int64(value.extent)) : value
      let other: String
      switch operand {
      case .constant(let text): other = text
      case .field(let field):
        guard let value = earlier(field) else { return false }
        other = value.text
      }
      switch comparison {
      case .equal: return own.text == other || own.number != nil && own.number == TypeReader.number(other)
      case .notEqual: return !(own.text == other || own.number != nil && own.number == TypeReader.number(other))
      case .less, .more, .atMost, .atLeast:
        guard let number = own.number ?? Int64(own.text), let bound = TypeReader.number(other) else { return false }
        return switch comparison {
        case .less: number < bound
        case .more: number > bound
        case .atMost: number <= bound
        default: number >= bound
        }
      }
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

    enum Kind: Sendable {
      /// After the first event comes the second one in time: on the same link where both have one, or on every link
      /// that is subscribed then.
      case follows(EventForm, EventForm, within: SimDuration, toAll: Bool)
      case never(EventForm)
      /// The first event does not come on a link, or at a device, before the second one has.
      case neverBefore(EventForm, EventForm)
      /// The first event does not come after the second one.
      case neverAfter(EventForm, EventForm)
      /// No more often than that, on a link or at a device; within any span of that length where one is given.
      case atMost(Int, EventForm, within: SimDuration?)
      /// A number never falls.
      case rises(EventForm, field: String)
      /// No two devices have two of the events in another order.
      case agree(EventForm)
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
    var steps: [Step]

    struct Step: Sendable {
      var text: String
      var kind: Kind
      var line: Int
    }

    enum Kind: Sendable {
      /// A tester links, asks for an ATT_MTU, discovers and subscribes; one that serves is linked to.
      case joins(tester: Int)
      case leaves(tester: Int)
      case sends(tester: Int, packet: String, values: [(name: String, value: FieldValue)])
      /// Octets as one packet, whatever they are.
      case sendsOctets(tester: Int, characteristic: String, octets: [UInt8])
      case hears(tester: Int, EventForm, within: SimDuration)
      case hearsNo(tester: Int, EventForm, for: SimDuration)
      /// The implementation's user does something.
      case user(FreeAction)
      case shows(EventForm, within: SimDuration)
      case showsNo(EventForm, for: SimDuration)
      case wait(SimDuration)
    }
  }
}
