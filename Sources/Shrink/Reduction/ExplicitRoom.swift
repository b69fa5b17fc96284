import Bench
import SimKernel
import VirtualRadio

/// A room written out as a scenario writes it, so that single parts of a preset can be left out.
enum ExplicitRoom {
  /// Everything in which a room differs from the ideal one; nil when there is no difference, or none that scenarios can
  /// write (losses of single channels are not written out).
  static func tree(of room: RadioEnvironment) -> YAMLTree? {
    let ideal = RadioEnvironment.ideal
    var entries: [(String, YAMLTree)] = []
    func add(_ key: String, _ text: String) { entries.append((key, YAMLTree(text: text))) }
    guard room.channelLoss.isEmpty, room.fading == nil else { return nil }
    if room.isLevelDependent { add("level dependent", "yes") }
    if room.referenceLoss != ideal.referenceLoss { add("reference loss", hundredths(room.referenceLoss) + " dB") }
    if room.pathLossExponent != ideal.pathLossExponent {
      add("path loss exponent", hundredths(room.pathLossExponent))
    }
    if room.shadowing != ideal.shadowing { add("shadowing", hundredths(room.shadowing) + " dB") }
    if room.noiseFloor != ideal.noiseFloor { add("noise floor", hundredths(room.noiseFloor) + " dBm") }
    if !room.packetLoss.isZero { add("packet loss", share(room.packetLoss)) }
    if !room.bitErrorRate.isZero { add("bit error rate", share(room.bitErrorRate)) }
    if room.captureThreshold != ideal.captureThreshold {
      add("capture threshold", hundredths(room.captureThreshold) + " dB")
    }
    if let bursts = room.bursts { entries.append(("bursts", tree(of: bursts))) }
    if !room.interferers.isEmpty {
      entries.append(("interferers", YAMLTree(.sequence(room.interferers.map(tree)))))
    }
    return entries.isEmpty ? nil : YAMLTree(entries: entries)
  }

  private static func tree(of bursts: RadioEnvironment.BurstLoss) -> YAMLTree {
    var texts = [("good", text(bursts.meanGood)), ("bad", text(bursts.meanBad))]
    if !bursts.lossInGood.isZero { texts.append(("loss in good", share(bursts.lossInGood))) }
    texts.append(("loss in bad", share(bursts.lossInBad)))
    return YAMLTree(entries: texts.map { ($0.0, YAMLTree(text: $0.1)) })
  }

  private static func tree(of interferer: RadioEnvironment.Interferer) -> YAMLTree {
    let place = [interferer.position.x, interferer.position.y, interferer.position.z].map { hundredths($0) }
    var entries = [
      ("name", YAMLTree(text: interferer.name)),
      ("at", YAMLTree(.sequence(place.map { YAMLTree(text: $0) }))),
    ]
    switch interferer.spectrum {
    case .wifi(let channel): entries.append(("wifi channel", YAMLTree(text: String(channel))))
    case .flat(let channels):
      entries.append(("rf channels", YAMLTree(text: "\(channels.lowerBound)..\(channels.upperBound)")))
    }
    entries.append(("power", YAMLTree(text: hundredths(interferer.power) + " dBm")))
    switch interferer.activity {
    case .onOff(let on, let off):
      entries += [("on", YAMLTree(text: text(on))), ("off", YAMLTree(text: text(off)))]
    case .carrierSense(let airtime, let frame):
      entries += [
        ("airtime", YAMLTree(text: "\(airtime)‰")), ("frame", YAMLTree(text: text(frame))),
      ]
    // A world adds these to its own copy of the room; no scenario has any.
    case .external: break
    }
    return YAMLTree(entries: entries)
  }

  private static func hundredths(_ value: Int) -> String {
    let size = value.magnitude
    let sign = value < 0 ? "-" : ""
    if size % 100 == 0 { return "\(sign)\(size / 100)" }
    return "\(sign)\(size / 100)." + (size % 100 < 10 ? "0" : "") + "\(size % 100)"
  }

  /// Probabilities of rooms are whole parts in a million.
  private static func share(_ ratio: Ratio) -> String {
    let parts = ratio.numerator * 1_000_000 / ratio.denominator
    return parts % 10_000 == 0 ? "\(parts / 10_000)%" : "\(parts) ppm"
  }

  private static func text(_ duration: SimDuration) -> String {
    let nanoseconds = duration.nanoseconds
    if nanoseconds % 1_000_000 == 0 { return "\(nanoseconds / 1_000_000)ms" }
    return nanoseconds % 1_000 == 0 ? "\(nanoseconds / 1_000)us" : "\(nanoseconds)ns"
  }
}
