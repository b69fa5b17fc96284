/// First in, first out, without moving elements: the head index walks and the storage is reused when it is empty.
///
/// A class with its own count: asking whether it is empty, which the link layer does all the time, is one load.
final class Fifo<Element> {
  @exclusivity(unchecked) private var storage: [Element] = []
  @exclusivity(unchecked) private var head = 0
  private(set) var count = 0

  @inline(__always) var isEmpty: Bool { count == 0 }
  var first: Element? { count == 0 ? nil : storage[head] }

  func append(_ element: Element) {
    storage.append(element)
    count += 1
  }

  func popFirst() -> Element? {
    if count == 0 { return nil }
    let element = storage[head]
    head += 1
    count -= 1
    if count == 0 {
      storage.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 64, head * 2 >= storage.count {
      storage.removeFirst(head)
      head = 0
    }
    return element
  }

  func removeAll() {
    storage.removeAll(keepingCapacity: true)
    head = 0
    count = 0
  }
}
