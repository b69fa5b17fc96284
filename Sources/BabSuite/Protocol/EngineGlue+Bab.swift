import BabSim
import Conformance

extension EngineGlue {
  /// Bab's BLE half, and what judges that half alone: the one place that says so.
  static let bab = EngineGlue(
    judgedBy: [
      // Groups.
      "ADV", "GATT", "MTU", "FRAG",
      // Framing, the order of values and what a platform takes, connection attempts and their back-off, long queues.
      "BAB 3.", "BAB 5.9.", "BAB 8.5", "BAB 8.7", "BAB 8.9",
      // What is left out of a snapshot on a narrow link: only the BLE half knows how much a link carries.
      "BAB/HOST/SYNC/BV-15-C", "BAB/HOST/SYNC/BV-16-C", "BAB/HOST/TURN/BV-23-C",
    ],
    make: { engine, configuration in MessageGlue.around(engine, configuration) })
}
