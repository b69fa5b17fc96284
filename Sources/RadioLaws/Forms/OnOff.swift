/// An interferer that is on and off for exponential times, as PDUs meet it. Times in microseconds.
struct OnOff {
  var on: Double
  var off: Double

  /// Nothing survives while it is on: the PDU is unheard when that is at its start or begins within preamble and
  /// access address, and has a bad CRC when it begins later.
  func strong(sync: Double, duration: Double) -> (unheard: Double, corrupted: Double) {
    let clear = off / (on + off) * RealNumbers.exponential(-sync / off)
    return (1 - clear, clear * (1 - RealNumbers.exponential(-(duration - sync) / off)))
  }

  /// While it is on, each microsecond is lost with the rate λ. With a = 1/off and b = 1/on a PDU of T microseconds
  /// survives with (off, on)/(off + on) · exp([[−a, a], [b, −b − λ]]·T) · (1, 1).
  func weak(rate: Double, duration: Double) -> Double {
    let (a, b) = (1 / off, 1 / on)
    let trace = a + b + rate
    let root = (trace * trace - 4 * a * rate).squareRoot()
    let (r1, r2) = ((-trace + root) / 2, (-trace - root) / 2)
    // exp(M·T) = e^(r1·T)·(M − r2)/(r1 − r2) − e^(r2·T)·(M − r1)/(r1 − r2), times (1, 1): row by row.
    func survival(_ rowSum: Double) -> Double {
      (RealNumbers.exponential(r1 * duration) * (rowSum - r2) - RealNumbers.exponential(r2 * duration) * (rowSum - r1))
        / (r1 - r2)
    }
    return (off * survival(0) + on * survival(-rate)) / (on + off)
  }
}
