import AppSeam
import BabSim
import BluetoothWire
import Conformance
import SimKernel

/// Holds back the last value of a packet until the next packet has begun, or 40 ms.
final class HoldsLastValues: MutantEngine {
  private static let timer = TimerID(Int(Int32.max) - 3)
  private var held: AppEffect?
  /// The values that went out, oldest first, and whether the inner engine waits for the answer.
  private var sent: [(link: LinkID, isAwaited: Bool)] = []

  override func rewrite(_ input: AppInput) -> [AppInput] {
    switch input {
    case .timer(Self.timer):
      if let held { send(held) }
      held = nil
      return []
    case .submitted(let link, _, _), .writeCompleted(let link, _, _):
      guard let index = sent.firstIndex(where: { $0.link == link }) else { return [input] }
      return sent.remove(at: index).isAwaited ? [input] : []
    case .disconnected(let link, _):
      sent.removeAll { $0.link == link }
      held = nil
      return [input]
    default: return [input]
    }
  }

  private func send(_ effect: AppEffect) {
    guard let link = effect.sentValue?.link else { return }
    sent.append((link, false))
    added.append(effect)
  }

  override func rewrite(_ effect: AppEffect) -> [AppEffect] {
    guard let (link, octets) = effect.sentValue, let header = FragmentHeader(octets) else { return [effect] }
    if held == nil, header.count > 1, header.index == header.count - 1 {
      held = effect
      added.append(.setTimer(Self.timer, at: now + .milliseconds(40)))
      return []
    }
    sent.append((link, true))
    guard let late = held, late.sentValue?.link == link else { return [effect] }
    held = nil
    sent.append((link, false))
    return [effect, late]
  }
}

/// Does not end a link that its engine gives up because too many packets wait.
final class KeepsSlowPeers: MutantEngine {
  private var slow: [LinkID] = []

  override func rewrite(_ effect: AppEffect) -> [AppEffect] {
    if case .refused(let link, let reason)? = effect.bab, reason.contains("keep up") { slow.append(link) }
    if case .disconnect(let link) = effect, slow.contains(link) { return [] }
    return [effect]
  }
}

/// Once a value is refused, sends no other link's values before that one has gone.
final class WaitsForAll: MutantEngine {
  private var stuck: [LinkID] = []
  private var held: [AppEffect] = []

  override func rewrite(_ input: AppInput) -> [AppInput] {
    switch input {
    case .submitted(let link, _, false): stuck.append(link)
    case .readyToSend(let link), .disconnected(let link, _):
      stuck.removeAll { $0 == link }
      if stuck.isEmpty {
        added += held
        held.removeAll()
      }
    default: break
    }
    return [input]
  }

  override func rewrite(_ effect: AppEffect) -> [AppEffect] {
    guard let (link, _) = effect.sentValue, !stuck.isEmpty, !stuck.contains(link) else { return [effect] }
    held.append(effect)
    return []
  }
}
