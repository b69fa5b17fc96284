import Foundation

/// Keeps a host's session for its next launch; one that is too long is not kept at all.
final class HostKeeper {
  struct Session: Codable {
    var name: String
    var isBatteryLow: Bool
    var guests: [String]
    var finals: [String]
  }

  private let isOn: Bool
  private let store: (Data) -> Void
  private var session: Session?
  private var isTooLong = false

  init(isOn: Bool, keep: @escaping (Data) -> Void) {
    self.isOn = isOn
    store = keep
  }

  static func session(_ data: Data) -> Session? { try? JSONDecoder().decode(Session.self, from: data) }

  func keep(_ session: Session) {
    self.session = session
    isTooLong = false
    write()
  }

  func add(_ final: String) {
    session?.finals.append(final)
    write()
  }

  func forget() {
    session = nil
    if isOn { store(Data()) }
  }

  private func write() {
    guard isOn, !isTooLong, let session else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(session) else { return }
    isTooLong = data.count > Beam.longestKept
    store(isTooLong ? Data() : data)
  }
}
