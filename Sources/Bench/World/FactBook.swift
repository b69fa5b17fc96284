import AppSeam

/// What is known of each device from its inputs and reports: what conditions and expectations are decided by.
///
/// What an app shows is kept by its protocol; links and advertised names are the same for all. A fact that nobody can
/// tell of a device is left out of every condition: see `AppFactStatement.canBeAsked`.
struct FactBook {
  private struct Page {
    var links: [(link: LinkID, attMTU: Int)] = []
    var advertisedName: String?
  }

  private let cast: AppCast
  private var pages: [Page]
  private var apps: [any AppFacts]
  /// Index in `apps`, by device.
  private let appOf: [Int?]

  init(_ scenario: Scenario, _ cast: AppCast) {
    self.cast = cast
    pages = Array(repeating: Page(), count: cast.members.count)
    apps = scenario.apps.map { $0.app.makeFacts(cast) }
    appOf = cast.members.map { member in scenario.apps.firstIndex { $0.app.name == member.app } }
  }

  private func facts(of device: Int) -> (any AppFacts)? { appOf[device].map { apps[$0] } }

  func peerID(of device: Int) -> String? { facts(of: device)?.peerID(of: device) }
  func columns(of device: Int) -> [RunOutcome.Column] { facts(of: device)?.columns(of: device) ?? [] }

  // MARK: Reading

  /// - Parameter peer: for a new link the device at its other end, for a discovery the advertiser; nil when unknown.
  mutating func read(_ input: AppInput, device: Int, peer: Int?) {
    switch input {
    case .launched, .radioPower(false): pages[device].links.removeAll()
    case .connected(let link, _): pages[device].links.append((link, 23))
    case .disconnected(let link, _): pages[device].links.removeAll { $0.link == link }
    case .attMTU(let link, let mtu):
      if let index = pages[device].links.firstIndex(where: { $0.link == link }) {
        pages[device].links[index].attMTU = mtu
      }
    case .discovered(let advertisement):
      if let advertiser = peer {
        pages[advertiser].advertisedName = advertisement.localName ?? pages[advertiser].advertisedName
      }
    default: break
    }
    if let app = appOf[device] { apps[app].read(input, device: device, peer: peer) }
  }

  func read(_ report: AppReport, device: Int) { facts(of: device)?.read(report, device: device) }

  // MARK: Deciding

  func holds(_ condition: Condition) -> Bool {
    switch condition {
    case .all(let parts): parts.allSatisfy(holds)
    case .any(let parts): parts.contains(where: holds)
    case .devices(let devices, let quantifier, let fact): holds(fact, fact.asked(of: devices, cast), quantifier)
    }
  }

  /// When nobody can be asked, nothing holds.
  private func holds(_ fact: Condition.Fact, _ devices: [Int], _ quantifier: Condition.Quantifier) -> Bool {
    if devices.isEmpty { return false }
    switch quantifier {
    case .every: return devices.allSatisfy { holds(fact, $0) }
    case .any: return devices.contains { holds(fact, $0) }
    case .none: return !devices.contains { holds(fact, $0) }
    }
  }

  private func holds(_ fact: Condition.Fact, _ device: Int) -> Bool {
    switch fact {
    case .advertisedNameContains(let text):
      return pages[device].advertisedName.map { Self.contains($0, text) } ?? false
    case .count(let counted, let comparison, let bound): return comparison.holds(count(counted, device), bound)
    case .app(let fact): return facts(of: device)?.holds(fact, device: device) ?? false
    }
  }

  private func count(_ counted: Condition.Counted, _ device: Int) -> Int {
    switch counted {
    case .links: pages[device].links.count
    case .attMTU: pages[device].links.map(\.attMTU).min() ?? 0
    }
  }

  /// One line on how a condition stands, for a failed expectation.
  func detail(_ condition: Condition, names: [String]) -> String {
    switch condition {
    case .all(let parts), .any(let parts):
      return parts.filter { !holds($0) }.map { detail($0, names: names) }.joined(separator: "; ")
    case .devices(let devices, let quantifier, let fact):
      let asked = fact.asked(of: devices, cast)
      if asked.isEmpty { return "nobody here can be asked" }
      let missing = asked.filter { holds(fact, $0) == (quantifier == .none) }
      return missing.map { "\(names[$0]): \(value(fact, $0))" }.joined(separator: ", ")
    }
  }

  private func value(_ fact: Condition.Fact, _ device: Int) -> String {
    switch fact {
    case .advertisedNameContains:
      "advertises \(pages[device].advertisedName.map { "“\($0)”" } ?? "no name")"
    case .count(let counted, _, _): "has \(count(counted, device))"
    case .app(let fact): facts(of: device)?.detail(fact, device: device) ?? "has no app"
    }
  }

  private static func contains(_ text: String, _ part: String) -> Bool {
    let text = Array(text.utf8)
    let part = Array(part.utf8)
    if part.isEmpty { return true }
    if part.count > text.count { return false }
    return (0...(text.count - part.count)).contains { Array(text[$0..<($0 + part.count)]) == part }
  }
}
