/// A broken stack at work.
struct ActiveMessageFault {
  let rule: MessageFaultRule
  private var strikesSoFar: Strikes
  /// A value that waits to be overtaken by the next one of its link; the carrier is nil on the way in.
  var held: (value: Value, carrier: ValueCarrier?)?

  init(rule: MessageFaultRule) {
    self.rule = rule
    strikesSoFar = Strikes(everyNth: rule.everyNth, count: rule.count)
  }

  /// Whether this value is hit; counts it.
  mutating func strikes() -> Bool { strikesSoFar.strikes() }
}
