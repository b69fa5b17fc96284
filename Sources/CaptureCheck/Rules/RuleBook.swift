public import Judging
public import SimKernel

/// All rules as one observer: each is called for what it asked for only, ATT PDUs and events by their first octet.
public final class RuleBook: TrafficObserver {
  public let rules: [any TrafficRule]
  public let interests: TrafficEvent.Interests
  /// Rules by the ATT opcode that they want.
  private let byOpcode: [ObserverChain?]
  private let byEvent: [ObserverChain?]
  /// Those that want fragments, of ACL data and of the link layer.
  private let ofACL: ObserverChain?
  private let ofLinkLayer: ObserverChain?
  private let byInterest: [ObserverChain?]
  private let transactions: TransactionBook
  private let transactional = OpcodeSet.transactions

  public init(_ types: [any TrafficRule.Type] = TrafficRules.all) {
    let rules = types.map { $0.init() }
    self.rules = rules
    transactions = TransactionBook(rules.compactMap { $0 as? any TransactionRule })
    interests = rules.reduce(into: transactions.interests) { $0.formUnion($1.interests) }
    func chain(_ isWanted: (any TrafficRule) -> Bool) -> ObserverChain? { ObserverChain(rules.filter(isWanted)) }
    byOpcode = (UInt8.min...UInt8.max).map { opcode in
      chain { $0.interests.contains(.att) && type(of: $0).attOpcodes.contains(opcode) }
    }
    byEvent = (UInt8.min...UInt8.max).map { code in
      chain { $0.interests.contains(.events) && type(of: $0).eventCodes.contains(code) }
    }
    ofACL = chain { $0.interests.contains(.fragments) && type(of: $0).layer != .air }
    ofLinkLayer = chain { $0.interests.contains(.fragments) && type(of: $0).layer != .hci }
    byInterest = (0..<16).map { bit in chain { $0.interests.rawValue >> UInt16(bit) & 1 != 0 } }
  }

  /// What the rules say; valid after `finish`.
  /// - Parameter isStrict: what only the beginning or the end of a capture leaves open counts like what gaps do.
  public func results(isStrict: Bool = false) -> [OracleResult] { rules.map { $0.result(isStrict: isStrict) } }

  public func observe(att pdu: TrafficPDU) {
    guard let opcode = pdu.octets.first else { return }
    byOpcode[Int(opcode)]?.tell(att: pdu)
    if transactional.contains(opcode) { transactions.follow(pdu) }
  }

  public func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    if case .acl = header { ofACL?.tell(fragment: pdu, header) } else { ofLinkLayer?.tell(fragment: pdu, header) }
  }

  public func observe(_ event: TrafficEvent) {
    let interest: TrafficEvent.Interests
    switch event.kind {
    case .linkOpened, .linkClosed: interest = .links
    case .linkChanged(let link, let change):
      if change.turnsDirections { transactions.turn(link) }
      interest = .links
    case .frame: interest = .frames
    case .gap(let link, _, _):
      transactions.lose(link)
      interest = .gaps
    case .command: interest = .commands
    case .event(_, let code, _):
      byEvent[Int(code)]?.tell(event)
      return
    case .advertisement: interest = .advertisements
    case .air: interest = .air
    case .aside: interest = .asides
    case .foreign: interest = .foreign
    }
    byInterest[interest.rawValue.trailingZeroBitCount]?.tell(event)
  }

  public func finish(at end: SimInstant) {
    for rule in rules { rule.finish(at: end) }
  }
}
