public import Judging
public import SimKernel

/// All rules as one observer: each is called for what it asked for only, ATT PDUs and events by their first octet.
public final class RuleBook: TrafficObserver {
  public let rules: [any TrafficRule]
  public let interests: TrafficEvent.Interests
  /// Rules by the ATT opcode that they want.
  private let byOpcode = Roster<ObserverChain>()
  private let byEvent = Roster<ObserverChain>()
  /// Those that want fragments, of ACL data and of the link layer.
  private let ofACL: ObserverChain
  private let ofLinkLayer: ObserverChain
  private let byInterest = Roster<ObserverChain>()
  private let transactions: TransactionBook
  private let transactional = OpcodeSet.transactions

  /// What a rule wants to be called for; asked for once, because the lists below ask 500 times for each rule.
  private struct Wishes {
    let observer: any TrafficObserver
    let interests: TrafficEvent.Interests
    let attOpcodes: OpcodeSet
    let eventCodes: OpcodeSet
    let layer: RuleLayer

    init(_ rule: any TrafficRule) {
      observer = rule
      interests = rule.interests
      attOpcodes = type(of: rule).attOpcodes
      eventCodes = type(of: rule).eventCodes
      layer = type(of: rule).layer
    }
  }

  public init(_ types: [any TrafficRule.Type] = TrafficRules.all) {
    let rules = types.map { $0.init() }
    self.rules = rules
    // Those that the book calls are interested in nothing else; to ask each rule what it is takes long.
    transactions = TransactionBook(rules.compactMap { $0.interests.isEmpty ? $0 as? any TransactionRule : nil })
    interests = rules.reduce(into: transactions.interests) { $0.formUnion($1.interests) }
    let wishes = rules.map(Wishes.init)
    func chain(_ isWanted: (Wishes) -> Bool) -> ObserverChain {
      ObserverChain(wishes.lazy.filter(isWanted).map(\.observer))
    }
    for octet in UInt8.min...UInt8.max {
      byOpcode.append(chain { $0.interests.contains(.att) && $0.attOpcodes.contains(octet) })
      byEvent.append(chain { $0.interests.contains(.events) && $0.eventCodes.contains(octet) })
    }
    ofACL = chain { $0.interests.contains(.fragments) && $0.layer != .air }
    ofLinkLayer = chain { $0.interests.contains(.fragments) && $0.layer != .hci }
    for bit in 0..<16 { byInterest.append(chain { $0.interests.rawValue >> UInt16(bit) & 1 != 0 }) }
  }

  /// What the rules say; valid after `finish`.
  /// - Parameter isStrict: what only the beginning or the end of a capture leaves open counts like what gaps do.
  public func results(isStrict: Bool = false) -> [OracleResult] { rules.map { $0.result(isStrict: isStrict) } }

  public func observe(att pdu: TrafficPDU) {
    guard let opcode = pdu.octets.first else { return }
    byOpcode.with(Int(opcode)) { $0.tell(att: pdu) }
    if transactional.contains(opcode) { transactions.follow(pdu) }
  }

  public func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    if case .acl = header { ofACL.tell(fragment: pdu, header) } else { ofLinkLayer.tell(fragment: pdu, header) }
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
    case .advertisement: interest = .advertisements
    case .air: interest = .air
    case .aside: interest = .asides
    case .foreign: interest = .foreign
    }
    byInterest.with(interest.rawValue.trailingZeroBitCount) { $0.tell(event) }
  }

  public func observe(event: TrafficHCIEvent) { byEvent.with(Int(event.code)) { $0.tell(event: event) } }

  public func finish(at end: SimInstant) {
    for rule in rules { rule.finish(at: end) }
  }
}
