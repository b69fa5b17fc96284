import BluetoothWire
import CaptureFormats
import SimKernel

/// Reads captures and keeps what is drawn of them.
final class PictureRecorder {
  /// A record whose devices are known only at the end.
  private struct Draft {
    var record: CapturePicture.Record
    var from: PictureDevices.Key
    var to: PictureDevices.Key?
    var link: TrafficLink?
    var fromCentral: Bool?
  }

  private struct DraftMessage {
    var link: TrafficLink
    var fromCentral: Bool
    var message: CapturePicture.Message
  }

  private struct Partial {
    var sentAt: SimInstant
    var fragments = 0
  }

  private let limits: CapturePicture.Limits
  private let selection: PictureSelection
  private let inspector: PacketInspector
  private let watcher = PictureWatcher()
  private let names = PeerNames()
  private var drafts: [Draft] = []
  private var messages: [DraftMessage] = []
  private var remarks: [(link: TrafficLink?, draft: Int, remark: CapturePicture.Remark)] = []
  private var linkOfIndex: [Int: TrafficLink] = [:]
  private var linkOrder: [Int] = []
  private var partials = PerLink(PerSide(nil as Partial?))
  private var octets = 0
  private var ordinal = 0
  private var newest: [Int]
  private var omittedRemarks = 0
  /// Records that had no room, or were not chosen.
  private(set) var omitted = 0
  private var isFull = false

  init(
    _ selection: PictureSelection, captures: Int, protocols: [SpokenProtocol], limits: CapturePicture.Limits,
    viewpoints: [Int] = []
  ) {
    self.limits = limits
    self.selection = selection
    newest = Array(repeating: 0, count: captures)
    var style = PacketInspector.Style()
    style.isVerbose = true
    inspector = PacketInspector(
      filter: InspectFilter(), style: style, protocols: protocols, observers: [watcher, names],
      viewpoints: viewpoints)
  }

  /// Whether nothing that comes is drawn.
  var isDone: Bool { isFull || selection.isOver(ordinal, newest: newest) }

  func read(_ record: CaptureRecord, file: Int, at time: SimInstant) {
    let instant = CapturePicture.bounded(time)
    ordinal += 1
    newest[file] = record.number
    let place = PacketPlace(file: file, number: record.number)
    watcher.begin()
    guard selection.draws(ordinal, place) else {
      inspector.follow(record, file: file, at: time)
      noteNews(place, instant)
      forgetPartials()
      return
    }
    let words = inspector.words(record, file: file, at: time)
    if let link = watcher.link { know(link) }
    noteNews(place, instant)
    for comment in record.comments { remark(nil, comment, place, instant, isComment: true) }
    let tree = PictureText.cut(words.tree, limits.charactersOfRecord)
    let kept = Array(record.octets.prefix(limits.octetsOfRecord))
    octets += tree.utf8.count + words.headline.utf8.count + kept.count
    if octets > limits.octets { isFull = true }
    drafts.append(draft(record, words, tree, kept, place, instant))
    add(words, place, end: instant + drafts[drafts.count - 1].record.duration)
  }

  private func know(_ link: TrafficLink) {
    if linkOfIndex.updateValue(link, forKey: link.index) == nil { linkOrder.append(link.index) }
  }

  private func draft(
    _ record: CaptureRecord, _ words: PacketInspector.Words, _ tree: String, _ kept: [UInt8], _ place: PacketPlace,
    _ instant: SimInstant
  ) -> Draft {
    var drawn = CapturePicture.Record(
      place: place, instant: instant, duration: .zero, from: -1, to: -1, link: watcher.link?.index, seam: .hci,
      isBroken: false, rfChannel: nil, words: words.headline, tree: tree, octets: kept,
      octetCount: record.octets.count, isEmpty: false)
    var draft = Draft(record: drawn, from: .capture(place.file), to: nil)
    switch record.body {
    case .hci(let adapter, _, _), .monitor(let adapter, _): draft.from = .adapter(file: place.file, number: adapter)
    case .air(let header):
      drawn.seam = .air
      drawn.isBroken = header.isCRCValid == false
      drawn.rfChannel = header.rfChannel.map(Int.init)
      drawn.duration = SimDuration(
        nanoseconds: LL.airTime(payloadLength: max(0, record.octets.count - 2), phy: header.phy))
      draft.record = drawn
      if header.accessAddress == LL.advertisingAccessAddress {
        (draft.from, draft.to) = Self.advertisingEnds(record.octets)
      } else {
        draft.record.isEmpty = record.octets.count >= 2 && record.octets.octet(at: 1) == 0
        draft.from = .stranger
        draft.link = watcher.link
        draft.fromCentral = watcher.fromCentral ?? header.isFromCentral
      }
    // Pictures are of links; packets of networks are drawn at nobody, as other remarks are.
    case .network, .text, .opaque: break
    }
    return draft
  }

