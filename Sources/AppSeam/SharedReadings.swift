/// What the apps of one world remember together: results that follow from octets alone, so that they are the same
/// whoever asks first. It is nothing that an app is told: all of them are equal.
///
/// Only one app runs at a time, and two worlds share nothing.
public struct SharedReadings: Hashable, Sendable {
  private final class Shelf: @unchecked Sendable {
    var memories: [AnyObject] = []
  }

  private let shelf = Shelf()

  public init() {}

  /// The memory of a type, made for whoever asks for it first.
  public func memory<Memory: AnyObject>(_ make: () -> Memory) -> Memory {
    for memory in shelf.memories { if let memory = memory as? Memory { return memory } }
    let memory = make()
    shelf.memories.append(memory)
    return memory
  }

  public static func == (a: Self, b: Self) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
}
