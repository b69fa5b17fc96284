import AppSeam
import BabSim
import Conformance

/// The published ways to speak Bab.
extension Profile {
  /// The bench's own: everything that any document says. A client asks for its seat.
  static let lobby = Profile(
    "lobby", "The guide with its part on the lobby: a seat is asked for, and the lobby is told.",
    dialects: [.guide, .sdk, .app], documents: ["design", "SDK", "guide", "lobby guide", "app", "Core"])

  static let bab: [Profile] = [
    lobby,
    Profile(
      "sdk", "The SDK's fifteen packets: whoever subscribes has a seat, and no packet tells of it.", dialects: [.sdk],
      documents: ["design", "SDK", "Core"], ics: sdkFeatures),
    Profile(
      "guide", "The multiplayer guide without its part on the lobby: as sdk, over the guide's service.",
      dialects: [.guide], documents: ["design", "SDK", "guide", "Core"], ics: sdkFeatures),
    Profile(
      "app", "The app's code: its service, its four players, and whoever subscribes has a seat.", dialects: [.app],
      documents: ["app", "Core"], ics: ICS([.endsLinks])),
  ]

  /// What the SDK's code does, if only for its own screen.
  private static let sdkFeatures = ICS([.roles, .turns, .votes, .scoring, .screen, .lenient, .endsLinks])

  /// Whether a seat is taken by subscribing, and not by CLIENT_JOIN.
  var seatsOnSubscription: Bool { !documents.contains("lobby guide") }

  /// Packets of the part of the guide on the lobby, which the fifteen of the SDK do not have: they are neither sent to
  /// whoever follows other documents, nor waited for.
  var foreignTypes: [PacketType] { seatsOnSubscription ? [.clientJoin, .lobbyUpdate, .startGame] : [] }
}
