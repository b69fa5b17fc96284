import AppSeam
import BluetoothWire
import SimKernel

/// Sends the values of one flow over one link: by a clock, or as fast as the queue takes them.
///
/// A value begins with its number, eight octets, the most significant first, as far as it is long enough. What a queue
/// refuses is not sent later: by a clock the next value follows at its time, otherwise as soon as there is room.
struct TrafficSender {
  let flow: Traffic.Flow
  let link: LinkID
  let characteristic: BluetoothUUID
  private let timer: TimerID
  private var sent: UInt64 = 0
  private var next: SimInstant
  /// The queue refused a value, and has not said since that there is room.
  private var waitsForRoom = false

  /// - Parameter index: the place of the flow in the list.
  init(_ flow: Traffic.Flow, index: Int, link: LinkID, now: SimInstant) {
    self.flow = flow
    self.link = link
    characteristic = Traffic.characteristic(of: index)
    timer = TimerID(index)
    next = now
  }

  private var isOver: Bool { flow.limit > 0 && sent >= UInt64(flow.limit) }

  mutating func start() -> [AppEffect] {
    if flow.isSaturating { return [value()] }
    return flow.isActive ? tick() : []
  }

  func stop() -> [AppEffect] { flow.pause > 0 ? [.cancelTimer(timer)] : [] }

  mutating func handle(_ input: AppInput) -> [AppEffect] {
    switch input {
    case .timer(timer): return tick()
    case .submitted(_, characteristic, let accepted):
      if accepted { sent += 1 }
      if !flow.isSaturating || isOver { return [] }
      if accepted { return [value()] }
      waitsForRoom = true
    case .writeCompleted(_, characteristic, let error):
      if error == nil { sent += 1 }
      if flow.isSaturating, !isOver, error == nil { return [value()] }
    case .readyToSend where waitsForRoom:
      waitsForRoom = false
      return [value()]
    default: break
    }
    return []
  }

  private mutating func tick() -> [AppEffect] {
    if isOver { return [] }
    next = next + .nanoseconds(flow.pause)
    return [value(), .setTimer(timer, at: next)]
  }

  private func value() -> AppEffect {
    var octets = [UInt8](repeating: 0x5A, count: flow.octets)
    for place in 0..<min(8, flow.octets) { octets[place] = UInt8(truncatingIfNeeded: sent >> UInt64(56 - 8 * place)) }
    if !flow.isFromCentral { return .notify(link, characteristic: characteristic, octets: octets) }
    return flow.isAnswered
      ? .write(link, characteristic: characteristic, octets: octets)
      : .writeWithoutResponse(link, characteristic: characteristic, octets: octets)
  }
}
