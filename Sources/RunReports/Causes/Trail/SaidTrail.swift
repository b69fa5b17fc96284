import AppSeam
import Bench
import SimKernel

/// How far a text came that somebody said to an app: who sent it to whom, whose app was given it, and who showed it.
///
/// Only texts that go over the air as they were said are followed, in values or in whole packets.
struct SaidTrail {
  /// The text left an app, or came to one.
  struct Passage {
    var device: Int
    /// The other end; nil: a stranger's, or nobody's in particular.
    var peer: Int?
    var link: LinkID?
    var instant: SimInstant
    var record: Int
    /// Octets of the text that it has, from the first one on; all of them, unless somebody cut it.
    var octets: Int
  }

  /// Shorter texts are in too many values by chance, in octets.
  static let shortest = 3

  let text: String
  let octets: [UInt8]
  /// What its person did with it, as the protocol calls it.
  let action: String
  let device: Int
  let instant: SimInstant
  let record: Int
  var allSent: [Passage] = []
  var allGiven: [Passage] = []
  var allShown: [Passage] = []
  /// How often it was said; what came is not told apart then.
  var times = 1
  /// A letter or a digit after it makes it another one.
  var isName = false

  init(_ text: String, action: String, device: Int, instant: SimInstant, record: Int) {
    (self.text, octets) = (text, Array(text.utf8))
    (self.action, self.device, self.instant, self.record) = (action, device, instant, record)
  }

  var length: Int { octets.count }
  /// Where it is whole.
  var sent: [Passage] { allSent.filter { $0.octets == length } }
  var given: [Passage] { allGiven.filter { $0.octets == length } }
  var shown: [Passage] { allShown.filter { $0.octets == length } }

  func hasSent(_ device: Int) -> Bool { sent.contains { $0.device == device } }
  func wasGiven(_ device: Int) -> Bool { given.contains { $0.device == device } }
  func hasShown(_ device: Int) -> Bool { shown.contains { $0.device == device } }

  /// How many octets of it from one on are together somewhere in a value: all that are left of it, or at least an
  /// eighth of it and eight octets; else nothing.
  func octets(from begin: Int, in value: [UInt8]) -> Int {
    guard begin < length else { return 0 }
    var most = 0
    for place in value.indices where value[place] == octets[begin] {
      var count = 1
      while begin + count < length, place + count < value.count, value[place + count] == octets[begin + count] {
        count += 1
      }
      let next = place + count < value.count ? value[place + count] : 0
      if isName, begin + count == length, Character(Unicode.Scalar(next)).isASCIIWord { continue }
      most = max(most, count)
    }
    return begin + most == length || most >= max(8, length / 8) ? most : 0
  }

  /// Names with a number in a text, as `line-6`, but those of devices; at most four.
  static func names(in text: String, of header: TraceHeader) -> [String] {
    let words = text.split { !($0.isASCIIWord || $0 == "-" || $0 == "_") }.map(String.init)
    var names: [String] = []
    for word in words where word.count >= shortest {
      guard word.contains(where: \.isNumber), word.contains(where: \.isLetter) else { continue }
      let isDevice = header.devices.contains { word.contains($0.name) }
      if !isDevice, !names.contains(word), names.count < 4 { names.append(word) }
    }
    return names
  }

  /// The texts of an action that are long enough to be followed, each once.
  static func texts(of action: AppAction) -> [String] {
    let all: [String]
    if let free = action.among(FreeAction.self) {
      all = free.values.map(\.value)
    } else {
      all = action.statement.shape.fields.filter { $0.kind == .text }.map(\.value)
    }
    var texts: [String] = []
    for text in all where text.utf8.count >= shortest && !texts.contains(text) { texts.append(text) }
    return texts
  }
}

extension Character {
  fileprivate var isASCIIWord: Bool { isASCII && (isLetter || isNumber) }
}
