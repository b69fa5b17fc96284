import AppSeam
import BluetoothWire
import Platform
import SimKernel
import VirtualRadio

/// What is known of each device from its inputs and reports: what conditions and expectations are decided by.
///
/// What an app shows is kept by its protocol; links and advertised names are the same for all. A fact that nobody can
/// tell of a device is left out of every condition: see `AppFactStatement.canBeAsked`.
/// A class, since it is asked at every report: a structure in a world is copied to be asked, with seven references.
final class FactBook {
  private struct Page {
    var links: [(link: LinkID, attMTU: Int)] = []
    var advertisedName: String?
    /// Why its latest link ended.
    var reason: HCI.ErrorCode?
    var advertisingTimeouts = 0
  }

  private let cast: AppCast
  private let hasHostile: Bool
  private var pages: [Page]
  /// Whether the app of a device has run: what one does not do that never ran says nothing of it. An app that begins
  /// with the run counts from the start; one that is not ours, and a device without an app, always do.
  private var hasRun: [Bool]
  private let apps = Roster<Seated<any AppFacts>>()
  /// Whether a measure or some app's facts are told of values.
  private let readsValues: Bool
  /// Nil when no condition is about a figure.
  private var measures: MeasureBook?
  /// The names of the reports that a program has said so far, by device; of other apps none are kept.
  private var said: [[String]]
  let hasPrograms: Bool
  /// By device: the programs whose people see on it what their own app never says.
  let neighbours: [[Int]]
  /// Index in `apps`, by device.
  private let appOf: [Int?]

  init(_ scenario: Scenario, _ cast: AppCast, _ radio: RadioWorld) {
    self.cast = cast
    hasHostile = cast.members.contains(where: \.isHostile)
    pages = Array(repeating: Page(), count: cast.members.count)
    said = Array(repeating: [], count: cast.members.count)
    hasPrograms = cast.members.contains(where: \.isProgram)
    neighbours = cast.members.indices.map { Self.neighbours(of: $0, cast) }
    hasRun = cast.members.indices.map { device in
      let member = cast.members[device]
      return member.isForeign && !member.isMute || member.app == nil || scenario.devices[device].starts == .zero
    }
    measures = MeasureBook(scenario, radio)
    for app in scenario.apps { apps.append(Seated(app.app.makeFacts(cast, settings: app.settings))) }
    readsValues = measures != nil || apps.contains { $0.occupant.readsValues }
    appOf = cast.members.map { member in scenario.apps.firstIndex { $0.app.name == member.app } }
  }

  private func facts(of device: Int) -> (any AppFacts)? { appOf[device].map { apps[$0].occupant } }

  func peerID(of device: Int) -> String? { facts(of: device)?.peerID(of: device) }
  func columns(of device: Int) -> [RunOutcome.Column] { facts(of: device)?.columns(of: device) ?? [] }

  // MARK: Reading

