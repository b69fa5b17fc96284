import BluetoothWire

/// What one record shows, layer by layer, with what filters ask for. One is used for all records, again and again.
final class InspectedPacket {
  struct Layer {
    var kind: InspectLayer
    var text: PacketText
    /// Fields, for a long look only.
    var details: [String] = []
  }

  /// `out` and `in` at an HCI, `C→P` and `P→C` on the air.
  enum Direction {
    case unknown, out, `in`, fromCentral, fromPeripheral

    var text: StaticString {
      switch self {
      case .unknown: ""
      case .out: "out"
      case .in: "in"
      case .fromCentral: "C→P"
      case .fromPeripheral: "P→C"
      }
    }
  }

  /// The lowest first.
  @exclusivity(unchecked) var layers: [Layer] = []
  @exclusivity(unchecked) var links: [Int] = []
  /// The stream of a network that it belongs to.
  @exclusivity(unchecked) var stream: Int?
  @exclusivity(unchecked) var addresses: [UInt64] = []
  @exclusivity(unchecked) var handles: [ATT.Handle] = []
  @exclusivity(unchecked) var codes: [InspectFilter.Code] = []
  @exclusivity(unchecked) var direction = Direction.unknown
  /// What printers said of its values.
  @exclusivity(unchecked) var spoken: [PrintedPacket] = []
  /// What it asks, and what it answers.
  @exclusivity(unchecked) var request: PendingExchanges.Request?
  @exclusivity(unchecked) var answer: PendingExchanges.Request?

  /// Forgets everything, and keeps the memory.
  func clear() {
    layers.removeAll(keepingCapacity: true)
    links.removeAll(keepingCapacity: true)
    stream = nil
    addresses.removeAll(keepingCapacity: true)
    handles.removeAll(keepingCapacity: true)
    codes.removeAll(keepingCapacity: true)
    direction = .unknown
    spoken.removeAll(keepingCapacity: true)
    request = nil
    answer = nil
  }

  /// The layer goes above all that are not higher.
  func add(_ layer: Layer) {
    var place = layers.count
    while place > 0, layers[place - 1].kind.height > layer.kind.height { place -= 1 }
    if place == layers.count { layers.append(layer) } else { layers.insert(layer, at: place) }
  }

  /// What one line shows: the highest layer says most, all that an app says comes with the layer below, and remarks
  /// with both. Indices of `layers`.
  var headline: Range<Int> {
    let notes = layers.firstIndex { $0.kind == .note } ?? layers.endIndex
    guard notes > 0 else { return layers.indices }
    var start = notes
    while start > 0, case .app = layers[start - 1].kind { start -= 1 }
    return max(0, start - 1)..<layers.endIndex
  }
}
