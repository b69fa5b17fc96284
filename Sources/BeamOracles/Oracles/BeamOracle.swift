import BeamScribe
package import Conformance

/// An oracle of BeamScribe. It reads `state` for who is who.
package protocol BeamOracle: Oracle {
  init(state: BeamRunState)
}

/// All oracles of BeamScribe, in the order in which reports list them.
package enum BeamOracles {
  package static var all: [any BeamOracle.Type] {
    [
      FinalsExactlyOnce.self, HistoryThenLive.self, NothingBeforeTheGate.self, FramesAreWhole.self,
      FramesWithinLimit.self, PacketsAreCanonical.self, BadFramesCloseTheirStream.self, GuestsSendNothing.self,
      GuestsWithinCapacity.self, BluetoothOffWhileUp.self, AdvertisingFits.self, RetriesWait.self,
      OneAttemptAtATime.self, UnstableAreCounted.self, PartialsAreReplaced.self, AlertsChangeNoText.self,
      InfrastructurePreferred.self, TranscriptConverges.self, AlertsReachAll.self, GatesOpen.self,
      BluetoothResumes.self, SightingsPrime.self, LostGuestsReturn.self, SlowGuestsDelayNobody.self,
      VanishedHostsAreNoticed.self, NoCrashNoHang.self,
    ]
  }
}

extension OracleReader {
  /// Judges BeamScribe by oracles, all by default.
  package static func beamScribe(_ types: [any BeamOracle.Type] = BeamOracles.all) -> OracleReader {
    OracleReader(of: BeamApp.name) { header in
      let state = BeamRunState(header: header)
      return (state, types.map { $0.init(state: state) })
    }
  }
}
