public import AppSeam
import Bench
public import BluetoothWire
public import Platform
public import SimKernel

/// The implementation under test seen from above: what its user does with it, and what it shows and asks for.
///
/// What it shows are its reports. An implementation may be one that does not report: a purpose that reads them names
/// the item of the ICS in `needs`.
public final class UpperTester {
  /// Its dense index.
  public let index: Int
  public let role: AppRole
  /// The case that it is part of.
  public unowned var bed: TestBed!
  /// The engine of the present launch; nil before the first.
  public private(set) var engine: (any AppEngine)?
  private var engines: [any FallibleEngine] = []

  /// Everything since the newest launch, in trace order.
  public private(set) var reports: [(record: Int, instant: SimInstant, report: AppReport)] = []
  /// What its app has asked for since the newest launch, in trace order.
  public private(set) var effects: [(record: Int, instant: SimInstant, effect: AppEffect)] = []
  /// What its app was told since the newest launch, in trace order.
  public private(set) var inputs: [(record: Int, instant: SimInstant, input: AppInput)] = []

  /// Reports that were looked for since the last check, each by the words of which one is enough.
  private var sought: [[String]] = []
  /// The same of the whole case.
  private var allSought: [[String]] = []
  /// Words of launches that are over.
  private var saidBefore: Set<String> = []

  init(index: Int, role: AppRole) {
    self.index = index
    self.role = role
  }

  /// Its address in the run.
  public var address: BluetoothAddress { bed.world.header.devices[index].address }

  /// The first breakdown of the case, whichever launch of the app it was.
  public var failure: IUTFailure? {
    for engine in engines { if let failure = engine.failure { return failure } }
    return nil
  }

  func launched(_ engine: any AppEngine) {
    closeAll()
    self.engine = engine
    if let fallible = engine as? any FallibleEngine { engines.append(fallible) }
  }

  /// What all launches of the app wrote for people.
  public var log: String { engines.map(\.log).joined() }

  /// Ends every process of the case.
  public func closeAll() {
    for engine in engines { engine.close() }
  }

  func observe(_ record: TraceRecord) {
    switch record.event {
    case .report(let report): reports.append((record.sequence, record.instant, report))
    case .effect(let effect): effects.append((record.sequence, record.instant, effect))
    case .input(.launched):
      saidBefore.formUnion(reports.map(\.report.name))
      reports.removeAll()
      effects.removeAll()
      inputs = [(record.sequence, record.instant, .launched)]
    case .input(let input): inputs.append((record.sequence, record.instant, input))
    default: break
    }
  }

  // MARK: Screen

  /// A check looks for a report; one of these words is enough.
  public func seeks(_ words: String...) {
    if sought.contains(words) { return }
    sought.append(words)
    if !allSought.contains(words) { allSought.append(words) }
  }

  /// What is looked for next belongs to another check.
  func seeksAnew() { sought.removeAll(keepingCapacity: true) }

  /// A report that was looked for since the last check, and that was never said in the case; nil: there is none.
  var unsaid: String? { unsaid(of: sought) }

  /// Reports that the case has looked for.
  var soughtWords: [String] { allSought.flatMap(\.self) }

  /// One that the case has looked for, and that was never said in it.
  var neverSaid: String? { unsaid(of: allSought) }

  private func unsaid(of sought: [[String]]) -> String? {
    if sought.isEmpty { return nil }
    let said = saidBefore.union(reports.map(\.report.name))
    return sought.first { words in !words.contains(where: said.contains) }?.first
  }

  // MARK: Hands

  /// The user does something.
  public func user(_ action: AppAction) {
    guard bed.gives("IUT's user: \(action)") else { return }
    bed.world.act(action, device: index)
  }

  /// Something happens to the device the implementation runs on.
  public func suffers(_ fault: DeviceFault, _ text: String) {
    guard bed.gives("IUT: \(text)") else { return }
    bed.world.apply(fault, device: index)
  }

  // MARK: Seam

  /// Links that are up, oldest first, as the platform told the app.
  public var links: [LinkID] {
    var links: [LinkID] = []
    for entry in inputs {
      if case .connected(let link, _) = entry.input { links.append(link) }
      if case .disconnected(let link, _) = entry.input { links.removeAll { $0 == link } }
    }
    return links
  }

  /// The record of the first thing it asked for, after a record, for which the condition holds.
  public func asked(after record: Int = -1, for condition: (AppEffect) -> Bool) -> Int? {
    effects.first { $0.record > record && condition($0.effect) }?.record
  }

  /// The record of the newest thing it was told for which the condition holds.
  public func lastTold(_ condition: (AppInput) -> Bool) -> Int? { inputs.last { condition($0.input) }?.record }

  /// What it advertises at present; nil when it does not.
  public var advertisement: AdvertisementRequest? {
    for entry in effects.reversed() {
      if case .advertise(let request) = entry.effect { return request }
      if case .stopAdvertising = entry.effect { return nil }
    }
    return nil
  }

  /// Whether it scans at present.
  public var isScanning: Bool {
    for entry in effects.reversed() {
      if case .scan = entry.effect { return true }
      if case .stopScanning = entry.effect { return false }
    }
    return false
  }
}
