import AppSeam
import BluetoothWire

/// Lowers wishes to what the seam has today, and lifts its inputs to facts.
///
/// The seam knows characteristics by UUID, discovers one service at a time, and answers reads and writes itself. What
/// cannot be lowered is refused with Apple's error; every difference is remarked once.
final class BareSeam {
  unowned let phone: VirtualPhone
  var tables: [RemoteTable] = []
  var submissions: [LinkID: [Submission]] = [:]
  /// Services that were given to the platform; it cannot take them back.
  var published: [ServiceDefinition] = []
  /// What the platform answers reads with.
  var values: [AttributeKey: [UInt8]] = [:]
  private var remarked: Set<CBRemark.Name> = []
  private var requestCount = 0

  /// What waits for `submitted`.
  enum Submission {
    case notification(AttributeKey)
    case write(ATT.Handle)
  }

  init(phone: VirtualPhone) { self.phone = phone }

  func remark(_ name: CBRemark.Name, _ text: String) {
    if remarked.insert(name).inserted { phone.remark(.limit, name, text) }
  }

  func lower(_ wish: PhoneWish) {
    switch wish {
    case .publish, .unpublish, .answer, .notify: lowerServer(wish)
    case .readRSSI(let id):
      remark(.seamSignalStrength, "the seam has no RSSI of links: readRSSI answers “operation not supported”")
      phone.take(.rssi(id, nil))
    case .setLatency:
      remark(.seamLatency, "the seam cannot ask for a connection latency: setDesiredConnectionLatency has no effect")
    case .publishChannel:
      remarkChannels()
      phone.take(.channelPublished(psm: 0, isRefused: true))
    case .unpublishChannel(let psm):
      remarkChannels()
      phone.take(.channelUnpublished(psm: psm))
    case .openChannel(let id, let psm):
      remarkChannels()
      phone.take(.channelOpened(id, psm: psm, nil))
    case .sendOnChannel, .closeChannel: remarkChannels()
    default: lowerClient(wish)
    }
  }

  private func remarkChannels() {
    remark(.seamChannels, "the seam has no L2CAP channels: they are refused with “operation not supported”")
  }

  /// The facts that an input of the seam comes to.
  func lift(_ input: AppInput) -> [PhoneFact] {
    switch input {
    case .servicesDiscovered(let id, let service, let characteristics):
      return discovered(id, service, characteristics)
    case .subscribed(let id, let uuid, let isOn): return subscribed(id, uuid, isOn)
    case .valueReceived(let id, let uuid, let octets): return received(id, uuid, octets)
    case .subscribeAnswered(let id, let uuid, let isOn): return configured(id, uuid, isOn).map { [$0] } ?? []
    case .notified(let id, let uuid, let octets):
      let table = table(id)
      return table.notifying.first { table.uuid($0) == uuid }.map { [.notified(id, $0, octets)] } ?? []
    case .valueRead(let id, let uuid, let octets):
      guard let handle = table(id).takeRead(uuid) else { return [] }
      return [.valueRead(id, handle, octets ?? [], error: octets == nil ? ATT.ErrorCode.unlikelyError.rawValue : nil)]
    case .writeCompleted(let id, let uuid, let error):
      guard let handle = table(id).takeWrite(uuid) else { return [] }
      return [.valueWritten(id, handle, error: error)]
    case .submitted(let id, _, let accepted):
      guard var list = submissions[id], !list.isEmpty else { return [] }
      let first = list.removeFirst()
      submissions[id] = list
      switch first {
      case .notification(let attribute): return [.notifySubmitted(id, attribute, accepted: accepted)]
      case .write(let handle): return [.submitted(id, handle, accepted: accepted)]
      }
    default: return []
    }
  }

  func nextRequest() -> RequestID {
    requestCount += 1
    return RequestID(requestCount - 1)
  }

  func table(_ id: LinkID) -> RemoteTable {
    if let table = tables.first(where: { $0.link == id }) { return table }
    let table = RemoteTable(link: id)
    tables.append(table)
    return table
  }

  func forget(_ id: LinkID) {
    tables.removeAll { $0.link == id }
    submissions[id] = nil
  }

  func forgetLinks() {
    tables.removeAll()
    submissions.removeAll()
  }
}
