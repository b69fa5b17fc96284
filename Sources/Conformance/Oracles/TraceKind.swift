import AppSeam
import Bench

/// What a trace record is about: an oracle names the kinds it needs and is handed nothing else.
///
/// The general kinds stand here; an app's protocol adds those of its reports, from `firstOfApp` on.
public struct TraceKind: RawRepresentable, Hashable, Sendable {
  /// Below `limit`.
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// One more than the largest number of a kind.
  public static var limit: Int { 64 }
  /// The first number that an app's protocol may give to a kind of report.
  public static var firstOfApp: UInt8 { 32 }

  /// Radio records, steps, expectations and what a platform remarks: no oracle of an app reads them.
  public static var other: Self { Self(rawValue: 0) }
  /// `.input(.launched)`.
  public static var launched: Self { Self(rawValue: 1) }
  /// A person did something.
  public static var user: Self { Self(rawValue: 2) }
  /// A link came, went, or got an ATT_MTU.
  public static var link: Self { Self(rawValue: 3) }
  /// A value arrived at an app.
  public static var value: Self { Self(rawValue: 4) }
  /// The platform's answer to a transmission.
  public static var answer: Self { Self(rawValue: 5) }
  /// An app transmits a value.
  public static var transmit: Self { Self(rawValue: 6) }
  /// An app publishes, advertises, scans or connects.
  public static var presence: Self { Self(rawValue: 7) }
  public static var otherInput: Self { Self(rawValue: 8) }
  public static var otherEffect: Self { Self(rawValue: 9) }
  public static var fault: Self { Self(rawValue: 10) }
  /// A report that its protocol gives no kind of its own.
  public static var otherReport: Self { Self(rawValue: 11) }

  /// What the network beside the radio tells an app, except the octets of streams.
  public static var networkInput: Self { Self(rawValue: 12) }
  /// What an app asks of the network beside the radio, except to send octets.
  public static var networkEffect: Self { Self(rawValue: 13) }
  /// An app sends octets on a stream. What streams carry has kinds of its own, since nearly all records of a talk are
  /// of these.
  public static var streamSend: Self { Self(rawValue: 14) }
  /// The network's answer to octets that were sent: taken, or no room.
  public static var streamAnswer: Self { Self(rawValue: 15) }
  /// Octets of a stream arrived at an app.
  public static var streamOctets: Self { Self(rawValue: 16) }

  /// An app sets a timer or cancels it, which is most of what apps ask for beside values.
  public static var timer: Self { Self(rawValue: 17) }

  /// The kind of an event that is no report; `otherReport` for one that is. An initialiser would be handed a copy.
  static func of(_ event: TraceEvent) -> Self {
    switch event {
    case .input(let input): kind(of: input)
    case .effect(let effect): kind(of: effect)
    case .report: .otherReport
    case .fault: .fault
    case .radio, .network, .step, .expectation, .platform: .other
    }
  }

  private static func kind(of input: AppInput) -> Self {
    switch input {
    case .launched: .launched
    case .user: .user
    case .connected, .connectFailed, .disconnected, .attMTU, .subscribed, .radioPower: .link
    case .valueReceived: .value
    case .submitted, .writeCompleted: .answer
    case .network(.received): .streamOctets
    case .network(.submitted): .streamAnswer
    case .network: .networkInput
    case .background, .advertisingStarted, .discovered, .servicesDiscovered, .valueRead, .readyToSend, .timer, .gatt,
      .gap, .channel:
      .otherInput
    }
  }

  private static func kind(of effect: AppEffect) -> Self {
    switch effect {
    case .notify, .write, .writeWithoutResponse: .transmit
    case .publish, .advertise, .scan, .connect: .presence
    case .setTimer, .cancelTimer: .timer
    case .network(.send): .streamSend
    case .network: .networkEffect
    case .stopAdvertising, .stopScanning, .cancelConnect, .disconnect, .exchangeMTU, .discover, .subscribe, .read,
      .setValue, .keep, .keepMore, .gatt, .gap, .channel, .report:
      .otherEffect
    }
  }
}
