import AppSeam
import Bench
import BluetoothWire
import Conformance
import Judging
import SimKernel

/// Where a text stopped that somebody waits for.
extension SaidTrails {
  /// The first stop, doubling or change of order that explains a trouble; nil: nothing that was said did, or it came
  /// to everybody, once.
  func stop(for trouble: Trouble) -> Stop? {
    let before = all.filter { $0.instant <= trouble.instant && ($0.times == 1 || !$0.hasSent($0.device)) }
    let words = trouble.expected + " " + trouble.actual
    let found = before.filter { words.contains($0.text) }
    let named = found.filter { trail in
      !found.contains { $0.text != trail.text && $0.text.contains(trail.text) }
    }
    var meant = named
    if let since = trouble.since, named.isEmpty { meant = before.filter { since - $0.instant <= .seconds(5) } }
    if meant.isEmpty { meant = before }
    let asked = Asked(
      until: trouble.instant, subject: trouble.devices.first, isMeant: !named.isEmpty || trouble.since != nil)
    if trouble.isAbsence, let stop = meant.lazy.compactMap({ stop(of: $0, asked) }).first { return stop }
    // What is counted, or shown and named, may have come too often, or in another order.
    guard trouble.isExpectation || !trouble.isAbsence && !named.isEmpty else { return nil }
    let doubled = meant.lazy.filter { !settings.contains($0.action) }.compactMap { trail in
      // Protocols may tell a thing again and again: it is wrong where it is asked for, or was shown so.
      named.contains { $0.record == trail.record } || isShownAgain(trail, asked.subject)
        ? doubling(of: trail, about: asked.subject) : nil
    }.first
    let excess = doubled ?? disorder(asked) ?? oldValue(asked)
    // What comes later than what is wrong does not explain it.
    return excess.flatMap { $0.event.instant <= trouble.instant ? $0 : nil }
  }

  /// The same of names, which only somebody who was left out of them explains.
  func stop(ofNamesIn trouble: Trouble) -> Stop? {
    let asked = Asked(until: trouble.instant, subject: trouble.devices.first, isMeant: true)
    // What only reports say goes to nobody.
    let sent = all.lazy.filter { $0.sent.contains { $0.peer != nil && $0.instant <= trouble.instant } }
    return sent.compactMap { leftOut(of: $0, asked) }.first
  }

  /// What is known of a text that did not come as it was to.
  struct Stop {
    /// Whose app had it last, or doubled it.
    var device: Int
    var event: StoryEvent
  }

  /// What is asked of a trail.
  struct Asked {
    var until: SimInstant
    /// The device that is blamed, or that misses something; nil: the whole run.
    var subject: Int?
    /// The trouble is about this text, and not about all that was said.
    var isMeant: Bool
  }

  private func stop(of trail: SaidTrail, _ asked: Asked) -> Stop? {
    guard trail.hasSent(trail.device) else { return keptBack(trail, asked) }
    for passage in trail.sent {
      guard let peer = passage.peer, !trail.wasGiven(peer),
        asked.isMeant || asked.subject.map({ [peer, passage.device].contains($0) }) ?? true
      else { continue }
      let ended = links[passage.device].last { $0.id == passage.link && $0.peer == peer }?.end.map {
        "; that link ended at \($0.milliseconds) s"
      }
      return stop(
        passage.device, passage.instant,
        "\(name(passage.device)) has sent \(Self.quoted(trail)) to \(name(peer)), whose app was never given it"
          + (ended ?? ""), record: passage.record)
    }
    for passage in trail.given where !trail.hasSent(passage.device) && !trail.hasShown(passage.device) {
      guard concerns(passage.device, asked.subject, trail),
        isUsual(passage.device, trail) || !isActive(passage.device, from: passage.instant, to: asked.until)
      else {
        continue
      }
      let from = passage.peer.map { " by \(name($0))" } ?? ""
      return stop(
        passage.device, passage.instant,
        "\(name(passage.device)) was given \(Self.quoted(trail))\(from), and has \(rest(of: trail, passage.device))"
          + likeness(trail, passage),
        record: passage.record)
    }
    return leftOut(of: trail, asked) ?? notShown(trail, asked)
  }

  /// What a device has made of a text that it was given whole.
  private func rest(of trail: SaidTrail, _ device: Int) -> String {
    let parts = [
      ("sent on", trail.allSent.filter { $0.device == device }.map(\.octets).max()),
      ("shown", trail.allShown.filter { $0.device == device }.map(\.octets).max()),
    ]
    for (verb, most) in parts {
      if let most { return "\(verb) only the first \(most) of its \(trail.length) octets" }
    }
    return "neither shown it nor sent it on"
  }

