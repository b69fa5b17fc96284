/// Objects in the order in which they came, owned by the list.
///
/// What happens millions of times a run looks at all links of a radio, or at one device: an array hands out each object
/// with a counted reference, and counting costs more than the look. `with` counts nothing.
/// - Complexity: as an array's.
public final class Roster<Object: AnyObject>: RandomAccessCollection {
  /// `capacity` places, of which the first `count` hold a reference each.
  @usableFromInline @exclusivity(unchecked) var places: UnsafeMutablePointer<Unmanaged<Object>>
  @usableFromInline @exclusivity(unchecked) var capacity = 4
  @usableFromInline @exclusivity(unchecked) var filled = 0

  @inlinable public init() { places = .allocate(capacity: 4) }

  @inlinable deinit {
    removeAll()
    places.deallocate()
  }

  @inlinable public var count: Int { filled }
  @inlinable public var startIndex: Int { 0 }
  @inlinable public var endIndex: Int { filled }

  @inlinable public subscript(index: Int) -> Object {
    precondition(index >= 0 && index < filled, "no object at \(index) of \(filled)")
    return places[index].takeUnretainedValue()
  }

  /// Looks at an object, which must stay in the list meanwhile. What the closure has from outside it may hold as a
  /// copy: for something large, the counted reference of `subscript` costs less.
  @inlinable @inline(__always)
  public func with<Result>(_ index: Int, _ body: (Object) -> Result) -> Result {
    precondition(index >= 0 && index < filled, "no object at \(index) of \(filled)")
    return places[index]._withUnsafeGuaranteedRef(body)
  }

  // These stand before the collection's own, which count.

  @inlinable @inline(__always)
  public func firstIndex(where matches: (Object) -> Bool) -> Int? {
    for index in 0..<filled where with(index, matches) { return index }
    return nil
  }

  @inlinable @inline(__always)
  public func contains(where matches: (Object) -> Bool) -> Bool { firstIndex(where: matches) != nil }

  /// Looks at an object and hands it something.
  @inlinable @inline(__always)
  public func with<Input>(_ index: Int, taking input: consuming Input, _ body: (Object, consuming Input) -> Void) {
    var input: Input? = input
    with(index) { body($0, input.take()!) }
  }

  @inlinable public func append(_ object: Object) {
    if filled == capacity {
      let larger = UnsafeMutablePointer<Unmanaged<Object>>.allocate(capacity: capacity * 2)
      larger.moveInitialize(from: places, count: filled)
      places.deallocate()
      places = larger
      capacity *= 2
    }
    (places + filled).initialize(to: .passRetained(object))
    filled += 1
  }

  @inlinable @discardableResult
  public func remove(at index: Int) -> Object {
    precondition(index >= 0 && index < filled, "no object at \(index) of \(filled)")
    let object = places[index].takeRetainedValue()
    filled -= 1
    (places + index).update(from: places + index + 1, count: filled - index)
    return object
  }

  /// Puts an object in the place of another, which is let go.
  @inlinable public func replace(at index: Int, with object: Object) {
    precondition(index >= 0 && index < filled, "no object at \(index) of \(filled)")
    let old = places[index]
    places[index] = .passRetained(object)
    old.release()
  }

  /// Removes one object; nothing happens when it is not there.
  @inlinable public func remove(_ object: Object) {
    if let index = firstIndex(where: { $0 === object }) { remove(at: index) }
  }

  @inlinable public func removeAll() {
    while filled > 0 {
      filled -= 1
      places[filled].release()
    }
  }
}
