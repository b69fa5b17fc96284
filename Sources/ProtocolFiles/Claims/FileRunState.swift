import AppSeam
import Bench
import BluetoothWire
import Conformance
import SimKernel

/// Something that has happened at a device, in the words of claims.
struct FileEvent {
  var verb: EventForm.Verb
  var name: String
  var device: Int
  /// Nil: it has to do with no link.
  var link: LinkID?
  var values: [(name: String, value: FieldValue)]
  /// By `EventNumbers`; negative: nobody has looked for it.
  var number = -1

  subscript(field: String) -> FieldValue? { values.first { $0.name == field }?.value }

  /// Whether it is one of these.
  /// - Parameter others: events whose fields its conditions may name.
  func fits(_ form: EventForm, _ others: FileEvent?...) -> Bool { isNamed(as: form) && holds(form, others) }

  /// Whether it is one of these, conditions aside.
  func isNamed(as form: EventForm) -> Bool {
    guard verb == form.verb else { return false }
    if name == form.name { return true }
    return form.name == EventForm.anyPacket && (verb == .hears || verb == .sends)
  }

  private func holds(_ form: EventForm, _ others: [FileEvent?]) -> Bool {
    for condition in form.conditions {
      let isMet = condition.holds(self[condition.field]) { event, field in
        for other in others { if let other, other.name == event, let value = other[field] { return value } }
        return nil
      }
      if !isMet { return false }
    }
    return true
  }

  /// For messages.
  var text: String {
    let fields = values.map { "\($0.name) \($0.value.text)" }.joined(separator: ", ")
    return ([verb.rawValue, name].filter { !$0.isEmpty }.joined(separator: " ")) + (fields.isEmpty ? "" : ": " + fields)
  }
}

extension FileEvent {
  /// What an app asks of its platform, as far as claims and steps have words for it.
  init?(asked effect: AppEffect, _ device: Int, _ form: ProtocolForm) {
    self.init(verb: .connects, name: "", device: device, values: [])
    switch effect {
    case .publish(let service): (verb, values) = (.publishes, [("services", form.names(of: [service.uuid]))])
    case .advertise(let request):
      verb = .advertises
      values = [("name", .text(request.localName)), ("services", form.names(of: request.serviceUUIDs))]
    case .scan(let services): (verb, values) = (.scans, [("services", form.names(of: services))])
    case .connect: break
    case .stopAdvertising: (verb, name) = (.stops, EventForm.Verb.stopped[0])
    case .stopScanning: (verb, name) = (.stops, EventForm.Verb.stopped[1])
    default: return nil
    }
  }

  /// What a scan shows.
  init(_ advertisement: Advertisement, _ device: Int, _ form: ProtocolForm) {
    self.init(verb: .advertises, name: "", device: device, values: [])
    if let name = advertisement.localName { values.append(("name", .text(name))) }
    values.append(("services", form.names(of: advertisement.serviceUUIDs)))
  }
}

extension ProtocolForm {
  /// Services by the names of the file, others by their UUID.
  fileprivate func names(of uuids: [BluetoothUUID]) -> FieldValue {
    .list(uuids.map { uuid in .text(services.first { $0.uuid == uuid }?.name ?? uuid.description) })
  }
}

/// A run of an app of a protocol file: its packets are put together once for all claims.
final class FileRunState: RunState {
  private struct Flow {
    var device: Int
    var link: LinkID
    var characteristic: BluetoothUUID
    var isOwn: Bool
  }

  /// One direction of one characteristic of one link of a device.
  private struct Stream {
    var flow: Flow
    var assembler: FileAssembler
    /// Values that were handed over and not answered yet, in order.
    var unanswered: [[UInt8]] = []

    func isOf(_ flow: Flow) -> Bool {
      self.flow.link == flow.link && self.flow.isOwn == flow.isOwn && self.flow.characteristic == flow.characteristic
    }
  }

  private var memory: RememberingCodec
  var codec: PacketCodec { memory.codec }
  /// By device.
  private var streams: [[Stream]]
  let numbers: EventNumbers
  /// By device: whether a claim says what its role hears, and whether what people do is looked at.
  private let hears: [Bool]
  private let readsDeeds: Bool
  /// What the newest record says.
  private(set) var news: [FileEvent] = []
  /// Why octets of the newest record are no packet, and whose they are.
  private(set) var refusals: [(device: Int, link: LinkID, reason: String)] = []

