/// Numbers of the events of a protocol file, so that a claim knows in one look what it does not look at: packets sent,
/// packets heard, reports that a claim names, actions, and verbs without a name.
struct EventNumbers {
  private let packets: [String]
  /// Those that a claim looks at.
  let reports: [String]
  private let actions: [String]

  init(_ form: ProtocolForm) {
    packets = form.packets.map(\.name)
    let looked = form.claims.flatMap(\.events).filter { $0.verb == .shows }.map(\.name)
    reports = form.reports.map(\.name).filter(looked.contains)
    actions = form.actions.map(\.name)
  }

  private var firstReport: Int { 2 * packets.count }
  private var firstAction: Int { firstReport + reports.count }

  /// - Parameter kind: the place of a packet in the file.
  func packet(_ kind: Int, isOwn: Bool) -> Int { isOwn ? kind : packets.count + kind }
  func report(_ name: String) -> Int? { reports.firstIndex(of: name).map { firstReport + $0 } }
  func action(_ name: String) -> Int? { actions.firstIndex(of: name).map { firstAction + $0 } }

  /// The number of a verb without a name.
  subscript(verb: EventForm.Verb) -> Int {
    firstAction + actions.count + (EventForm.Verb.unnamed.firstIndex(of: verb) ?? 0)
  }

  /// By number: one of the events may be such a one, conditions aside.
  func all(of events: [EventForm]) -> [Bool] {
    var all = Array(repeating: false, count: self[.links] + EventForm.Verb.unnamed.count)
    for event in events {
      switch event.verb {
      case .sends, .hears:
        for kind in packets.indices where event.name == EventForm.anyPacket || packets[kind] == event.name {
          all[packet(kind, isOwn: event.verb == .sends)] = true
        }
      case .shows: if let number = report(event.name) { all[number] = true }
      case .does: if let number = action(event.name) { all[number] = true }
      case .links, .unlinks, .publishes, .advertises, .scans, .connects, .stops: all[self[event.verb]] = true
      }
    }
    return all
  }
}
