public import AppSeam

/// The first steps of an app at its seam, in the order in which one takes them: what comes later needs those before.
public enum SeamStep: Int, CaseIterable, Sendable {
  case publish, advertise, scan, connect, discover, subscribe, listen, browse, open, send

  /// What an effect is a part of; nil: of none of them.
  public init?(_ effect: AppEffect) {
    switch effect {
    case .publish: self = .publish
    case .advertise: self = .advertise
    case .scan: self = .scan
    case .connect: self = .connect
    case .discover, .exchangeMTU, .read: self = .discover
    case .subscribe: self = .subscribe
    case .write, .writeWithoutResponse, .notify, .setValue: self = .send
    case .network(.listen): self = .listen
    case .network(.browse): self = .browse
    case .network(.connect): self = .open
    case .network(.send): self = .send
    case .gatt(let effect): self.init(effect)
    case .gap(.scan), .gap(.scanExtended): self = .scan
    case .gap(.advertise), .gap(.advertiseSet), .gap(.advertiseExtended): self = .advertise
    default: return nil
    }
  }

  private init?(_ effect: GATTEffect) {
    switch effect {
    case .publish: self = .publish
    case .discoverServices, .discoverIncluded, .discoverCharacteristics, .discoverDescriptors, .read: self = .discover
    case .configure: self = .subscribe
    case .notify, .write, .writeWithoutResponse, .prepare: self = .send
    case .unpublish, .answer, .readRSSI, .execute: return nil
    }
  }
}

/// A first step of an app, and what is told where it never takes it.
public struct FirstStep: Sendable {
  /// The step that it must take.
  public let step: SeamStep
  /// What is told where it does not.
  public let cause: Cause

  /// A step, and what is told where it is never taken.
  public init(_ step: SeamStep, _ cause: Cause) {
    self.step = step
    self.cause = cause
  }
}

extension UpperTester {
  /// What is told of the first of some steps that it has never taken; nil: it has taken all.
  func untaken(of steps: [FirstStep]) -> Cause? {
    steps.first { step in !effects.contains { SeamStep($0.effect) == step.step } }?.cause
  }
}
