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
  /// Reports that a claim looks at.
  private let read: Set<String>
  /// Roles of which a claim says what they hear.
  private let hearers: Set<AppRole>
  /// What the newest record says.
  private(set) var news: [FileEvent] = []
  /// Why octets of the newest record are no packet, and whose they are.
  private(set) var refusals: [(device: Int, link: LinkID, reason: String)] = []

  init(_ form: ProtocolForm, header: TraceHeader) {
    memory = RememberingCodec(form)
    streams = header.devices.map { _ in [] }
    read = Set(
      form.claims.flatMap { $0.kind.events + ($0.with.map { [$0] } ?? []) }.filter { $0.verb == .shows }.map(\.name))
    hearers = Set(
      form.claims.filter { $0.kind.reads(.hears) || $0.with?.verb == .hears }.map(\.role))
    super.init(
      header: header, parties: header.devices.enumerated().map { DeviceState(index: $0.offset, device: $0.element) })
  }

  override var keepsCauses: Bool { false }

  override func kind(of report: AppReport) -> TraceKind {
    report.among(FreeReport.self).map { read.contains($0.what) ? .otherReport : .other } ?? .other
  }

  override func take(_ record: TraceRecord) {
    news.removeAll(keepingCapacity: true)
    refusals.removeAll(keepingCapacity: true)
    let device = record.device
    switch record.event {
    case .input(let input): take(input, device)
    case .effect(.notify(let link, let uuid, let octets)),
      .effect(.writeWithoutResponse(let link, let uuid, let octets)):
      guard let place = stream(Flow(device: device, link: link, characteristic: uuid, isOwn: true)) else { return }
      streams[device][place].unanswered.append(octets)
    case .effect(.write(let link, let uuid, let octets)):
      receive(octets, Flow(device: device, link: link, characteristic: uuid, isOwn: true))
    case .effect(.publish): news.append(FileEvent(verb: .publishes, name: "", device: device, values: []))
    case .effect(.advertise): news.append(FileEvent(verb: .advertises, name: "", device: device, values: []))
    case .report(let report):
      guard let report = report.among(FreeReport.self) else { return }
      news.append(FileEvent(verb: .shows, name: report.what, device: device, values: report.values.fields))
    default: break
    }
  }

  private func take(_ input: AppInput, _ device: Int) {
    switch input {
    case .launched: if streams.indices.contains(device) { streams[device] = [] }
    case .connected(let link, _): news.append(FileEvent(verb: .links, name: "", device: device, link: link, values: []))
    case .disconnected(let link, _):
      if streams.indices.contains(device) { streams[device].removeAll { $0.flow.link == link } }
      news.append(FileEvent(verb: .unlinks, name: "", device: device, link: link, values: []))
    case .valueReceived(let link, let uuid, let octets):
      guard hearers.contains(parties[device].role) else { return }
      receive(octets, Flow(device: device, link: link, characteristic: uuid, isOwn: false))
    case .submitted(let link, let uuid, let isAccepted):
      let flow = Flow(device: device, link: link, characteristic: uuid, isOwn: true)
      guard let place = stream(flow), !streams[device][place].unanswered.isEmpty else { return }
      let octets = streams[device][place].unanswered.removeFirst()
      if isAccepted { receive(octets, flow) }
    case .user(let action):
      guard let action = action.among(FreeAction.self) else { return }
      news.append(FileEvent(verb: .does, name: action.what, device: device, values: action.values.fields))
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
              values: packet.fields))
        case .failure(let error):
          if flow.isOwn { refusals.append((flow.device, flow.link, error.reason)) }
        }
      case .dropped(let reason): if flow.isOwn { refusals.append((flow.device, flow.link, reason)) }
      }
    }
  }
}