  /// The app that its person told keeps it.
  private func keptBack(_ trail: SaidTrail, _ asked: Asked) -> Stop? {
    // It may be sent in other octets, where none of its kind was sent as it was said.
    let goesOut = all.contains { $0.action == trail.action && $0.hasSent($0.device) }
    guard goesOut || !isActive(trail.device, from: trail.instant, to: asked.until),
      asked.subject == nil || asked.subject == trail.device || asked.isMeant
    else { return nil }
    let most = trail.allSent.filter { $0.device == trail.device }.map(\.octets).max()
    let what = most.map { "has sent only the first \($0) of its \(trail.length) octets" } ?? "has never sent it"
    let isLinked = links[trail.device].contains { $0.isUp(at: trail.instant) }
    return stop(
      trail.device, trail.instant,
      "\(name(trail.device)) was told \(Self.quoted(trail)) by its user (\(trail.action))"
        + (isLinked ? "" : ", with no link") + ", and \(what)" + (isLinked ? "" : elsewhere(trail)),
      record: trail.record)
  }

  /// Who had a link with a device that has none, and has one with another device now.
  private func elsewhere(_ trail: SaidTrail) -> String {
    for other in header.devices.indices where other != trail.device {
      let own = links[other]
      guard let before = own.last(where: { $0.peer == trail.device })?.end,
        let now = own.last(where: { $0.isUp(at: trail.instant) && $0.begin > before }), let peer = now.peer
      else { continue }
      return "; \(name(other)), which had a link with it, has one with \(name(peer)) since \(now.begin.milliseconds) s"
    }
    return ""
  }

  /// A device that passes a text on leaves one of its peers out.
  private func leftOut(of trail: SaidTrail, _ asked: Asked) -> Stop? {
    for carrier in Self.once([trail.device] + trail.given.map(\.device)) where mayBeForAll(trail, from: carrier) {
      // What came after the trouble was too late.
      let isInTime = { (passage: SaidTrail.Passage) in passage.instant <= asked.until }
      let sent = trail.sent.filter(isInTime)
      let receivers = Self.once(sent.filter { $0.device == carrier }.compactMap(\.peer))
      let instant = trail.given.first { $0.device == carrier }?.instant ?? trail.instant
      for other in header.devices.indices where other != carrier {
        guard !sent.contains(where: { $0.peer == other }),
          !(trail.given + trail.shown).filter(isInTime).contains(where: { $0.device == other }),
          asked.subject == nil || asked.subject == other || asked.subject == carrier,
          header.devices[other].role != header.devices[carrier].role,
          let place = links[carrier].firstIndex(where: {
            $0.peer == other && $0.begin <= asked.until && $0.end.map { $0 > instant } ?? true
          })
        else { continue }
        // Who said it may show it without being told; and nobody answers it with itself alone.
        if other == trail.device, receivers.isEmpty || ![carrier, other].contains(asked.subject) { continue }
        // A link that came later is one that was to be told of what was before, where that is what is missing.
        if links[carrier][place].begin > instant, asked.subject != other { continue }
        // Somebody who is not told alone needs others who are, or a text that is for everybody.
        guard !receivers.isEmpty || asked.isMeant && trail.hasShown(carrier) else { continue }
        let later = trail.sent.first { $0.peer == other }.map { "; it was sent at \($0.instant.milliseconds) s" } ?? ""
        let names = receivers.isEmpty ? "nobody" : receivers.map(name).joined(separator: ", ")
        return stop(
          carrier, instant,
          "\(name(carrier)) has sent \(Self.quoted(trail)) to \(names), and not to \(name(other))"
            + (other == trail.device ? ", which has said it" : "") + standing(carrier, other, place, instant) + later,
          record: trail.sent.first { $0.device == carrier }?.record ?? trail.record)
      }
    }
    return nil
  }

  /// How a device stands with a peer that it has not told: its link, what it has subscribed to, what it said last.
  private func standing(_ carrier: Int, _ other: Int, _ place: Int, _ instant: SimInstant) -> String {
    let link = links[carrier][place]
    let number = links[carrier][...place].count { $0.peer == other }
    let isYoung = instant - link.begin < .seconds(3)
    let since = link.begin > instant || number > 1 || isYoung ? ", up since \(link.begin.milliseconds) s" : ""
    let which = number > 1 ? ", its \(number). with it" : ""
    let subscribed =
      link.subscribed.isEmpty
      ? "nothing"
      : link.subscribed.count > 2
        ? CountedNoun.text(link.subscribed.count, "characteristic") : CircumstanceBook.list(link.subscribed)
    let said =
      link.begin > instant || number > 1 || isYoung ? lastOffer(from: other, to: carrier, since: link.begin) : ""
    return
      ", with which it has link \(link.id.rawValue)\(which)\(since) and which has subscribed to \(subscribed)\(said)"
      + lastRead(by: other, of: carrier, since: instant)
  }

