import Bench
import Expectations
import Foundation

/// Scenarios that rooms of these tests play.
enum Rooms {
  /// A host, three clients, and what a lobby goes through: a client vanishes, the host is launched again.
  static let lobby = """
    summary: A lobby of three clients, one of which vanishes, and a host that is killed once.
    radio: living-room
    dialect: guide
    devices:
      host: { phone: iphone }
      client: { count: 3, phone: android, around: host, radius: 2 m }
    steps:
      - host: start hosting
      - all clients: join
      - { when: all clients in lobby, within: 15s }
      - { after: 2s, host: { set scenario: first-date } }
      - { after: 1s, label: gone, client-2: vanish }
      - { after: 20s, client-2: appear }
      - { after: 2s, host: relaunch }
      - { after: 1s, host: start hosting }
      - { after: 10s, host: { set scenario: first-date } }
      - { after: 1s, label: start, host: start lobby game }
    expect:
      - { that: client-1 has exactly 3 players, after: gone, within: 15s }
      - { that: all clients have at least 1 START_GAME packets, after: start, within: 5s }
      - everyone has no refused packets
      - everyone has no violations
    """

  /// The same as a file.
  static let lobbyFile: String = {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("lobby-\(UUID().uuidString).yaml")
    try? Data(lobby.utf8).write(to: file)
    return file.path
  }()

  /// Every scenario that the bench ships; two of them start programs in Python.
  static let shipped: [String] = {
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.hasSuffix(".yaml") }.sorted()
      .map { folder.appendingPathComponent($0).path }
  }()

  private static let folder = Repository.root.appendingPathComponent("Scenarios").resolvingSymlinksInPath()
}
