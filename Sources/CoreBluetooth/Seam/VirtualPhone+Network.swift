package import AppSeam

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

  /// Whether the app of this launch is gone.
  var isOver: Bool { locked { isEnded } }

  /// Calls the app on a queue of its choice, after everything that was put there before, unless it is gone by then.
  package func call(on queue: DispatchQueue, _ body: @escaping () -> Void) {
    callPlaced()
    let job = UncheckedBox(value: body)
    queue.async { [self] in
      if !isOver { whileCurrent(job.value) }
    }
  }
}
