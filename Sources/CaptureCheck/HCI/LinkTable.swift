/// The links of one controller by their handles, looked at without counting references (Docs/Decisions/0018). Some may
/// be closed.
final class LinkTable {
  /// As long as the greatest handle so far.
  @exclusivity(unchecked) private var places: [Unmanaged<TrafficLink>?] = []

  deinit { removeAll() }

  /// Looks at a link that is up, which must stay in the table meanwhile. - Returns: whether there is one.
  @inline(__always)
  func with(_ handle: Int, _ body: (TrafficLink) -> Void) -> Bool {
    guard handle < places.count, let link = places[handle] else { return false }
    return link._withUnsafeGuaranteedRef {
      if !$0.isUp { return false }
      body($0)
      return true
    }
  }

  /// The link of a handle; nil when none is up.
  subscript(handle: Int) -> TrafficLink? {
    guard handle < places.count, let link = places[handle]?.takeUnretainedValue(), link.isUp else { return nil }
    return link
  }

  /// Those that are up, in the order of their handles.
  var live: [TrafficLink] { places.compactMap { $0?.takeUnretainedValue() }.filter(\.isUp) }

  func put(_ link: TrafficLink, at handle: Int) {
    if handle >= places.count { places += repeatElement(nil, count: handle + 1 - places.count) }
    places[handle]?.release()
    places[handle] = .passRetained(link)
  }

  func remove(_ handle: Int) {
    guard handle < places.count else { return }
    places[handle]?.release()
    places[handle] = nil
  }

  /// Takes all out, closed ones too, in the order of their handles.
  @discardableResult
  func removeAll() -> [TrafficLink] {
    defer { places = [] }
    return places.compactMap { $0?.takeRetainedValue() }
  }
}