  /// Who sends an advertising channel PDU, and to whom. Spec: Core v5.4, Vol 6, Part B, 2.3: TxAdd is bit 6 and RxAdd
  /// bit 7; the first address is the sender's, except that extended PDUs have theirs in a header (2.3.4).
  private static func advertisingEnds(
    _ octets: ArraySlice<UInt8>
  ) -> (from: PictureDevices.Key, to: PictureDevices.Key?) {
    guard let first = octets.first else { return (.stranger, nil) }
    func address(at offset: Int, isRandom: Bool) -> PictureDevices.Key? {
      guard octets.count >= offset + 6 else { return nil }
      let bits = octets.dropFirst(offset).prefix(6).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      return .address(BluetoothAddress(kind: isRandom ? .random : .publicDevice, bits: bits))
    }
    let isRandom = first & 0x40 != 0
    switch first & 0x0F {
    case LL.AdvertisingType.advInd, LL.AdvertisingType.advNonconnInd, LL.AdvertisingType.advScanInd,
      LL.AdvertisingType.scanRsp:
      return (address(at: 2, isRandom: isRandom) ?? .stranger, nil)
    case LL.AdvertisingType.advDirectInd, LL.AdvertisingType.scanReq, LL.AdvertisingType.connectInd:
      return (
        address(at: 2, isRandom: isRandom) ?? .stranger, address(at: 8, isRandom: first & 0x80 != 0)
      )
    case 0x07 where octets.count > 3 && octets.octet(at: 2) & 0x3F >= 7 && octets.octet(at: 3) & 1 != 0:
      return (address(at: 4, isRandom: isRandom) ?? .stranger, nil)
    default: return (.stranger, nil)
    }
  }

  // MARK: Messages and remarks

  private func add(_ words: PacketInspector.Words, _ place: PacketPlace, end: SimInstant) {
    for frame in watcher.frames {
      let began = CapturePicture.bounded(frame.sentAt)
      let label: String
      let heading: String
      var body = ""
      var sentAt = began
      var fragments = frame.fragments
      if let spoken = words.spoken.last {
        var partial = partials[frame.link][isCentral: frame.fromCentral] ?? Partial(sentAt: began)
        partial.fragments += 1
        partials[frame.link][isCentral: frame.fromCentral] = spoken.isPart ? partial : nil
        if spoken.isPart { continue }
        (sentAt, fragments) = (partial.sentAt, partial.fragments)
        label = spoken.name ?? spoken.text
        heading = spoken.text
        body = spoken.details.joined(separator: "\n")
      } else {
        label = String(words.top.prefix(80))
        heading = words.headline
      }
      octets += min(body.utf8.count, limits.charactersOfMessage)
      messages.append(
        DraftMessage(
          link: frame.link, fromCentral: frame.fromCentral,
          message: CapturePicture.Message(
            from: -1, to: -1, sentAt: sentAt, receivedAt: end, label: label,
            isOfApp: !words.spoken.isEmpty,
            heading: PictureText.cut(heading, limits.charactersOfRecord),
            body: PictureText.cut(body, limits.charactersOfMessage), fragments: fragments, place: place)))
    }
  }

  /// A packet of which records are not drawn does not begin before them.
  private func forgetPartials() {
    if let link = watcher.link, let fromCentral = watcher.fromCentral { partials[link][isCentral: fromCentral] = nil }
  }

  private func noteNews(_ place: PacketPlace, _ instant: SimInstant) {
    for (link, text) in watcher.news {
      know(link)
      remark(link, text, place, instant, isComment: false)
    }
  }

  private func remark(
    _ link: TrafficLink?, _ text: String, _ place: PacketPlace, _ instant: SimInstant, isComment: Bool
  ) {
    guard remarks.count < limits.remarks else { return omittedRemarks += 1 }
    remarks.append(
      (
        link, drafts.count,
        CapturePicture.Remark(
          instant: instant, device: -1, text: PictureText.cut(text, 400), isComment: isComment, place: place)
      ))
  }

  // MARK: The end

