import BluetoothWire

/// Servers by their address, so that a later link to the same server begins with what an earlier one showed.
///
/// Bounded by `TrafficLimits.attributes`: above, servers are forgotten whose last link closed first, and when there is
/// none of those, nothing more is learned.
final class ServerKnowledge {
  @exclusivity(unchecked) private var byAddress: [BluetoothAddress: AttributeMap] = [:]
  /// Maps that no living link uses, the longest unused one first; some have found users again.
  @exclusivity(unchecked) private var released: [AttributeMap] = []
  @exclusivity(unchecked) private var firstReleased = 0
  /// Attributes of all maps that were ever used.
  @exclusivity(unchecked) private(set) var total = 0

  /// What is known of a server. Without an address nobody else will ask for it.
  func map(of address: BluetoothAddress?) -> AttributeMap {
    guard let address else { return AttributeMap() }
    if let map = byAddress[address] { return map }
    let map = AttributeMap()
    map.address = address
    byAddress[address] = map
    return map
  }

  func use(_ map: AttributeMap) { map.users += 1 }

  func release(_ map: AttributeMap) {
    map.users -= 1
    guard map.users == 0, !map.isReleased else { return }
    if map.count == 0 { return drop(map) }
    map.isReleased = true
    released.append(map)
  }

  /// Lets `change` teach a map something, if there is room.
  func teach(_ map: AttributeMap, _ change: (AttributeMap) -> Void) {
    if total >= TrafficLimits.attributes { forgetLongestUnused() }
    guard total < TrafficLimits.attributes else { return }
    let before = map.count
    change(map)
    total += map.count - before
  }

  private func forgetLongestUnused() {
    // A quarter at once, so that it is seldom.
    while total > TrafficLimits.attributes / 4 * 3, firstReleased < released.count {
      let map = released[firstReleased]
      firstReleased += 1
      map.isReleased = false
      guard map.users == 0 else { continue }
      total -= map.count
      map.forget()
      drop(map)
    }
    released.removeFirst(firstReleased)
    firstReleased = 0
  }

  private func drop(_ map: AttributeMap) {
    if let address = map.address, byAddress[address] === map { byAddress[address] = nil }
  }
}
