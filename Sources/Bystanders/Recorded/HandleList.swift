import BluetoothWire

/// Handles in the order of their first appearance, each once.
struct HandleList {
  private(set) var all: [ATT.Handle] = []
  private var known: Set<ATT.Handle> = []

  func contains(_ handle: ATT.Handle) -> Bool { known.contains(handle) }

  mutating func add(_ handle: ATT.Handle) { if known.insert(handle).inserted { all.append(handle) } }

  mutating func remove(_ handle: ATT.Handle) {
    if known.remove(handle) != nil { all.removeAll { $0 == handle } }
  }
}
