import Platform

/// Operations of a device that have not come to a good end yet: one circumstance for each kind and peer.
struct OpenOperations {
  private var all: [(operation: FailingOperation, peer: Int?, place: Int)] = []

  func has(_ operation: FailingOperation) -> Bool { all.contains { $0.operation == operation } }
  func has(_ operation: FailingOperation, with peer: Int?) -> Bool { index(operation, peer) != nil }

  /// - Parameter place: that of its circumstance.
  mutating func insert(_ operation: FailingOperation, with peer: Int?, at place: Int) {
    all.append((operation, peer, place))
  }

  /// - Returns: the place of its circumstance; nil: there is none.
  mutating func remove(_ operation: FailingOperation, with peer: Int?) -> Int? {
    index(operation, peer).map { all.remove(at: $0).place }
  }

  private func index(_ operation: FailingOperation, _ peer: Int?) -> Int? {
    all.firstIndex { $0.operation == operation && $0.peer == peer }
  }
}
