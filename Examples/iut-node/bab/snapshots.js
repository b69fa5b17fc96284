'use strict';
// The session state that snapshots carry (wire.md 4.D), and the summary (bab.md 9.1).

const { ACHIEVEMENTS, overall, ranking } = require('./points.js');

const packed = ({ id, name, description }) => ({ id, name, description });

/** The whole state as one player may see it (5.7.10); player null: as anybody may. */
function snapshot(game, player) {
  const scenario = game.scenario(game.scenarioID);
  const { vote, players } = game;
  return {
    mode: 'HOST', connectionStatus: 'CONNECTED',
    peers: players.map((each) => ({
      id: each.id, name: each.name, role: game.packedRole(each), isHost: each === game.me,
    })),
    localPeerId: game.id,
    scenario: scenario ? { ...packed(scenario), availableRoles: scenario.roles.map(packed) } : null,
    roles: new Map(players.filter((each) => each.role).map((each) => [each.id, game.packedRole(each)])),
    currentPhase: game.shownPhase,
    pendingVote: vote && { proposerId: vote.proposer, action: vote.action, requiredVotes: vote.required },
    voteResults: new Map(vote?.cast ?? []), vectorClock: { timestamps: new Map(game.clock) },
    lastSyncTimestamp: Date.now(),
    lobbyPlayers: players.map((each) => ({
      peerId: each.id, displayName: each.name, assignedRole: game.packedRole(each), isReady: each.isReady,
      connectionQuality: 'GOOD',
    })),
    isAdvertising: game.isAdvertising,
    connectedPeers: game.seated.map((each) => ({
      peerId: each.id, displayName: each.name, isHost: false, lastSeen: Date.now(),
    })),
    currentTurnPlayerId: game.turn?.id ?? null, pendingLine: game.pendingFor(player),
    committedHistory: [...game.history],
    playerStats: new Map(players.map((each) => [each.id, each.stats.packed(each.id)])),
    sessionLeaderboard: { rankings: ranking(players), updatedAt: Date.now() }, sessionSummary: game.summary,
  };
}

/** 5.7.5: step 0 is all of it, 1 is without the history, 2 what cannot be told otherwise. */
function reduced(state, step) {
  if (step === 0) return state;
  if (step === 1) return { ...state, committedHistory: [] };
  const { currentPhase, currentTurnPlayerId, pendingLine, pendingVote, voteResults, sessionSummary } = state;
  return { currentPhase, currentTurnPlayerId, pendingLine, pendingVote, voteResults, sessionSummary };
}

/** 9.1, 9.2 */
function summary(game, achievementIDs) {
  return {
    scenarioName: game.scenario(game.scenarioID)?.name ?? game.scenarioID,
    durationMs: Math.floor((game.now - game.started) / 1_000_000), totalLines: game.history.length,
    playerRankings: ranking(game.players), xpEarned: new Map(game.players.map((each) => [each.id, each.stats.xp])),
    achievementsUnlocked: achievementIDs.map((id) => ({
      id, name: ACHIEVEMENTS[id][0], description: ACHIEVEMENTS[id][1], iconName: null, unlockedAt: Date.now(),
    })),
    vocabularyLearned: [], overallAccuracy: overall(game.players) / 1_000,
  };
}

module.exports = { reduced, snapshot, summary };