  init(_ form: ProtocolForm, header: TraceHeader) {
    memory = RememberingCodec(form)
    streams = header.devices.map { _ in [] }
    numbers = EventNumbers(form)
    let hearers = form.claims.filter { claim in claim.events.contains { $0.verb == .hears } }.map(\.role)
    hears = header.devices.map { hearers.contains($0.role) }
    readsDeeds = form.claims.contains { claim in claim.events.contains { $0.verb == .does } }
    super.init(
      header: header, parties: header.devices.enumerated().map { DeviceState(index: $0.offset, device: $0.element) })
  }

  override var keepsCauses: Bool { false }

  override func kind(of report: AppReport) -> TraceKind {
    report.among(FreeReport.self).map { numbers.reports.contains($0.what) ? .otherReport : .other } ?? .other
  }

  override func take(_ record: TraceRecord) {
    if !news.isEmpty { news.removeAll(keepingCapacity: true) }
    if !refusals.isEmpty { refusals.removeAll(keepingCapacity: true) }
    let device = record.device
    switch record.event {
    case .input(let input): take(input, device)
    case .effect(.notify(let link, let uuid, let octets)),
      .effect(.writeWithoutResponse(let link, let uuid, let octets)):
      guard let place = stream(Flow(device: device, link: link, characteristic: uuid, isOwn: true)) else { return }
      streams[device][place].unanswered.append(octets)
    case .effect(.write(let link, let uuid, let octets)):
      receive(octets, Flow(device: device, link: link, characteristic: uuid, isOwn: true))
    case .effect(let effect):
      guard var event = FileEvent(asked: effect, device, codec.form), !event.verb.isNamed else { return }
      event.number = numbers[event.verb]
      news.append(event)
    case .report(let report):
      guard let report = report.among(FreeReport.self), let number = numbers.report(report.what) else { return }
      news.append(
        FileEvent(verb: .shows, name: report.what, device: device, values: report.values.fields, number: number))
    default: break
    }
  }

  private func take(_ input: AppInput, _ device: Int) {
    switch input {
    case .launched: if streams.indices.contains(device) { streams[device] = [] }
    case .connected(let link, _):
      news.append(
        FileEvent(verb: .links, name: "", device: device, link: link, values: [], number: numbers[.links]))
    case .disconnected(let link, _):
      if streams.indices.contains(device) { streams[device].removeAll { $0.flow.link == link } }
      news.append(
        FileEvent(verb: .unlinks, name: "", device: device, link: link, values: [], number: numbers[.unlinks]))
    case .valueReceived(let link, let uuid, let octets):
      guard hears.indices.contains(device), hears[device] else { return }
      receive(octets, Flow(device: device, link: link, characteristic: uuid, isOwn: false))
    case .submitted(let link, let uuid, let isAccepted):
      let flow = Flow(device: device, link: link, characteristic: uuid, isOwn: true)
      guard let place = stream(flow), !streams[device][place].unanswered.isEmpty else { return }
      let octets = streams[device][place].unanswered.removeFirst()
      if isAccepted { receive(octets, flow) }
    case .user(let action):
      guard readsDeeds, let action = action.among(FreeAction.self), let number = numbers.action(action.what) else {
        return
      }
      news.append(
        FileEvent(verb: .does, name: action.what, device: device, values: action.values.fields, number: number))
    default: break
    }
  }

  /// The place of a flow among those of its device; nil for a characteristic that is not the file's.
  private func stream(_ flow: Flow) -> Int? {
    guard streams.indices.contains(flow.device) else { return nil }
    for place in streams[flow.device].indices where streams[flow.device][place].isOf(flow) { return place }
    guard let form = codec.form.characteristic(flow.characteristic) else { return nil }
    streams[flow.device].append(Stream(flow: flow, assembler: FileAssembler(form.framing)))
    return streams[flow.device].count - 1
  }

  private func receive(_ octets: [UInt8], _ flow: Flow) {
    guard let place = stream(flow) else { return }
    let outcomes = streams[flow.device][place].assembler.receive(octets)
    let sender = flow.isOwn ? parties[flow.device].role : parties[flow.device].link(flow.link)?.peer?.role
    for outcome in outcomes {
      switch outcome {
      case .packet(let text, _):
        switch memory.decode(text, from: sender, on: flow.characteristic) {
        case .success(let packet):
          news.append(
            FileEvent(
              verb: flow.isOwn ? .sends : .hears, name: packet.name, device: flow.device, link: flow.link,
              values: packet.fields, number: numbers.packet(packet.kind, isOwn: flow.isOwn)))
        case .failure(let error):
          if flow.isOwn { refusals.append((flow.device, flow.link, error.reason)) }
        }
      case .dropped(let reason): if flow.isOwn { refusals.append((flow.device, flow.link, reason)) }
      }
    }
  }
}
