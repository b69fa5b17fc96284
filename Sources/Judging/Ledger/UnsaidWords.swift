/// Report words of which a device has said none: what is missing of it means nothing as long as that is so.
///
/// Only programs leave words out; an engine of the bench says all of them.
public struct UnsaidWords: Hashable, Sendable {
  /// Dense index.
  public var device: Int
  /// Any of them is enough.
  public var words: [String]

  public init(device: Int, words: [String]) {
    self.device = device
    self.words = words
  }
}
