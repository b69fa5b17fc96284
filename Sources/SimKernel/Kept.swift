/// An object that somebody else keeps alive, looked at without counting a reference.
///
/// A reference that is read out of a property is counted while it is used, because whoever is called might replace it.
/// Where the object lives longer than its reader, or stays in its place during the look, nothing has to be counted
/// (Docs/Decisions/0018).
public struct Kept<Object: AnyObject> {
  @usableFromInline let reference: Unmanaged<Object>

  /// - Parameter object: outlives this value, which does not own it.
  @inlinable public init(_ object: Object) { reference = .passUnretained(object) }

  @inlinable @inline(__always)
  public func with<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
    try reference._withUnsafeGuaranteedRef(body)
  }

  /// Looks at the object and hands it something.
  @inlinable @inline(__always)
  public func with<Input>(taking input: consuming Input, _ body: (Object, consuming Input) -> Void) {
    var input: Input? = input
    with { body($0, input.take()!) }
  }
}
