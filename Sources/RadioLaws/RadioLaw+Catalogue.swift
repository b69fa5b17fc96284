extension RadioLaw {
  /// All laws, in the order of the page.
  package static let all = [
    airTime, timePerValue, waitForAnchor, saturatedLink, timeDivision, retransmissions,
    advertisingDelay, discovery, discoveryByWindows, advertisingCollisions,
    supervision, establishment, windowWidening, sleepClock, channelSelection1, channelSelection2, adaptiveHopping,
    pathLoss, capture, bitErrorRate, signalToNoise, sensitivity, bursts,
    strongInterferer, weakInterferer, wifiMask, carrierSense,
  ]
}
