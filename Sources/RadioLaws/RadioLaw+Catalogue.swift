extension RadioLaw {
  /// All laws, in the order of the page.
  package static let all = [
    airTime, timePerValue, waitForAnchor, peripheralLatency, saturatedLink, timeDivision, retransmissions,
    advertisingDelay, directedAdvertising, discovery, discoveryByWindows, advertisingCollisions,
    supervision, establishment, windowWidening, sleepClock, channelSelection1, channelSelection2, adaptiveHopping,
    pathLoss, shadowing, capture, bitErrorRate, signalToNoise, sensitivity, bursts,
    strongInterferer, weakInterferer, wifiMask, carrierSense,
  ]
}
