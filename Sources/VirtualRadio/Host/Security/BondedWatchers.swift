import BluetoothWire

/// Bonded clients that listen to Service Changed: a server remembers them, and tells them on their next encrypted link
/// what has changed meanwhile (Core v5.4, Vol 3, Part G, 7.1).
///
/// Not modelled: the other client configurations of bonded clients, which end with the link.
public struct BondedWatchers: Hashable, Sendable {
  struct Watcher: Hashable {
    var identity: BluetoothAddress
    /// Nil: nothing that it does not know.
    var changed: ATT.HandleRange?
  }

  /// In the order in which they subscribed.
  private(set) var all: [Watcher] = []

  public init() {}

  mutating func insert(_ identity: BluetoothAddress) {
    if !all.contains(where: { $0.identity == identity }) { all.append(Watcher(identity: identity)) }
  }

  mutating func remove(_ identity: BluetoothAddress) { all.removeAll { $0.identity == identity } }

  /// Services have changed.
  mutating func note(_ range: ATT.HandleRange) {
    for place in all.indices { all[place].changed = all[place].changed?.joined(range) ?? range }
  }

  /// A watcher has confirmed what it was told.
  mutating func told(_ identity: BluetoothAddress) {
    if let place = all.firstIndex(where: { $0.identity == identity }) { all[place].changed = nil }
  }

  /// A watcher, with what it does not know; nil: it is none.
  subscript(identity: BluetoothAddress) -> Watcher? { all.first { $0.identity == identity } }
}

extension ATT.HandleRange {
  /// The shortest range that holds both.
  func joined(_ other: ATT.HandleRange) -> ATT.HandleRange {
    ATT.HandleRange(start: min(start, other.start), end: max(end, other.end))
  }
}

extension HostStack {
  /// A client has changed its configuration of Service Changed on a link.
  func watcherChanged(_ link: Link, isOn: Bool) {
    guard let identity = bondedIdentity(link) else { return }
    if isOn { watchers.insert(identity) } else { watchers.remove(identity) }
  }

  /// A link with a bonded client is encrypted: its configuration of Service Changed is what it was.
  func restoreWatcher(_ link: Link) {
    guard link.role == .peripheral, let identity = bondedIdentity(link),
      let index = database.index(of: .serviceChanged)
    else { return }
    let place = database.characteristics[index].configuration
    // It may have subscribed before there was a bond.
    if link.configurations[place] != 0 { return watchers.insert(identity) }
    guard let known = watchers[identity] else { return }
    link.configurations[place] = GATT.ClientConfiguration.indications
    if let changed = known.changed {
      link.changedServices = link.changedServices?.joined(changed) ?? changed
      indicateServiceChanged(link)
    }
  }

  /// A client has confirmed a Service Changed indication, and nothing more is to be told.
  func watcherConfirmed(_ link: Link) {
    if link.changedServices == nil, let identity = bondedIdentity(link) { watchers.told(identity) }
  }

  private func bondedIdentity(_ link: Link) -> BluetoothAddress? {
    link.protection?.level.protection == SecurityLevel.none.protection ? nil : bond(with: link.peer)?.identity
  }
}
