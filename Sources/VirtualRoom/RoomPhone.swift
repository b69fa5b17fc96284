public import Platform
public import SimKernel

/// A phone of a room, with an app of one kind.
public final class RoomPhone<App: AnyObject> {
  /// As traces and messages call it.
  public let name: String
  let index: Int
  private let room: VirtualRoom
  private let box: AppBox<App>

  init(_ name: String, index: Int, room: VirtualRoom, box: AppBox<App>) {
    self.name = name
    self.index = index
    self.room = room
    self.box = box
  }

  /// The app's object, of its newest launch; nil before the first one.
  public var app: App? { box.app }

  /// Does something with the app on the phone's main queue, now; all that it brings about at once is done on return.
  /// - Throws: `RoomProblem`: the app is not launched yet, or an app of the room was stopped.
  public func act(_ body: @escaping (App) -> Void) throws(RoomProblem) {
    guard let app = box.app else { throw .notLaunched(phone: name) }
    try room.act(on: index) { body(app) }
  }

  /// What the app says, asked on the phone's main queue: dates and checks of queues are the phone's.
  /// - Throws: `RoomProblem`: the app is not launched yet, its main queue waits, or an app of the room was stopped.
  public func ask<Value>(_ body: @escaping (App) -> Value) throws(RoomProblem) -> Value {
    var answer: Value?
    try act { answer = body($0) }
    guard let answer else { throw .mainQueueWaits(phone: name, at: room.now) }
    return answer
  }

  /// Lets time pass until a condition holds, which is asked on the phone's main queue, now and after every event. It
  /// must not change anything.
  /// - Throws: `RoomProblem`: it did not hold in time, an app was stopped, or the room never comes to rest.
  public func wait(within duration: SimDuration, until condition: @escaping (App) -> Bool) throws(RoomProblem) {
    try room.wait(within: duration) { [self] in
      guard let app = box.app else { return false }
      var holds = false
      room.look(on: index) { holds = condition(app) }
      return holds
    }
  }

  /// Does something to the phone on purpose: out of range, radio off, killed, in the background.
  /// - Throws: `RoomProblem`: an app of the room was stopped.
  public func apply(_ fault: DeviceFault) throws(RoomProblem) { try room.apply(fault, to: index) }

  /// What the app's use of CoreBluetooth gave rise to, in order: misuse, exceptions, limits of the bench.
  public var remarks: [RoomRemark] { room.remarks(of: index) }
}
