import AppSeam
import Bench
import BluetoothWire
import Conformance
import Judging
import SimKernel

/// Texts that came, or were shown, more often than they were said, or in another order.
extension SaidTrails {
  /// What was said within less may be told in either order.
  private static let apart = SimDuration.seconds(1)

  /// Where a text was doubled on its way to a device, nearest to who said it; nil: nowhere.
  func doubling(of trail: SaidTrail, about subject: Int?) -> Stop? {
    for sender in Self.once([trail.device] + trail.given.map(\.device)) {
      for peer in Self.once(trail.sent.filter { $0.device == sender }.compactMap(\.peer)) {
        let sent = trail.sent.filter { $0.device == sender && $0.peer == peer }
        guard sent.count > 1, subject.map({ [sender, peer].contains($0) || trail.hasShown($0) }) ?? true else {
          continue
        }
        // A value that was refused and offered again is one.
        guard trail.given.count(where: { $0.device == peer && $0.peer == sender }) > 1 else { continue }
        return stop(
          sender, sent[1].instant,
          "\(name(sender)) has sent \(Self.quoted(trail)) to \(name(peer)) \(CountedNoun.text(sent.count, "time")): "
            + sent.prefix(4).map(Self.place).joined(separator: ", ") + reason(sender, peer, sent),
          record: sent[1].record)
      }
    }
    for device in header.devices.indices where subject == nil || subject == device {
      let given = trail.given.filter { $0.device == device }
      let shown = trail.shown.filter { $0.device == device }
      // Where it came by another way than values, nothing is known of it.
      guard shown.count > 1, !given.isEmpty || device == trail.device,
        device != trail.device || shown.count > given.count + 1
      else { continue }
      let times = given.count == 1 ? "once" : CountedNoun.text(given.count, "time")
      let from = Self.once(given.compactMap(\.peer)).map(name).joined(separator: ", ")
      return stop(
        device, shown[1].instant,
        "\(name(device)) shows \(Self.quoted(trail)) \(CountedNoun.text(shown.count, "time")), and was given it \(times)"
          + (from.isEmpty ? "" : " (by \(from))"), record: shown[1].record)
    }
    return nil
  }

  /// A device has read a value that its server's app had set before it was given something; nil: none.
  func oldValue(_ asked: Asked) -> Stop? {
    for read in reads.reversed() where read.instant <= asked.until && (asked.subject ?? read.by) == read.by {
      guard let set = sets.last(where: { $0.device == read.of && $0.type == read.type && $0.instant <= read.instant })
      else { continue }
      let news = all.lazy.compactMap { trail in
        trail.given.first { $0.device == read.of && $0.instant > set.instant && $0.instant < read.instant }.map {
          (trail, $0)
        }
      }.first
      guard let news else { continue }
      return stop(
        read.of, read.instant,
        "\(name(read.by)) has read \(read.type) of \(name(read.of)) at \(read.instant.milliseconds) s"
          + " (\(CountedNoun.text(read.count, "octet"))), which \(name(read.of)) has set at"
          + " \(set.instant.milliseconds) s and not since,"
          + " though it was given \(Self.quoted(news.0)) at \(news.1.instant.milliseconds) s",
        record: news.1.record)
    }
    return nil
  }

  private static func place(_ passage: SaidTrail.Passage) -> String {
    "at \(passage.instant.milliseconds) s" + (passage.link.map { " on link \($0.rawValue)" } ?? "")
  }

  /// What a peer said on the link of the second time, where that is another link.
  private func reason(_ sender: Int, _ peer: Int, _ sent: [SaidTrail.Passage]) -> String {
    guard let link = sent[1].link, link != sent[0].link,
      let begin = links[sender].first(where: { $0.id == link && $0.peer == peer })?.begin,
      let offer = offers.last(where: {
        $0.from == peer && $0.to == sender && $0.instant >= begin && $0.instant <= sent[1].instant
      })
    else { return "" }
    return "; before that \(name(peer)) has sent \(Self.preview(offer.octets))"
  }

  /// Two texts that a device was told in another order than they were said; nil: none.
  func disorder(_ asked: Asked) -> Stop? {
    for device in header.devices.indices where asked.subject == nil || asked.subject == device {
      let firsts = all.compactMap { trail in
        trail.given.first { $0.device == device && $0.instant <= asked.until }.map { (trail, $0) }
      }
      for (earlier, later) in zip(firsts, firsts.dropFirst()) {
        let pause = later.0.instant - earlier.0.instant
        guard later.1.instant < earlier.1.instant, pause >= Self.apart else { continue }
        return stop(
          device, earlier.1.instant,
          "\(name(device)) was given \(Self.quoted(later.0)) at \(later.1.instant.milliseconds) s, before"
            + " \(Self.quoted(earlier.0)), which was said \(pause.shortSeconds) s earlier and which came at"
            + " \(earlier.1.instant.milliseconds) s" + (earlier.1.peer.map { " from \(name($0))" } ?? ""),
          record: earlier.1.record)
      }
    }
    return nil
  }
}
