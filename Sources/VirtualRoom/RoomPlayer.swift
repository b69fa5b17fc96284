public import Platform

/// A device of a room on which an engine of the bench plays.
public struct RoomPlayer {
  /// As traces and messages call it.
  public let name: String
  /// `reference`, or the name of a mutant.
  public let engine: String
  let index: Int
  let room: VirtualRoom

  /// Lets its person do something, now, in the words of scenario files: `join`, `set scenario: coffee-shop`,
  /// `[kill, relaunch]`.
  /// - Throws: `RoomProblem.refused`: there is no such word for it, and which there are; or its app is not launched, or
  ///   an app of the room was stopped.
  public func act(_ words: String) throws(RoomProblem) { try room.act(words, on: index) }

  /// Does something to its phone on purpose.
  /// - Throws: `RoomProblem`: an app of the room was stopped.
  public func apply(_ fault: DeviceFault) throws(RoomProblem) { try room.apply(fault, to: index) }
}