  /// - Parameter total: how many records the captures have.
  func picture(participants: [TrafficParticipant], files: [String], total: Int) -> CapturePicture {
    let known = linkOrder.compactMap { linkOfIndex[$0] }
    let devices = PictureDevices(
      adapters: inspector.adapters, links: known, advertisers: advertisers, others: others,
      naming: PictureDevices.Naming(names: names, participants: participants, files: files), limit: limits.devices)
    var picture = CapturePicture()
    picture.devices = devices.devices
    picture.records = drafts.map { draft in
      var record = draft.record
      record.from = devices.device(draft.from)
      record.to = draft.to.map { devices.device($0) } ?? -1
      if let link = draft.link, let fromCentral = draft.fromCentral {
        record.from = devices.device(of: link, isCentral: fromCentral)
        record.to = devices.device(of: link, isCentral: !fromCentral)
      }
      return record
    }
    picture.connections = connections(known, devices)
    let repeats = Set(picture.connections.filter(\.isRepeat).map(\.link))
    picture.messages = messages.compactMap { draft in
      guard !repeats.contains(draft.link.index) else { return nil }
      var message = draft.message
      message.from = devices.device(of: draft.link, isCentral: draft.fromCentral)
      message.to = devices.device(of: draft.link, isCentral: !draft.fromCentral)
      return message
    }
    picture.remarks = remarks.map { link, draft, remark in
      var remark = remark
      if let link {
        remark.device = devices.device(of: link, isCentral: link.viewpoint != .host(.peripheral))
      } else if picture.records.indices.contains(draft) {
        remark.device = picture.records[draft].from
      }
      return remark
    }
    picture.omissions = omissions(total, devices.merged)
    return picture
  }

  private var advertisers: [(address: BluetoothAddress, count: Int)] {
    var places: [BluetoothAddress: Int] = [:]
    var counts: [(address: BluetoothAddress, count: Int)] = []
    for draft in drafts {
      for key in [draft.from, draft.to] {
        guard case .address(let address)? = key else { continue }
        if let place = places[address] {
          counts[place].count += 1
        } else {
          places[address] = counts.count
          counts.append((address, 1))
        }
      }
    }
    return counts
  }

  /// Records of adapters that sent nothing that is followed, of no device, and of nobody known.
  private var others: [(key: PictureDevices.Key, count: Int)] {
    var counts: [(key: PictureDevices.Key, count: Int)] = []
    for draft in drafts where draft.link == nil || draft.fromCentral == nil {
      if case .address = draft.from { continue }
      if let place = counts.firstIndex(where: { $0.key == draft.from }) {
        counts[place].count += 1
      } else {
        counts.append((draft.from, 1))
      }
    }
    return counts
  }

  /// A connection that an earlier link has shown, between the same two at the same time, is the same one.
  private func connections(_ links: [TrafficLink], _ devices: PictureDevices) -> [CapturePicture.Connection] {
    var shown: [(link: TrafficLink, ends: Set<Int>)] = []
    return links.map { link in
      let central = devices.device(of: link, isCentral: true)
      let peripheral = devices.device(of: link, isCentral: false)
      let ends: Set = [central, peripheral]
      let isRepeat = shown.contains { other in
        other.ends == ends && other.link.file != link.file && Self.overlap(other.link, link)
      }
      if !isRepeat { shown.append((link, ends)) }
      return CapturePicture.Connection(link: link.index, central: central, peripheral: peripheral, isRepeat: isRepeat)
    }
  }

  private static func overlap(_ a: TrafficLink, _ b: TrafficLink) -> Bool {
    let isBefore = a.closedAt.map { $0 < b.openedAt } ?? false
    let isAfter = b.closedAt.map { $0 < a.openedAt } ?? false
    return !isBefore && !isAfter
  }

  private func omissions(_ total: Int, _ merged: Int) -> [String] {
    var lines: [String] = []
    let left = total - drafts.count
    if left > 0 {
      let around = selection.shownFindings > 0 ? ", and those around \(selection.shownFindings) findings" : ""
      let why = isFull ? "the page's words would be longer than \(limits.octets >> 20) MiB" : "a page has no more"
      lines.append(
        "\(left) of \(total) records are not drawn: the first \(min(selection.first, drafts.count)) are\(around)"
          + "; \(why)")
    }
    if selection.omittedFindings > 0 {
      lines.append("the records around \(selection.omittedFindings) findings are not drawn")
    }
    if merged > 0 { lines.append("\(merged) devices of which little is seen share the last lane") }
    if omittedRemarks > 0 { lines.append("\(omittedRemarks) openings, ends and comments are not drawn") }
    return lines
  }
}
