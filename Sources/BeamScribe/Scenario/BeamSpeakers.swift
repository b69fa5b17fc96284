import AppSeam
import Bench
import SimKernel

/// The people at hosts: as long as an event is on they say partials and finals in their time.
///
/// What they say follows from the seed and the device's name, and has characters of every kind that packets treat in a
/// way of their own.
final class BeamSpeakers: AppPeople {
  private struct Speaker {
    var isHost: Bool
    var stream: RandomStream
    /// The words of the final that is being spoken.
    var sentence: [String] = []
    var partials = 0
    var finals = 0
  }

  private let speech: BeamSettings.Speech
  private var speakers: [Speaker]

  init(_ speech: BeamSettings.Speech, _ devices: [Device], seed: UInt64) {
    self.speech = speech
    speakers = devices.map { device in
      Speaker(
        isHost: device.role == .beamHost,
        stream: RandomStream(seed: seed, component: device.name, purpose: "beamscribe-speech"))
    }
  }

  func looks(at report: AppReport, device: Int) -> Bool {
    guard speakers[device].isHost else { return false }
    switch report.beamMark {
    case .state, .finalShown, .partialShown: return true
    default: return false
    }
  }

  func intention(after report: AppReport, device: Int, peerID: String?) -> PeopleIntention {
    guard speakers[device].isHost, let report = report.beam else { return .unchanged }
    switch report {
    case .state(let state): return state == BeamState.hosting.rawValue ? next(device) : .nothing
    case .finalShown, .partialShown: return next(device)
    default: return .unchanged
    }
  }

  private func next(_ device: Int) -> PeopleIntention {
    if let finals = speech.finals, speakers[device].finals >= finals { return .nothing }
    return .actAfter(nanoseconds: (speech.interval / Int64(speech.partials + 1)).nanoseconds)
  }

  func act(device: Int) -> AppAction? {
    if speakers[device].sentence.isEmpty { speakers[device].sentence = Self.sentence(&speakers[device].stream) }
    let sentence = speakers[device].sentence
    guard speakers[device].partials >= speech.partials else {
      speakers[device].partials += 1
      let heard = max(1, sentence.count * speakers[device].partials / (speech.partials + 1))
      return AppAction(BeamAction.speakPartial(Self.text(sentence.prefix(heard))))
    }
    speakers[device].partials = 0
    speakers[device].finals += 1
    speakers[device].sentence = []
    return AppAction(BeamAction.speakFinal(Self.text(sentence[...], end: ".")))
  }

  /// Words with spaces between them.
  private static func text(_ words: ArraySlice<String>, end: String = "") -> String {
    String(unsafeUninitializedCapacity: words.reduce(end.utf8.count) { $0 + $1.utf8.count + 1 }) { text in
      var count = 0
      func append(_ part: String) {
        var part = part
        part.withUTF8 { octets in
          _ = text[count...].initialize(fromContentsOf: octets)
          count += octets.count
        }
      }
      for word in words {
        if count > 0 { append(" ") }
        append(word)
      }
      append(end)
      return count
    }
  }

  private static let words = [
    "the", "talk", "begins", "with", "a", "slide", "about", "radio", "and", "light", "café", "naïve", "日本語", "🎤",
    "“quoted”", "\"straight\"", "back\\slash", "and/or", "tab\tstop", "👩‍🔬", "e\u{301}tude", "50 %", "ends", "here",
  ]

  private static func sentence(_ stream: inout RandomStream) -> [String] {
    (0..<stream.within(3...12)).map { _ in words[Int(stream.below(UInt64(words.count)))] }
  }
}
