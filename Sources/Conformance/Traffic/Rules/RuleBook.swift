public import SimKernel

/// All rules as one observer: each is called for what it asked for only, ATT PDUs and events by their first octet.
public final class RuleBook: TrafficObserver {
  public let rules: [any TrafficRule]
  public let interests: TrafficEvent.Interests
  /// Rules by the ATT opcode that they want.
  private let byOpcode: [[any TrafficRule]]
  private let byEvent: [[any TrafficRule]]
  /// Those that want fragments, of ACL data and of the link layer.
  private let ofACL: [any TrafficRule]
  private let ofLinkLayer: [any TrafficRule]
  private let byInterest: [[any TrafficRule]]

  public init(_ types: [any TrafficRule.Type] = TrafficRules.all) {
    let rules = types.map { $0.init() }
    self.rules = rules
    interests = rules.reduce(into: []) { $0.formUnion($1.interests) }
    byOpcode = (UInt8.min...UInt8.max).map { opcode in
      rules.filter { $0.interests.contains(.att) && type(of: $0).attOpcodes.contains(opcode) }
    }
    byEvent = (UInt8.min...UInt8.max).map { code in
      rules.filter { $0.interests.contains(.events) && type(of: $0).eventCodes.contains(code) }
    }
    let ofFragments = rules.filter { $0.interests.contains(.fragments) }
    ofACL = ofFragments.filter { type(of: $0).layer != .air }
    ofLinkLayer = ofFragments.filter { type(of: $0).layer != .hci }
    byInterest = (0..<16).map { bit in
      rules.filter { $0.interests.rawValue >> UInt16(bit) & 1 != 0 }
    }
  }

  /// What the rules say; of meaning behind `finish`.
  public var results: [OracleResult] { rules.map(\.result) }

  public func observe(_ event: TrafficEvent) {
    let interest: TrafficEvent.Interests
    switch event.kind {
    case .att(_, _, let pdu):
      guard let opcode = pdu.first else { return }
      for rule in byOpcode[Int(opcode)] { rule.observe(event) }
      return
    case .linkOpened, .linkClosed, .linkChanged: interest = .links
    case .frame: interest = .frames
    case .fragment(_, _, .acl, _):
      for rule in ofACL { rule.observe(event) }
      return
    case .fragment:
      for rule in ofLinkLayer { rule.observe(event) }
      return
    case .gap: interest = .gaps
    case .command: interest = .commands
    case .event(_, let code, _):
      for rule in byEvent[Int(code)] { rule.observe(event) }
      return
    case .advertisement: interest = .advertisements
    case .air: interest = .air
    case .aside: interest = .asides
    case .foreign: interest = .foreign
    }
    for rule in byInterest[interest.rawValue.trailingZeroBitCount] { rule.observe(event) }
  }

  public func finish(at end: SimInstant) {
    for rule in rules { rule.finish(at: end) }
  }
}
