/// First in, first out: a ring that grows, and moves its elements only when it grows.
///
/// A class with plain fields behind a pointer: asking whether it is empty, which every layer does all the time, is one
/// load, and taking an element out hands it over without a copy.
/// - Complexity: append and popFirst are O(1) amortised.
public final class Fifo<Element> {
  /// `capacity` places, of which `waiting` from `head` on hold elements; the capacity is a power of two.
  @usableFromInline @exclusivity(unchecked) var places: UnsafeMutablePointer<Element>
  @usableFromInline @exclusivity(unchecked) var capacity: Int
  @usableFromInline @exclusivity(unchecked) var head = 0
  @usableFromInline @exclusivity(unchecked) var waiting = 0

  @inlinable
  public init() {
    capacity = 4
    places = .allocate(capacity: 4)
  }

  @inlinable
  deinit {
    removeAll()
    places.deallocate()
  }

  /// Elements that wait.
  @inlinable public var count: Int { waiting }
  @inlinable public var isEmpty: Bool { waiting == 0 }
  /// The element that comes out next.
  @inlinable public var first: Element? { waiting == 0 ? nil : places[head] }

  /// Looks at the element that comes out next, in its place; nil when there is none.
  @inlinable public func withFirst<Result>(_ body: (borrowing Element) -> Result) -> Result? {
    waiting == 0 ? nil : body(places[head])
  }

  @inlinable
  public func append(_ element: consuming Element) {
    if waiting == capacity { grow() }
    (places + ((head &+ waiting) & (capacity &- 1))).initialize(to: element)
    waiting &+= 1
  }

  @inlinable
  public func popFirst() -> Element? {
    if waiting == 0 { return nil }
    let element = (places + head).move()
    head = (head &+ 1) & (capacity &- 1)
    waiting &-= 1
    return element
  }

  /// Takes all elements, in their order.
  public func popAll() -> [Element] {
    var elements: [Element] = []
    while let element = popFirst() { elements.append(element) }
    return elements
  }

  @inlinable
  public func removeAll() {
    while popFirst() != nil {}
    head = 0
  }

  @usableFromInline
  func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
    for index in 0..<waiting {
      (larger + index).moveInitialize(from: places + ((head + index) & (capacity - 1)), count: 1)
    }
    places.deallocate()
    places = larger
    capacity *= 2
    head = 0
  }
}
