import Conformance

/// Which packet that one timeline has is which of another, for what one device said to another.
///
/// The first of one is the first of the other, and so on. A capture that is known to miss PDUs may lack packets: there,
/// a packet is looked for a little further on, first as it is and then by its kind. What is found like that may be
/// another packet of the same kind, so that members of it may differ though nothing was said otherwise.
struct PacketAlignment {
  /// How far a packet is looked for.
  private static let reach = 200

  /// Places in both lists, of packets of one kind.
  private(set) var pairs: [(first: Int, second: Int)] = []
  /// Packets of the first list that the second one's capture may have missed, and the other way round.
  private(set) var missedBySecond = 0
  private(set) var missedByFirst = 0
  /// Where the lists go apart; their ends if they do not.
  private(set) var first = 0
  private(set) var second = 0

  /// - Parameters:
  ///   - firstMisses: whether the first one's capture is known to miss PDUs.
  ///   - secondMisses: whether the second one's is.
  init(
    _ packets: [RunTimeline.Packet], _ others: [RunTimeline.Packet], firstMisses: Bool, secondMisses: Bool
  ) {
    let (a, b) = (packets.map(Item.init), others.map(Item.init))
    while first < a.count, second < b.count {
      let (mine, other) = (a[first], b[second])
      if mine.isLost || other.isLost {
        passLost(a, b)
        continue
      }
      if mine.kind == other.kind, !(firstMisses || secondMisses) || mine.isSame(as: other) {
        pair()
        continue
      }
      let whole = Self.skip(
        secondMisses ? Self.find(other, in: a, after: first, isWhole: true) : nil,
        firstMisses ? Self.find(mine, in: b, after: second, isWhole: true) : nil)
      if let whole {
        pass(whole)
      } else if mine.kind == other.kind {
        pair()
      } else {
        let kind = Self.skip(
          secondMisses ? Self.find(other, in: a, after: first, isWhole: false) : nil,
          firstMisses ? Self.find(mine, in: b, after: second, isWhole: false) : nil)
        guard let kind else { return }
        pass(kind)
      }
    }
    while first < a.count, a[first].isLost { first += 1 }
    while second < b.count, b[second].isLost { second += 1 }
    if secondMisses { pass((a.count - first, 0)) }
    if firstMisses { pass((0, b.count - second)) }
  }

  /// What came to nobody may be on the air all the same, or not.
  private mutating func passLost(_ a: [Item], _ b: [Item]) {
    let (mine, other) = (a[first], b[second])
    let isSame = mine.kind == other.kind
    let comesLater =
      mine.isLost
      ? Self.find(other, in: a, after: first, isWhole: true) != nil
      : Self.find(mine, in: b, after: second, isWhole: true) != nil
    if mine.isLost || (isSame && !comesLater) { first += 1 }
    if other.isLost || (isSame && !comesLater) { second += 1 }
  }

  private mutating func pair() {
    pairs.append((first, second))
    (first, second) = (first + 1, second + 1)
  }

  private mutating func pass(_ skip: (first: Int, second: Int)) {
    (first, second) = (first + skip.first, second + skip.second)
    (missedBySecond, missedByFirst) = (missedBySecond + skip.first, missedByFirst + skip.second)
  }

  /// The shorter way.
  private static func skip(_ inFirst: Int?, _ inSecond: Int?) -> (first: Int, second: Int)? {
    switch (inFirst, inSecond) {
    case (nil, nil): nil
    case (let first?, let second): first <= second ?? .max ? (first, 0) : (0, second ?? 0)
    case (nil, let second?): (0, second)
    }
  }

  private static func find(
    _ packet: Item, in list: [Item], after start: Int, isWhole: Bool
  ) -> Int? {
    list[start...].prefix(reach).firstIndex { item in
      item.kind == packet.kind && !item.isLost && (!isWhole || item.isSame(as: packet))
    }.map { $0 - start }
  }
}

/// A packet as it is compared.
private struct Item {
  /// Its label without what charts add where it never came.
  let kind: Substring
  /// It came to nobody, or not whole.
  let isLost: Bool
  private let body: String
  /// Captures lay out JSON in lines.
  private let tree: JSONTree?

  init(_ packet: RunTimeline.Packet) {
    let suffix = ", never came"
    kind = packet.label.hasSuffix(suffix) ? packet.label.dropLast(suffix.count) : packet.label[...]
    isLost = packet.receivedAt == nil || !packet.isPacket
    body = packet.body
    tree = try? JSONTree(Array(packet.body.utf8))
  }

  func isSame(as other: Item) -> Bool {
    if let tree, let otherTree = other.tree { return tree == otherTree }
    return body == other.body
  }
}
