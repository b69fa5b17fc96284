import AppSeam
import Bench
import BluetoothWire
import Conformance
import SimKernel

/// The test bed of a protocol file: testers of another role than the implementation's.
final class FileBed: TestBed {
  let form: ProtocolForm
  let testers: Testers<FileTester>

  init(_ form: ProtocolForm, _ setup: CaseSetup) {
    var testers = Testers<FileTester>()
    for (index, device) in setup.played { testers.append(FileTester(form, index: index, device)) }
    self.form = form
    self.testers = testers
    super.init(setup, testers: TestBed.present(testers.withAbsent))
    for tester in testers.withAbsent { tester.bed = self }
  }

  override var firstSteps: [FirstStep] {
    form.serves(iut.role)
      ? (form.publishes(iut.role) ? [FirstStep(.publish, Cause("never publishes its service", clause: ""))] : [])
        + [FirstStep(.advertise, Cause("never advertises", clause: ""))]
      : [
        FirstStep(.scan, Cause("never scans", clause: "")),
        FirstStep(.connect, Cause("connects to nobody", clause: "")),
        FirstStep(.discover, Cause("never discovers the service", clause: "")),
      ]
  }

  /// Plays the steps of a purpose, one after the other.
  func play(_ purpose: ProtocolForm.Purpose) throws {
    for step in purpose.arrange { try preamble { try play(step) } }
    for step in purpose.steps { try play(step) }
    if checks == 0 { throw inconclusive("the purpose has no step that checks anything") }
  }

  private func play(_ step: ProtocolForm.Purpose.Step) throws {
    switch step.kind {
    case .joins(let number): try joins(tester(number))
    case .leaves(let number): tester(number).leave()
    case .sends(let number, let name, let values):
      guard let packet = form.packets.first(where: { $0.name == name }) else { return }
      let said = try values.map { value in
        guard case .text(let text) = value.value else { return value }
        let filled = try self.filled(text, number)
        let kind = packet.fields.first { $0.name == value.name }?.kind
        return (value.name, kind.map { FieldValue.text(filled).fitted(to: $0) } ?? value.value)
      }
      do throws(PacketRefusal) {
        tester(number).say(try packet.encode(said), on: packet.characteristic, note: "sends \(name)")
      } catch {
        throw inconclusive(error.reason)
      }
    case .sendsOctets(let number, let name, let octets):
      let found = form.services.flatMap(\.characteristics).first { $0.name == name }
      if let found {
        tester(number).say(octets, on: found.uuid, note: "sends \(String(hexadecimal: octets)) on \(name)")
      }
    case .forgets(let number): tester(number).forget()
    case .isUnlinked(let number, let span):
      let tester = tester(number)
      try expect("\(tester.name) is unlinked", within: span, actual: { "its link is up" }) { !tester.isLinked }
    case .staysLinked(let number, let span):
      let tester = tester(number)
      try never("\(tester.name) is unlinked", for: span, actual: { "its link was ended" }) { !tester.isLinked }
    case .hearsNothing(let number, let span):
      let tester = tester(number)
      try never("\(tester.name) hears anything", for: span, actual: { tester.newest }) { tester.hasNews }
    case .canJoin(let number, let span): try tester(number).join(within: span)
    case .hearsNext(let number, let form, let isOfItsKind, let span):
      let tester = tester(number)
      let event = try filled(form, number)
      let kind = isOfItsKind ? event : nil
      let text = "\(tester.name) \(event.text) \(isOfItsKind ? "first" : "next")"
      try expect(text, within: span, actual: { tester.newest }) { tester.next(like: kind) != nil }
      try require(text, actual: tester.next(like: kind)?.text ?? "", tester.takeNext(event, like: kind))
    case .hears(let number, let form, let span):
      let tester = tester(number)
      let event = try filled(form, number)
      try expect("\(tester.name) \(event.text)", within: span, actual: { tester.newest }) { tester.take(event) }
    case .hearsNo(let number, let form, let span):
      let tester = tester(number)
      let event = try filled(form, number)
      try never("\(tester.name) \(event.text)", for: span, actual: { tester.newest }) { tester.take(event) }
    case .user(var action):
      for place in action.values.indices { action.values[place].value = try filled(action.values[place].value, 0) }
      iut.user(AppAction(action))
    case .shows(let form, let span):
      let event = try filled(form, 0)
      let mark = shown
      try expect("the IUT \(event.text)", within: span, actual: { self.newestReport }) { self.takeReport(event) }
      shown = max(mark, shown)
    case .showsNo(let form, let span):
      let event = try filled(form, 0)
      try never("the IUT \(event.text)", for: span, actual: { self.newestReport }) { self.takeReport(event) }
    case .showsNothing(let span):
      try never("the IUT shows anything", for: span, actual: { self.newestReport }) {
        self.iut.reports.count > self.shown
      }
    case .screenForgets:
      shown = iut.reports.count
      asked = iut.effects.count
    case .asks(let event, let span):
      try expect("the IUT \(event.text)", within: span, actual: { "it does not" }) { self.takeAsked(event) }
    case .asksNo(let event, let span):
      try never("the IUT \(event.text)", for: span, actual: { "it does" }) { self.takeAsked(event) }
    case .suffers(let word): if let fault = KeyTable.plainFault(word) { iut.suffers(fault, word) }
    case .advertises(let number, let name): tester(number).advertise(name)
    case .finds(let number, let event, let span):
      let tester = tester(number)
      tester.scan()
      try expect("\(tester.name) finds who \(event.text)", within: span, actual: { tester.newestFound }) {
        tester.hasFound(event)
      }
    case .wait(let span): try pause(span)
    }
  }

