package import AppSeam
package import SimKernel

/// The place of a phone's network, for the module that has its classes.
package struct PhoneNetworkSlot {
  /// The interfaces that have a link, as the phone was told last; nil: it was told nothing.
  package var links: [NetworkInterface]?
  /// The network of the running app; it lives as long as the launch.
  package var owner: AnyObject?
  /// Is told every word of the network; the phone's lock is free.
  package var receiver: ((NetworkInput) -> Void)?
}

extension VirtualPhone {
  func told(_ word: NetworkInput) {
    let receiver = locked {
      if case .pathChanged(let links) = word { network.links = links }
      return network.receiver
    }
    receiver?(word)
  }

  // MARK: For the classes of the network

  /// Runs a body while nothing else of the phone changes; no code of the app may run in it.
  @discardableResult
  package func guarded<Result>(_ body: () throws -> Result) rethrows -> Result { try locked(body) }

  /// The instant of the newest input.
  package var instant: SimInstant { locked { now } }

  /// Whether the app of this launch is gone.
  package var isOver: Bool { locked { isEnded } }

  /// Calls the app on a queue of its choice, after everything that was put there before, unless it is gone by then.
  package func call(on queue: DispatchQueue, _ body: @escaping () -> Void) {
    callPlaced()
    let job = UncheckedBox(value: body)
    queue.async { [self] in
      if !isOver { whileCurrent(job.value) }
    }
  }

  /// A queue that is waited for when the app settles.
  package func uses(_ queue: DispatchQueue) { know(queue) }

  /// Puts a call or callback into the trace.
  package func trace(_ word: CallWord) { note(word) }

  /// As `remark`, where no phone is current.
  package static func remarkWithout(_ kind: CBRemark.Kind, _ name: CBRemark.Name, _ text: String) {
    remarkWithoutPhone(kind, name, text)
  }
}
