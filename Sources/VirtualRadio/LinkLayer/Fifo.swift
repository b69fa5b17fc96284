/// First in, first out, without moving elements: the head index walks and the storage is reused when it is empty.
struct Fifo<Element> {
  private var storage: [Element] = []
  private var head = 0

  var count: Int { storage.count - head }
  var isEmpty: Bool { head == storage.count }
  var first: Element? { head < storage.count ? storage[head] : nil }

  mutating func append(_ element: Element) { storage.append(element) }

  mutating func popFirst() -> Element? {
    guard head < storage.count else { return nil }
    let element = storage[head]
    head += 1
    if head == storage.count {
      storage.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 64, head * 2 >= storage.count {
      storage.removeFirst(head)
      head = 0
    }
    return element
  }

  mutating func removeAll() {
    storage.removeAll(keepingCapacity: true)
    head = 0
  }

  /// Removes the elements that do not satisfy the condition, keeping order.
  mutating func keep(where condition: (Element) -> Bool) {
    storage = storage[head...].filter(condition)
    head = 0
  }
}
