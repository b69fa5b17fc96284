import BluetoothWire
import CaptureFormats
import Judging
import SimKernel

/// `babbench stats --json`: every figure, times in nanoseconds. `Docs/stats.md` has the members.
public enum StatsJSON {
  public static func octets(_ report: StatsReport) -> [UInt8] {
    var json = JSONText(isIndented: true)
    json.beginObject()
    json.member("format", "babbench-stats")
    json.member("version", 1)
    json.list("captures", report.captures) { write($1, to: &$0) }
    json.list("links", report.stats.links) { write($1, to: &$0) }
    json.member("furtherLinks", report.stats.furtherLinks)
    json.list("controllers", report.stats.adapters) { write($1, to: &$0) }
    json.list("advertisers", report.stats.advertisers) { write($1, to: &$0) }
    json.member("furtherAdvertisements", report.stats.furtherAdvertisements)
    writeCounts(report.stats, to: &json)
    json.endObject()
    return json.octets + [0x0A]
  }

  private static func write(_ capture: StatsReport.Capture, to json: inout JSONText) {
    json.beginObject()
    json.member("path", capture.path)
    json.member("format", capture.format?.rawValue)
    json.member("packets", capture.records)
    json.member("duration", capture.duration.nanoseconds)
    json.member("backwards", capture.backwards)
    json.member("isWhole", capture.ending == .whole)
    json.endObject()
  }

  private static func write(_ stats: LinkStats, to json: inout JSONText) {
    let link = stats.link
    json.beginObject()
    json.member("link", link.index + 1)
    json.member("capture", link.file + 1)
    json.member("seenAt", StatsTable.place(stats))
    json.member("central", link.central?.description)
    json.member("peripheral", link.peripheral?.description)
    json.member("isFromStart", link.isFromStart)
    json.member("openedAt", link.openedAt.nanoseconds)
    json.member("duration", stats.duration.nanoseconds)
    json.member("endReason", stats.endReason.map { Int($0.rawValue) })
    json.objects("intervals", stats.intervals) { json, change in
      json.member("at", change.instant.nanoseconds)
      json.member("interval", Int64(change.interval) * 1_250_000)
    }
    json.member("peripheralLatency", link.peripheralLatency.map { Int($0) })
    json.member("supervisionTimeout", link.supervisionTimeout.map { Int64($0) * 10_000_000 })
    json.member("attMTU", link.attMTU)
    json.member("clientRxMTU", link.clientRxMTU)
    json.member("serverRxMTU", link.serverRxMTU)
    json.member("maxTxOctets", link.maxTxOctets.map { Int($0) })
    json.member("maxRxOctets", link.maxRxOctets.map { Int($0) })
    json.member("phy", link.phy.map { Int($0) })
    json.member("isEncrypted", link.isEncrypted)
    json.member("gaps", stats.gaps)
    if stats.isOnAir { writeAir(stats, to: &json) }
    write(stats.centralIdentity, "centralIdentity", to: &json)
    write(stats.peripheralIdentity, "peripheralIdentity", to: &json)
    json.key("fromCentral")
    write(stats.central, over: stats.duration, isOnAir: stats.isOnAir, to: &json)
    json.key("fromPeripheral")
    write(stats.peripheral, over: stats.duration, isOnAir: stats.isOnAir, to: &json)
    json.endObject()
  }

  private static func writeAir(_ stats: LinkStats, to json: inout JSONText) {
    json.member("connectionEvents", stats.connectionEvents)
    json.member("missedEvents", stats.missedEvents)
    json.member("supervisionMargin", stats.supervisionMargin.map { Int($0.nanoseconds) })
    json.key("anchorIntervals")
    write(stats.anchorIntervals, to: &json)
  }

  private static func write(
    _ direction: DirectionStats, over time: SimDuration, isOnAir: Bool, to json: inout JSONText
  ) {
    json.beginObject()
    json.member("attPDUs", direction.attPDUs)
    json.member("attOctets", direction.attOctets)
    json.member("values", direction.values)
    json.member("frames", direction.frames)
    json.member("frameOctets", direction.frameOctets)
    json.member("octetsPerSecond", direction.meanThroughput(over: time).map { Int($0) })
    json.member("packets", direction.packets)
    json.member("packetOctets", direction.packetOctets)
    if isOnAir {
      json.member("pdus", direction.pdus)
      json.member("emptyPDUs", direction.emptyPDUs)
      json.member("repeats", direction.repeats)
      json.member("repeatsInLatency", direction.repeatsInLatency)
      json.member("corrupted", direction.corrupted)
      json.member("judged", direction.judged)
      json.member("unacknowledged", direction.unacknowledged)
      json.member("unanswered", direction.unanswered)
      json.member("unansweredInLatency", direction.unansweredInLatency)
      json.member("longestSilence", direction.longestSilence.nanoseconds)
      json.member("levelMean", direction.level.mean.map { Int($0) })
    }
    for (name, histogram) in [
      ("packetsPerEvent" as StaticString, direction.packetsPerEvent), ("requestTimes", direction.requestTimes),
      ("confirmationTimes", direction.confirmationTimes), ("answerTimes", direction.answerTimes),
      ("completionTimes", direction.completionTimes),
      ("acknowledgementTimes", direction.acknowledgementTimes), ("valueGaps", direction.valueGaps),
    ] {
      json.key(name)
      write(histogram, to: &json)
    }
    json.key("throughput")
    write(direction.throughput, to: &json)
    if isOnAir {
      json.key("levelsOverTime")
      writeMeans(direction.levelSeries, to: &json)
      json.key("repeatsOverTime")
      write(direction.repeatSeries, to: &json)
    }
    json.endObject()
  }

