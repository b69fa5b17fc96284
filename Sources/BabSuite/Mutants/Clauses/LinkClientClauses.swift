import AppSeam
import BabSim
import BluetoothWire
import Conformance
import SimKernel

/// Defects of how a client loses its host and comes back.
extension Mutants {
  static let linkClient: [Mutant] = [
    final("clean-end-is-final", .remoteUserTerminatedConnection, "its host has ended cleanly"),
    final("timeout-is-final", .connectionTimeout, "has timed out"),
    final("local-end-is-final", .connectionTerminatedByLocalHost, "its own platform has ended"),
    final("power-off-is-final", .remoteDeviceTerminatedDueToPowerOff, "its host's power-off has ended"),
    .set("gives-up-after-20-s", .client, "BAB 8.1", "looks for its lost host for 20 s") {
      $0.dialect.reconnectWindow = .seconds(20)
    },
    .set("gives-up-after-31-s", .client, "BAB 8.1", "looks for its lost host for 31 s") {
      $0.dialect.reconnectWindow = .seconds(31)
    },
    .keeps("loss-not-shown", .client, "BAB 5.7.7", "shows CONNECTED while it looks for its lost host") {
      $0 == .report(.linkState("RECONNECTING"))
    },
    .keeps("session-end-not-shown", .client, "BAB 5.7.8", "does not show that its session is over") {
      if case .sessionEnded? = $0.bab { true } else { false }
    },
    Mutant(
      "scan-left-behind", .client, clause: "BAB 5.7.8", "goes on scanning when its session is over",
      wrapped: { engine, configuration in
        let filter = configuration.dialect.scanFilter
        return AtTheEnd(wrapping: engine) { _ in .scan(services: filter) }
      }),
    Mutant(
      "timer-left-behind", .client, clause: "BAB 5.7.8", "has a timer when its session is over",
      wrapped: { engine, _ in
        AtTheEnd(wrapping: engine) { .setTimer(TimerID(Int(Int32.max) - 2), at: $0 + .seconds(60)) }
      }),
    .keeps("attempt-left-behind", .client, "BAB 5.7.8", "cancels no connection attempt") {
      if case .cancelConnect = $0 { true } else { false }
    },
    .engine(
      "looks-for-old-address-only", .client, "BAB 5.7.7", "knows its lost host by its address only",
      KnowsOneAddress.init),
    .engine("joins-any-host", .client, "BAB 5.7.7", "takes any host for the one it has lost", JoinsAnyHost.init),
    .mishears("finished-comes-back", .client, "BAB 5.8.3", "does not notice the end of the game") {
      $0.finalSnapshot?.currentPhase = .active
    },
    .keeps("resumption-not-shown", .client, "BAB 5.7.9", "does not show that it has resumed") {
      $0 == .report(.resumed)
    },
    .misses("lost-after-radio-on", .client, "BAB 5.7.12", "does nothing when its adapter is on again") {
      $0 == .radioPower(true)
    },
    Mutant(
      "comes-back-thrice", .client, clause: "BAB 5.7.7", "gives up when it loses its link a fourth time",
      wrapped: { engine, _ in GivesUpAfter(wrapping: engine, reason: nil, losses: 4) }),
    .set("retries-at-once", .client, "BAB 8.7", "tries again without a pause") { $0.retryDelay = .milliseconds(1) },
    .set("retries-after-10-s", .client, "BAB 8.7", "pauses for 10 s and more before it tries again") {
      $0.retryDelay = .seconds(10)
    },
  ]

  private static func final(_ name: String, _ reason: HCI.ErrorCode, _ text: String) -> Mutant {
    Mutant(
      name, .client, clause: "BAB 5.7.7", "gives up after a link that \(text)",
      wrapped: { engine, _ in GivesUpAfter(wrapping: engine, reason: reason, losses: 1) })
  }
}

/// Ends its session when links have ended for a reason so many times.
final class GivesUpAfter: MutantEngine {
  private var reason: HCI.ErrorCode?
  private var losses = 1

  convenience init(wrapping inner: any AppEngine, reason: HCI.ErrorCode?, losses: Int) {
    self.init(wrapping: inner)
    self.reason = reason
    self.losses = losses
  }

  override func rewrite(_ input: AppInput) -> [AppInput] {
    guard case .disconnected(_, let actual) = input, actual == reason ?? actual else { return [input] }
    losses -= 1
    return losses == 0 ? [input, .user(.leave)] : [input]
  }
}

/// Asks for something more when its session is over.
final class AtTheEnd: MutantEngine {
  private var effect: (SimInstant) -> AppEffect = { _ in .stopScanning }

  convenience init(wrapping inner: any AppEngine, _ effect: @escaping (SimInstant) -> AppEffect) {
    self.init(wrapping: inner)
    self.effect = effect
  }

  override func rewrite(_ effect: AppEffect) -> [AppEffect] {
    if case .sessionEnded? = effect.bab { added.append(self.effect(now)) }
    return [effect]
  }
}

/// Once it has lost a link, it sees only the advertiser that the link was to.
final class KnowsOneAddress: MutantEngine {
  private var peer: BluetoothAddress?
  private var hasLost = false

  override func rewrite(_ input: AppInput) -> [AppInput] {
    switch input {
    case .connected(_, let address): peer = address
    case .disconnected: hasLost = true
    case .discovered(let advertisement) where hasLost && advertisement.address != peer: return []
    default: break
    }
    return [input]
  }
}

/// Once it has lost a link, it reads the lost host's name in every advertisement.
final class JoinsAnyHost: MutantEngine {
  private var name: String?
  private var hasLost = false

  override func rewrite(_ input: AppInput) -> [AppInput] {
    switch input {
    case .discovered(var advertisement):
      if !hasLost { name = advertisement.localName ?? name } else { advertisement.localName = name }
      return [.discovered(advertisement)]
    case .disconnected: hasLost = true
    default: break
    }
    return [input]
  }
}