  /// - Parameter peer: for a new link the device at its other end, for a discovery the advertiser; nil when unknown.
  func read(_ input: AppInput, device: Int, peer: Int?, at now: SimInstant) {
    switch input {
    case .valueReceived, .submitted: if !readsValues { return }
    default: break
    }
    measures?.read(input, device: device, peer: peer, at: now)
    switch input {
    case .launched:
      hasRun[device] = true
      pages[device].links.removeAll()
    case .radioPower(false): pages[device].links.removeAll()
    case .connected(let link, _): pages[device].links.append((link, 23))
    case .disconnected(let link, let reason):
      pages[device].links.removeAll { $0.link == link }
      pages[device].reason = reason
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
    if let app = appOf[device] { apps.with(app) { $0.occupant.read(input, device: device, peer: peer) } }
  }

  func read(_ effect: AppEffect, device: Int, at now: SimInstant) {
    measures?.read(effect, device: device, at: now)
  }

  func read(_ remark: PlatformRemark, device: Int) {
    if remark.kind == .advertisingTimeout { pages[device].advertisingTimeouts += 1 }
  }

  func read(_ report: AppReport, device: Int) {
    if cast.members[device].isProgram { hear(report, device) }
    if let app = appOf[device] { apps.with(app) { $0.occupant.read(report, device: device) } }
  }

  private func hear(_ report: AppReport, _ device: Int) {
    let name = report.name
    if !said[device].contains(name) { said[device].append(name) }
  }

  /// An app was launched that has promised to make these reports.
  func promise(_ words: [String], device: Int) {
    for word in words where !said[device].contains(word) { said[device].append(word) }
  }

  // MARK: Words that programs leave out

  /// Whether a device is none of which it is known that it says this word.
  func isUnsaid(_ word: String, by device: Int) -> Bool {
    cast.members[device].isProgram && !cast.members[device].isForeign && !said[device].contains(word)
  }

  /// The programs whose people see on a device what their own app never says: those that it leads, or its leader, which
  /// one device of its lobby tells.
  private static func neighbours(of device: Int, _ cast: AppCast) -> [Int] {
    cast.members.indices.filter { other in
      let (member, program) = (cast.members[device], cast.members[other])
      guard other != device, program.isProgram, !program.isForeign, !member.isForeign, program.app == member.app else {
        return false
      }
      if program.leader != other { return program.leader == device }
      return device
        == cast.members.indices.first {
          $0 != other && cast.members[$0].leader == other && !cast.members[$0].isForeign
        }
    }
  }

  private func holdsOfSilence(_ fact: Condition.Fact, _ device: Int) -> Bool {
    if case .app(let fact) = fact { facts(of: device)?.holdsOfSilence(fact) ?? false } else { false }
  }

  private func unsaid(_ fact: Condition.Fact, _ device: Int) -> [ReportGrounds] {
    guard hasPrograms, case .app(let fact) = fact, let facts = facts(of: device) else { return [] }
    return facts.grounds(of: fact, device: device).filter { ground in
      ground.sayers.allSatisfy { hasRun[$0.device] && isUnsaid($0.word, by: $0.device) }
    }
  }

  /// Why a condition is not decided, where that is because programs do not say a word of it: each with its device.
  func unsaid(_ condition: Condition, at now: SimInstant) -> [(device: Int, grounds: [ReportGrounds])] {
    guard hasPrograms else { return [] }
    switch condition {
    case .all(let parts), .any(let parts): return parts.flatMap { unsaid($0, at: now) }
    case .devices(let devices, let quantifier, let fact):
      return fact.asked(of: devices, cast).compactMap { device in
        guard answer(fact, device, quantifier, now) == nil else { return nil }
        let grounds = unsaid(fact, device)
        return grounds.isEmpty ? nil : (device, grounds)
      }
    }
  }

  // MARK: Deciding

  func holds(_ condition: Condition, at now: SimInstant) -> Bool { judge(condition, at: now) == true }

  /// What one who waits for a condition goes by; an expectation is answered by `answer`.
  ///
  /// Nil as long as it is unknown, which only a measure without samples and a reason without a disconnection are: what
  /// is unknown neither holds nor fails, whoever asks for it or for its opposite.
  func judge(_ condition: Condition, at now: SimInstant) -> Bool? {
    switch condition {
    case .all(let parts): Self.combined(parts.lazy.map { self.judge($0, at: now) }, decidedBy: false)
    case .any(let parts): Self.combined(parts.lazy.map { self.judge($0, at: now) }, decidedBy: true)
    case .devices(let devices, let quantifier, let fact):
      isAboutHostileOnly(devices) ? true : judge(fact, fact.asked(of: devices, cast), quantifier, now)
    }
  }

  /// Nobody waits for those of whom nothing is claimed.
  private func isAboutHostileOnly(_ devices: [Int]) -> Bool {
    hasHostile && devices.allSatisfy { cast.members[$0].isHostile }
  }

  /// When nobody can be asked, nothing holds.
  private func judge(
    _ fact: Condition.Fact, _ devices: [Int], _ quantifier: Condition.Quantifier, _ now: SimInstant
  ) -> Bool? {
    if devices.isEmpty { return false }
    let answers = devices.lazy.map { self.judge(fact, $0, now) }
    return switch quantifier {
    case .every: Self.combined(answers, decidedBy: false)
    case .any: Self.combined(answers, decidedBy: true)
    case .none: Self.combined(answers, decidedBy: true).map { !$0 }
    }
  }

  /// One answer of the decisive kind is enough; without it, what is unknown leaves the whole unknown.
  private static func combined(_ answers: some Sequence<Bool?>, decidedBy decisive: Bool) -> Bool? {
    var all: Bool? = !decisive
    for answer in answers {
      if answer == decisive { return decisive }
      if answer == nil { all = nil }
    }
    return all
  }

  /// What an expectation comes to; nil: nobody can be asked, or it is fulfilled only by what an app does not do that
  /// never ran, or rests on what a program does not show that never reports it. A figure without a sample is
  /// unknown as well, and broken when it is due.
  func answer(_ condition: Condition, at now: SimInstant, isDue: Bool) -> Bool? {
    switch condition {
    case .all(let parts):
      return Self.combined(parts.lazy.map { self.answer($0, at: now, isDue: isDue) }, decidedBy: false)
    case .any(let parts):
      return Self.combined(parts.lazy.map { self.answer($0, at: now, isDue: isDue) }, decidedBy: true)
    case .devices(let devices, let quantifier, let fact):
      let asked = fact.asked(of: devices, cast)
      if asked.isEmpty { return nil }
      let answers = asked.lazy.map { self.answer(fact, $0, quantifier, now) }
      let answer: Bool? =
        switch quantifier {
        case .every: Self.combined(answers, decidedBy: false)
        case .any: Self.combined(answers, decidedBy: true)
        case .none: Self.combined(answers, decidedBy: true).map { !$0 }
        }
      return answer == nil && isDue && asked.contains { judge(fact, $0, now) == nil } ? false : answer
    }
  }

  /// What one device contributes; nil: it is unknown, its app never ran, or never showed what the answer rests on.
  private func answer(
    _ fact: Condition.Fact, _ device: Int, _ quantifier: Condition.Quantifier, _ now: SimInstant
  ) -> Bool? {
    let answer = judge(fact, device, now)
    let isWanted = answer == (quantifier != .none)
    if isWanted, !hasRun[device] { return nil }
    // What is shown fulfils a condition, whatever else is not shown; silence neither fulfils nor breaks one.
    let isShown = isWanted && answer == true && !holdsOfSilence(fact, device)
    return answer != nil && !isShown && !unsaid(fact, device).isEmpty ? nil : answer
  }

  /// Whether nobody can ever be asked about any part of a condition.
  func isUnanswerable(_ condition: Condition) -> Bool {
    switch condition {
    case .all(let parts), .any(let parts): parts.allSatisfy(isUnanswerable)
    case .devices(let devices, _, let fact): fact.asked(of: devices, cast).isEmpty
    }
  }

  /// Why a condition is unknown at its end, and the devices in question, ascending.
  func gap(_ condition: Condition, at now: SimInstant, names: [String]) -> (words: String, devices: [Int]) {
    switch condition {
    case .all(let parts), .any(let parts):
      let gaps = parts.filter { answer($0, at: now, isDue: true) == nil }.map { gap($0, at: now, names: names) }
      return (gaps.map(\.words).joined(separator: "; "), Set(gaps.flatMap(\.devices)).sorted())
    case .devices(let devices, _, let fact):
      let asked = fact.asked(of: devices, cast)
      let unsaid = unsaid(condition, at: now)
      if !unsaid.isEmpty {
        return (ReportGrounds.text(unsaid.flatMap(\.grounds)) { names[$0] }, unsaid.map(\.device))
      }
      let silent = asked.filter { !hasRun[$0] }
      if !asked.isEmpty { return ("no answer: the app of \(Self.list(silent, names)) never ran", silent) }
      let (who, isOne) = (Self.list(devices, names), devices.count == 1)
      let cause =
        devices.allSatisfy { cast.members[$0].isHostile }
        ? "\(who) \(isOne ? "is" : "are") hostile" : "what \(who) \(isOne ? "shows" : "show") is unknown"
      return ("no answer: " + cause, devices)
    }
  }

  private static func list(_ devices: [Int], _ names: [String]) -> String {
    let told = devices.prefix(3).map { names[$0] }
    let rest = devices.count - told.count
    if rest > 0 { return told.joined(separator: ", ") + " and \(rest) more" }
    return told.count < 2 ? told.joined() : told.dropLast().joined(separator: ", ") + " and " + told[told.count - 1]
  }

  private func judge(_ fact: Condition.Fact, _ device: Int, _ now: SimInstant) -> Bool? {
    switch fact {
    case .advertisedNameContains(let text):
      return pages[device].advertisedName.map { Self.contains($0, text) } ?? false
    case .count(let counted, let comparison, let bound): return comparison.holds(count(counted, device), bound)
    case .measure(let measure): return measures?.figure(measure, device, at: now).map { measure.holds($0) }
    case .disconnected(let reason): return pages[device].reason.map { $0 == reason }
    case .app(let fact): return facts(of: device)?.holds(fact, device: device) ?? false
    }
  }

  private func count(_ counted: Condition.Counted, _ device: Int) -> Int {
    switch counted {
    case .links: pages[device].links.count
    case .attMTU: pages[device].links.map(\.attMTU).min() ?? 0
    case .advertisingTimeouts: pages[device].advertisingTimeouts
    }
  }

  /// One line on how a condition stands, for a failed expectation.
  func detail(_ condition: Condition, at now: SimInstant, names: [String]) -> String {
    switch condition {
    case .all(let parts), .any(let parts):
      return parts.filter { !holds($0, at: now) }.map { detail($0, at: now, names: names) }.joined(separator: "; ")
    case .devices(let devices, let quantifier, let fact):
      let asked = fact.asked(of: devices, cast)
      if asked.isEmpty { return "no device provides this fact" }
      return grouped(missing(devices, quantifier, fact, now), of: asked, names) { value(fact, $0, now, names) }
    }
  }

  /// What is so of devices, those of whom the same is so together: `client-1, client-2: phase LOBBY`.
  private func grouped(_ devices: [Int], of asked: [Int], _ names: [String], _ words: (Int) -> String) -> String {
    var groups: [(words: String, devices: [Int])] = []
    for device in devices {
      let words = words(device)
      if let place = groups.firstIndex(where: { $0.words == words }) {
        groups[place].devices.append(device)
      } else {
        groups.append((words, [device]))
      }
    }
    let told = groups.prefix(3).map { group in
      let isAll = group.devices.count == asked.count && asked.count > 2
      let who = isAll ? "all \(asked.count)" : group.devices.map { names[$0] }.joined(separator: ", ")
      return "\(who): \(group.words)"
    }
    let rest = groups.dropFirst(3).reduce(0) { $0 + $1.devices.count }
    return (told + (rest == 0 ? [] : ["and \(rest) more"])).joined(separator: "; ")
  }

  /// The devices of which a condition does not hold, ascending.
  func missing(_ condition: Condition, at now: SimInstant) -> [Int] {
    switch condition {
    case .all(let parts), .any(let parts):
      return Set(parts.filter { !holds($0, at: now) }.flatMap { missing($0, at: now) }).sorted()
    case .devices(let devices, let quantifier, let fact): return missing(devices, quantifier, fact, now)
    }
  }

  private func missing(
    _ devices: [Int], _ quantifier: Condition.Quantifier, _ fact: Condition.Fact, _ now: SimInstant
  ) -> [Int] {
    fact.asked(of: devices, cast).filter { judge(fact, $0, now) != (quantifier != .none) }
  }

  /// The figures that made a condition hold; empty when it is about none.
  func figures(_ condition: Condition, at now: SimInstant, names: [String]) -> String {
    switch condition {
    case .all(let parts), .any(let parts):
      return parts.map { figures($0, at: now, names: names) }.filter { !$0.isEmpty }.joined(separator: "; ")
    case .devices(let devices, _, .measure(let measure)):
      return devices.map { "\(names[$0]): \(value(.measure(measure), $0, now, names))" }.joined(separator: ", ")
    case .devices: return ""
    }
  }

  private func value(_ fact: Condition.Fact, _ device: Int, _ now: SimInstant, _ names: [String]) -> String {
    switch fact {
    case .advertisedNameContains:
      "advertises \(pages[device].advertisedName.map { "“\($0)”" } ?? "no name")"
    case .count(let counted, _, _): "has \(count(counted, device))"
    case .measure(let measure): measures?.detail(measure, device, at: now, names: names) ?? "is not measured"
    case .disconnected:
      pages[device].reason.map { "its latest link ended for \($0.reasonText)" } ?? "no link of it has ended"
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
