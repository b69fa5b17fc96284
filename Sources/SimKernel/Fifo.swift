/// First in, first out, without moving elements: the head index walks and the storage is reused when it is empty.
///
/// A class with its own count: asking whether it is empty, which every layer does all the time, is one load.
/// - Complexity: append and popFirst are O(1) amortised.
public final class Fifo<Element> {
  @usableFromInline @exclusivity(unchecked) var storage: [Element] = []
  @usableFromInline @exclusivity(unchecked) var head = 0
  @usableFromInline @exclusivity(unchecked) var waiting = 0
  /// Elements that wait.
  @inlinable public var count: Int { waiting }

  @inlinable public init() {}

  @inlinable public var isEmpty: Bool { waiting == 0 }
  @inlinable public var first: Element? { waiting == 0 ? nil : storage[head] }

  @inlinable
  public func append(_ element: Element) {
    storage.append(element)
    waiting += 1
  }

  @inlinable
  public func popFirst() -> Element? {
    if waiting == 0 { return nil }
    let element = storage[head]
    head += 1
    waiting -= 1
    if waiting == 0 {
      storage.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 64, head * 2 >= storage.count {
      storage.removeFirst(head)
      head = 0
    }
    return element
  }

  @inlinable
  public func removeAll() {
    storage.removeAll(keepingCapacity: true)
    head = 0
    waiting = 0
  }
}