  /// In an arrangement, and in a step, what keeps a tester from joining is no verdict.
  private func joins(_ tester: FileTester) throws { try preamble { try tester.join() } }

  // MARK: What was heard

  /// An event with what was heard in place of references to it.
  private func filled(_ event: EventForm, _ number: Int) throws -> EventForm {
    var event = event
    for place in event.conditions.indices {
      guard case .constant(let text) = event.conditions[place].operand else { continue }
      event.conditions[place].operand = .constant(try filled(text, number))
    }
    return event
  }

  /// - Parameter number: the tester whose own news count before those of others.
  private func filled(_ text: String, _ number: Int) throws -> String {
    let own = testers.withAbsent.indices.contains(number) ? [tester(number)] : []
    let known = own + testers.withAbsent
    let filled = text.filled(form.packets) { packet, field in
      for tester in known { if let value = tester.heardField(packet, field) { return value } }
      return nil
    }
    guard let filled else { throw inconclusive("nobody has heard what “\(text)” stands for") }
    return filled
  }

  private func tester(_ number: Int) -> FileTester { testers.withAbsent[number] }

  /// Reports up to here were asked for.
  private var shown = 0

  private func takeReport(_ event: EventForm) -> Bool {
    for place in iut.reports.indices.dropFirst(shown) {
      guard let report = iut.reports[place].report.among(FreeReport.self) else { continue }
      let seen = FileEvent(verb: .shows, name: report.what, device: 0, values: report.values.fields)
      if seen.fits(event) {
        shown = place + 1
        return true
      }
    }
    return false
  }

  /// What its app asked for up to here was awaited.
  private var asked = 0

  private func takeAsked(_ event: EventForm) -> Bool {
    // A launch forgets what was asked before it.
    asked = min(asked, iut.effects.count)
    for place in iut.effects.indices.dropFirst(asked) {
      guard let seen = FileEvent(asked: iut.effects[place].effect, 0, form), seen.fits(event) else { continue }
      asked = place + 1
      return true
    }
    return false
  }

  private var newestReport: String {
    iut.reports.last?.report.among(FreeReport.self).map { "it showed \($0.what): \($0.values.text)" }
      ?? "it showed nothing"
  }
}

/// A peer that the bench plays: it joins by itself, and says what the steps say.
final class FileTester: PlayedDevice<FileBed> {
  private var peer: FilePeer
  private var heard: [FileEvent] = []
  private var refused: [String] = []
  private var mark = 0
  private var hasBegun = false
  private var isScanning = false
  private var found: [FileEvent] = []