  /// Null when nothing was recorded.
  private static func write(_ histogram: Histogram, to json: inout JSONText) {
    guard !histogram.isEmpty else { return json.null() }
    json.beginObject()
    json.member("samples", histogram.count)
    json.member("least", histogram.minimum)
    json.member("mean", histogram.mean)
    json.member("median", histogram.quantile(permille: 500))
    json.member("p90", histogram.quantile(permille: 900))
    json.member("p99", histogram.quantile(permille: 990))
    json.member("greatest", histogram.maximum)
    json.endObject()
  }

  private static func write(_ series: StatsSeries, to json: inout JSONText) {
    guard let start = series.start else { return json.null() }
    json.beginObject()
    json.member("start", start.nanoseconds)
    json.member("slot", series.slotLength.nanoseconds)
    json.list("sums", series.slots) { $0.value($1.sum) }
    json.endObject()
  }

  /// The mean of each slot, null where nothing was measured.
  private static func writeMeans(_ series: StatsSeries, to json: inout JSONText) {
    guard let start = series.start else { return json.null() }
    json.beginObject()
    json.member("start", start.nanoseconds)
    json.member("slot", series.slotLength.nanoseconds)
    json.list("means", series.slots) { json, slot in
      if slot.count > 0 { json.value(slot.sum / slot.count) } else { json.null() }
    }
    json.endObject()
  }

  private static func write(_ identity: EndIdentity, _ name: StaticString, to json: inout JSONText) {
    json.key(name)
    guard identity.isKnown else { return json.null() }
    json.beginObject()
    json.member("version", identity.version)
    json.member("company", identity.company)
    json.member("subversion", identity.subversion)
    json.member("features", identity.features.map { hexNumber($0, digits: 16) })
    json.endObject()
  }

  private static func writeCounts(_ stats: TrafficStats, to json: inout JSONText) {
    json.objects("counts", stats.counts.rows) { json, row in
      json.member("kind", row.family.rawValue)
      json.member("code", row.code)
      json.member("name", row.name)
      json.member("count", row.count)
    }
    json.member("encryptedControlPDUs", stats.counts.encryptedControls)
    json.objects("attributes", stats.attributes) { json, attribute in
      json.member("link", attribute.link + 1)
      json.member("isOfCentral", attribute.isOfCentral)
      json.member("handle", attribute.handle)
      json.member("reads", attribute.reads)
      json.member("writes", attribute.writes)
      json.member("commands", attribute.commands)
      json.member("notifications", attribute.notifications)
      json.member("indications", attribute.indications)
      json.member("errors", attribute.errors)
      json.member("octets", attribute.octets)
    }
    json.objects("devices", DeviceCounts.all(stats)) { json, device in
      json.member("address", device.address?.description)
      json.member("name", device.name)
      json.member("isCaptured", device.isCaptured)
      json.member("linksAsCentral", device.asCentral)
      json.member("linksAsPeripheral", device.asPeripheral)
      json.member("attPDUs", device.attPDUs)
      json.member("frames", device.frames)
      json.member("frameOctets", device.frameOctets)
      json.member("advertisements", device.advertisements)
      json.member("scanResponses", device.scanResponses)
      json.member("levelMean", device.level)
    }
  }

  private static func write(_ stats: AdapterStats, to json: inout JSONText) {
    json.beginObject()
    json.member("capture", stats.adapter.file + 1)
    json.member("number", stats.adapter.number)
    json.member("address", (stats.adapter.publicAddress ?? stats.adapter.addresses.last)?.description)
    write(stats.identity, "identity", to: &json)
    json.member("commands", stats.commands)
    json.member("events", stats.events)
    json.member("aclBuffers", stats.aclCount)
    json.member("aclOctets", stats.aclOctets)
    json.member("mostOutstanding", stats.mostOutstanding)
    json.endObject()
  }

  private static func write(_ stats: AdvertiserStats, to json: inout JSONText) {
    json.beginObject()
    json.member("capture", stats.file + 1)
    json.member("address", "\(stats.address)")
    json.member("advertisements", stats.advertisements)
    json.member("scanResponses", stats.scanResponses)
    json.member("interval", stats.interval.map { Int($0) * 625_000 })
    json.member("levelMean", stats.level.mean.map { Int($0) })
    json.key("gaps")
    write(stats.gaps, to: &json)
    json.endObject()
  }
}
