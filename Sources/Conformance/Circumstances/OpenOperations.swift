import BluetoothWire
import Platform

/// Operations of a device that have not come to a good end yet: one circumstance for each kind, peer and, where that is
/// known, characteristic.
struct OpenOperations {
  private var all: [(operation: FailingOperation, peer: Int?, type: BluetoothUUID?, place: Int)] = []

  func has(_ operation: FailingOperation) -> Bool { all.contains { $0.operation == operation } }
  func has(_ operation: FailingOperation, with peer: Int?, _ type: BluetoothUUID? = nil) -> Bool {
    index(operation, peer, type) != nil
  }

  /// - Parameter place: that of its circumstance.
  mutating func insert(
    _ operation: FailingOperation, with peer: Int?, _ type: BluetoothUUID? = nil, at place: Int
  ) {
    all.append((operation, peer, type, place))
  }

  /// - Returns: the place of its circumstance; nil: there is none.
  mutating func remove(_ operation: FailingOperation, with peer: Int?, _ type: BluetoothUUID? = nil) -> Int? {
    index(operation, peer, type).map { all.remove(at: $0).place }
  }

  /// Those of all characteristics, in the order in which they began.
  func places(_ operation: FailingOperation, with peer: Int?) -> [Int] {
    all.filter { $0.operation == operation && $0.peer == peer }.map(\.place)
  }

  private func index(_ operation: FailingOperation, _ peer: Int?, _ type: BluetoothUUID?) -> Int? {
    all.firstIndex { $0.operation == operation && $0.peer == peer && $0.type == type }
  }
}