  init(_ form: ProtocolForm, index: Int?, _ device: Device) {
    peer = FilePeer(form, device.role)
    peer.comesBack = false
    super.init(index: index, device)
  }

  override func take(_ input: AppInput, at now: SimInstant) {
    if isScanning, case .discovered(let advertisement) = input {
      found.append(FileEvent(advertisement, index, peer.form))
    }
    let (effects, news) = peer.take(input)
    for effect in effects { ask(effect) }
    for news in news {
      if let packet = news.packet {
        heard.append(
          FileEvent(verb: .hears, name: packet.name, device: index, link: news.link, values: packet.fields))
      }
      if let refusal = news.refusal { refused.append(refusal) }
    }
  }

  func join(within limit: SimDuration = .seconds(10)) throws {
    guard gives("joins") else { return }
    if !hasBegun || peer.link == nil { for effect in peer.begin() { ask(effect) } }
    hasBegun = true
    try bed.expect(
      "\(name) has joined", within: limit, actual: { "it has not come further than \(self.progress)" }
    ) {
      peer.stage == .joined
    }
    // An implementation subscribes to one after the other, and perhaps not to all.
    if peer.serves { _ = try bed.wait(.seconds(2)) { peer.isWhollySubscribed } }
  }

  private var progress: String {
    switch peer.stage {
    case .idle: "nothing"
    case .sought: "looking for the IUT"
    case .linked: "a link"
    case .joined: "all subscriptions"
    }
  }

  func leave() { if gives("leaves") { for effect in peer.leave() { ask(effect) } } }

  func say(_ packet: [UInt8], on characteristic: BluetoothUUID, note: String) {
    guard gives(note), let link = peer.link else { return }
    for effect in (try? peer.say(packet, on: characteristic, to: link.id)) ?? [] { ask(effect) }
  }

  /// - Parameter name: nil: it stops.
  func advertise(_ name: String?) {
    guard gives(name.map { "advertises “\($0)”" } ?? "stops advertising") else { return }
    ask(name.map { .advertise(peer.advertisement(named: $0)) } ?? .stopAdvertising)
  }

  func scan() {
    if isScanning || !gives("scans") { return }
    isScanning = true
    ask(.scan(services: peer.wanted))
  }

  func hasFound(_ event: EventForm) -> Bool { found.contains { $0.fits(event) } }
  var newestFound: String { found.last.map { "it has found who \($0.text)" } ?? "it has found nobody" }

  var isLinked: Bool { peer.link != nil }
  var hasNews: Bool { heard.count > mark }
  func forget() { mark = heard.count }

  /// A field of the newest packet of a kind up to the last one that was asked for.
  func heardField(_ packet: String, _ field: String) -> FieldValue? {
    heard[..<mark].last { $0.name == packet && $0[field] != nil }?[field]
  }

  /// The packet after the last one that was asked for, of a kind where one is given.
  func next(like kind: EventForm?) -> FileEvent? {
    heard.dropFirst(mark).first { event in kind.map { event.isNamed(as: $0) } ?? true }
  }

  /// Whether the packet after the last one that was asked for, of a kind where one is given, is this one.
  func takeNext(_ event: EventForm, like kind: EventForm?) -> Bool {
    let place = heard.indices.dropFirst(mark).first { place in kind.map { heard[place].isNamed(as: $0) } ?? true }
    guard let place, heard[place].fits(event) else { return false }
    mark = place + 1
    return true
  }

  /// Whether a packet has come since the last one that was asked for.
  func take(_ event: EventForm) -> Bool {
    guard let place = heard.indices.dropFirst(mark).first(where: { heard[$0].fits(event) }) else { return false }
    mark = place + 1
    return true
  }

  /// What came instead, for people.
  var newest: String {
    if let refusal = refused.last { return "octets that are no packet: \(refusal)" }
    return heard.dropFirst(mark).last.map { "it \($0.text)" } ?? (peer.link == nil ? "it has no link" : "nothing came")
  }
}
