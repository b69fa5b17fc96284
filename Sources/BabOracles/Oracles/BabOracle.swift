import BabSim
package import Conformance

/// An oracle of Bab. It reads `state` for who is who.
package protocol BabOracle: Oracle {
  init(state: BabRunState)
}

/// All oracles of Bab, in the order in which reports list them.
package enum OracleRegistry {
  package static var all: [any BabOracle.Type] {
    [
      OneHostPerLobby.self,
      RosterWithinCapacity.self,
      NoGhostsAfterSupervisionTimeout.self,
      LobbyStateConverges.self,
      StartReachesAll.self,
      CommittedLinesArePrefix.self,
      OnlyCurrentPlayerCompletes.self,
      PrivateTextReachesOnlyItsPlayer.self,
      ScoresFollowFormula.self,
      RankingFollowsScores.self,
      RolesFollowRules.self,
      RolesAreTold.self,
      GameStartsWhenReady.self,
      RosterKeepsItsOrder.self,
      TurnsGoRound.self,
      LinesAreToldInOrder.self,
      VotesFollowRules.self,
      VoteResultsFollowVotes.self,
      GamesGoOn.self,
      GamesEndWhenTheyMust.self,
      SummaryMatchesGame.self,
      SnapshotIsTheGame.self,
      ClientsShowTheGame.self,
      OneServicePerHost.self,
      OpeningGoesInOrder.self,
      PacketsGoTheirWay.self,
      FragmentsFitATTMTU.self,
      FragmentsMakePackets.self,
      NothingReportedSentThatWasNot.self,
      NothingSentIsLost.self,
      NothingOutlivesItsLink.self,
      VectorClocksNeverGoBack.self,
      ReconnectedPeersResume.self,
      LostSessionsEnd.self,
      RefusedClientsGiveUp.self,
      SessionsLeaveNothing.self,
      NoCrashNoHang.self,
    ]
  }
}

extension OracleReader {
  /// Runs oracles of Bab, all by default.
  package convenience init(types: [any BabOracle.Type] = OracleRegistry.all) {
    self.init(of: BabApp.name) { header in
      let state = BabRunState(header: header)
      return (state, types.map { $0.init(state: state) })
    }
  }
}
