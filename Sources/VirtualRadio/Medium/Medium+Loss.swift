/// Which part of a judgement lost a PDU.
enum LossStage: UInt8 {
  case level
  case ownTransmission
  /// Noise, interferers and other transmissions.
  case disturbance
  case burst
  /// Noise that was ordered for a link.
  case cover
  /// A probability of the room.
  case chance
}

/// What a PDU was lost to.
extension Medium {
  /// Notes why, and says how the PDU arrives.
  @inline(__always)
  func lose(_ stage: LossStage, _ reception: Reception) -> Reception {
    lossStage = stage
    return reception
  }

  /// What the PDU that was judged last, and did not arrive, was lost to.
  ///
  /// With several at once it is the strongest at the receiver of those that are stronger than the noise.
  var latestLoss: PDULoss {
    switch lossStage {
    case .level: .level
    case .ownTransmission: .ownTransmission
    case .burst: .burst
    case .cover: .covered
    case .chance: .chance
    case .disturbance: strongestDisturbance
    }
  }

  private var strongestDisturbance: PDULoss {
    guard let strongest = disturbances.max(by: { $0.level < $1.level }) else { return .noise }
    switch strongest.source {
    case .radio(let index): return .collision(with: index)
    case .interferer(let index):
      return strongest.level > environment.noiseFloor ? .interferer(interference.interferers[index].name) : .noise
    }
  }
}
