extension RadioLaw {
  /// All laws, in the order of the page.
  package static let all = ofRadio + ofNetwork

  private static let ofRadio = [
    airTime, timePerValue, waitForAnchor, peripheralLatency, saturatedLink, timeDivision, retransmissions,
    advertisingDelay, directedAdvertising, discovery, discoveryByWindows, discoveryCouplings, advertisingCollisions,
    secondarySkip, supervision, establishment, linkOverlap, linkLosses, windowWidening, sleepClock, channelSelection1,
    channelSelection2, adaptiveHopping,
    pathLoss, shadowing, capture, bitErrorRate, signalToNoise, sensitivity, bursts,
    strongInterferer, weakInterferer, wifiMask, carrierSense, codedAirTime, codedRange, codedNoise, phyThroughput,
    codedDiscovery, periodicLoss, periodicWindow, responseSlots, subrateShare, subrateWait, powerControl, streamFlush,
  ]

  private static let ofNetwork = [
    wifiExchange, wifiShares, wifiRepeats, awdlWindows, awdlWait, awdlSearch, awdlPrimed, tcpThroughput, tcpSlowStart,
    tcpLoss, tcpPatience, nameClaim, nameConflicts, nameSearch, nameLoss, nameEnd,
  ]
}
