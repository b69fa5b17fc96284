/// The congestion window of a TCP stream of which each segment is lost with one probability, as a Markov chain by round
/// trips: it grows by a segment in a round trip in which all arrive; after one in which one does not it is halved, and
/// does not grow in the round trip of the recovery (RFC 6582). No timeouts, no limit by a receiver.
enum CongestionChain {
  /// The mean window in segments in the long run.
  /// - Parameter loss: of each segment, 10⁻⁵ … 0.5.
  static func meanWindow(loss: Double) -> Double {
    // Windows of six times the mean are met once in e^30 round trips.
    let greatest = Int(8 / loss.squareRoot())
    var allArrive = [1.0]
    for _ in 1...greatest { allArrive.append(allArrive[allArrive.count - 1] * (1 - loss)) }
    let none = [Double](repeating: 0, count: greatest + 1)
    var share = (growing: none, recovering: none)
    share.growing[2] = 1
    // The chain forgets where it began within some halvings, each some mean windows apart.
    for _ in 0..<(12 * greatest) {
      var next = (growing: none, recovering: none)
      for window in 1...greatest {
        let half = max(window / 2, 1)
        let (growing, recovering): (Double, Double) = (share.growing[window], share.recovering[window])
        let (grown, recovered): (Double, Double) = (growing * allArrive[window], recovering * allArrive[window])
        next.growing[min(window + 1, greatest)] += grown
        next.growing[window] += recovered
        next.recovering[half] += growing - grown + recovering - recovered
      }
      share = next
    }
    var mean = 0.0
    for window in 1...greatest { mean += Double(window) * (share.growing[window] + share.recovering[window]) }
    return mean
  }
}