  /// `; GUEST has read X at …`: what it read after the text was said, and when the server's app has set it.
  private func lastRead(by device: Int, of peer: Int, since begin: SimInstant) -> String {
    guard let read = reads.last(where: { $0.by == device && $0.of == peer && $0.instant >= begin }) else { return "" }
    let set = sets.last { $0.device == peer && $0.type == read.type && $0.instant <= read.instant }
    return "; \(name(device)) has read \(read.type) at \(read.instant.milliseconds) s"
      + " (\(CountedNoun.text(read.count, "octet")))"
      + (set.map { ", which \(name(peer)) has set at \($0.instant.milliseconds) s and not since" } ?? "")
  }

  /// `; the octets before it are those that came with “…”`: for its receiver both may be the same.
  private func likeness(_ trail: SaidTrail, _ passage: SaidTrail.Passage) -> String {
    let text = trail.octets
    let own = offers.last {
      $0.to == passage.device && $0.from == passage.peer && $0.instant <= passage.instant
        && $0.octets.count > text.count && $0.octets.suffix(text.count).elementsEqual(text)
    }
    guard let own else { return "" }
    let front = own.octets.dropLast(text.count)
    for other in all where other.record != trail.record && other.wasGiven(passage.device) {
      let wanted = Array(front) + other.octets
      let twin = offers.first {
        $0.to == passage.device && $0.instant < own.instant && $0.octets.elementsEqual(wanted)
      }
      guard let twin else { continue }
      return "; the octets before it are those that came with \(Self.quoted(other)) from \(name(twin.from)) at"
        + " \(twin.instant.milliseconds) s: \(String(hexadecimal: Array(front.prefix(16)), separator: " "))"
    }
    return ""
  }

  /// `; GUEST said “…” on it`: the first thing of a link.
  private func lastOffer(from device: Int, to peer: Int, since begin: SimInstant) -> String {
    let offer = offers.first { $0.from == device && $0.to == peer && $0.instant >= begin }
    return offer.map { "; on it \(name(device)) has begun with \(Self.preview($0.octets))" } ?? ""
  }

  /// A device was given a text that others of its role show, and does not show it.
  private func notShown(_ trail: SaidTrail, _ asked: Asked) -> Stop? {
    for passage in trail.given where !trail.hasShown(passage.device) {
      let others = trail.shown.filter { header.devices[$0.device].role == header.devices[passage.device].role }
      guard asked.subject == nil || asked.subject == passage.device, let other = others.first else { continue }
      return stop(
        passage.device, passage.instant,
        "\(name(passage.device)) was given \(Self.quoted(trail)), which \(name(other.device)) shows, and does not show it"
          + likeness(trail, passage),
        record: passage.record)
    }
    return nil
  }

  /// Whether a device is the one that is asked about, or between it and who said the text.
  private func concerns(_ device: Int, _ subject: Int?, _ trail: SaidTrail) -> Bool {
    guard let subject, subject != device else { return true }
    return !trail.wasGiven(subject) && header.devices[subject].role != header.devices[device].role
  }

  /// Whether a device has shown a text more than once.
  private func isShownAgain(_ trail: SaidTrail, _ subject: Int?) -> Bool {
    Dictionary(grouping: trail.shown, by: \.device).contains { device, shown in
      shown.count > 1 && subject ?? device == device
    }
  }

  /// Whether a device of its role showed or passed on a text of the same action as it was said.
  private func isUsual(_ device: Int, _ trail: SaidTrail) -> Bool {
    let alike = header.devices.indices.filter { header.devices[$0].role == header.devices[device].role }
    return all.contains { other in
      other.action == trail.action && alike.contains { other.device != $0 && (other.hasSent($0) || other.hasShown($0)) }
    }
  }

  /// Whether a device has sent or shown anything in a time.
  private func isActive(_ device: Int, from begin: SimInstant, to end: SimInstant) -> Bool {
    offers.contains { $0.from == device && $0.instant >= begin && $0.instant <= end }
      || reports.contains { $0.device == device && $0.instant >= begin && $0.instant <= end }
  }

  func stop(_ device: Int, _ instant: SimInstant, _ text: String, record: Int) -> Stop {
    Stop(device: device, event: StoryEvent(instant, text, record: record))
  }

  func name(_ device: Int) -> String { header.name(of: device) }

  static func quoted(_ trail: SaidTrail) -> String {
    let text = ShownText.oneLine(trail.text)
    return "“\(text.count > 40 ? text.prefix(40) + "…" : text)”"
  }

  /// A value as people read it, in part.
  static func preview(_ octets: [UInt8]) -> String {
    let isText = octets.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A || $0 >= 0x80 }
    guard isText, let text = String(validating: octets, as: UTF8.self) else {
      return String(hexadecimal: Array(octets.prefix(20)), separator: " ") + (octets.count > 20 ? " …" : "")
    }
    let line = ShownText.oneLine(text)
    return "“\(line.count > 80 ? line.prefix(80) + "…" : line)”"
  }

  /// Each once, in the order in which they came first.
  static func once(_ devices: [Int]) -> [Int] {
    devices.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

extension SaidTrails.Link {
  func isUp(at instant: SimInstant) -> Bool { begin <= instant && end.map { $0 > instant } ?? true }
}
