"""The session state that snapshots carry (wire.md 4.D), and the summary (bab.md 9.1)."""

from .points import ACHIEVEMENTS, overall, ranking


def snapshot(game, player):
    """The whole state as one player may see it (5.7.10); player None: as anybody may."""
    scenario = game.scenario(game.scenario_id)
    seats = [
        {"peerId": each.id, "displayName": each.name, "assignedRole": game.packed_role(each), "isReady": each.is_ready,
         "connectionQuality": "GOOD"}
        for each in game.players]
    vote = game.vote and {
        "proposerId": game.vote.proposer, "action": game.vote.action, "requiredVotes": game.vote.required}
    return {
        "mode": "HOST", "connectionStatus": "CONNECTED",
        "peers": [
            {"id": each.id, "name": each.name, "role": game.packed_role(each), "isHost": each is game.me}
            for each in game.players],
        "localPeerId": game.id,
        "scenario": scenario and {
            "id": scenario["id"], "name": scenario["name"], "description": scenario["description"],
            "availableRoles": [
                {"id": role["id"], "name": role["name"], "description": role["description"]}
                for role in scenario["roles"]]},
        "roles": {each.id: game.packed_role(each) for each in game.players if each.role},
        "currentPhase": game.shown["phase"]["phase"] if game.in_lobby else game.phase,
        "pendingVote": vote, "voteResults": dict(game.vote.cast) if game.vote else {},
        "vectorClock": {"timestamps": dict(game.clock)}, "lastSyncTimestamp": game.wall_time,
        "lobbyPlayers": seats, "isAdvertising": game.is_advertising,
        "connectedPeers": [
            {"peerId": each.id, "displayName": each.name, "isHost": False, "lastSeen": game.wall_time}
            for each in game.seated],
        "currentTurnPlayerId": game.turn and game.turn.id, "pendingLine": game.pending_for(player),
        "committedHistory": game.history,
        "playerStats": {each.id: each.stats.packed(each.id) for each in game.players},
        "sessionLeaderboard": {"rankings": ranking(game.players), "updatedAt": game.wall_time},
        "sessionSummary": game.summary}


def reduced(state, step):
    """5.7.5: without the history; then with what cannot be told otherwise."""
    if step == 1:
        return dict(state, committedHistory=[])
    kept = ("currentPhase", "currentTurnPlayerId", "pendingLine", "pendingVote", "voteResults", "sessionSummary")
    return {key: state[key] for key in kept}


def summary(game, achievement_ids):
    """9.1, 9.2."""
    scenario = game.scenario(game.scenario_id)
    unlocked = [
        {"id": name, "name": ACHIEVEMENTS[name][0], "description": ACHIEVEMENTS[name][1], "iconName": None,
         "unlockedAt": game.wall_time}
        for name in achievement_ids]
    return {
        "scenarioName": scenario["name"] if scenario else game.scenario_id,
        "durationMs": (game.now - game.started) // 1_000_000, "totalLines": len(game.history),
        "playerRankings": ranking(game.players), "xpEarned": {each.id: each.stats.xp for each in game.players},
        "achievementsUnlocked": unlocked, "vocabularyLearned": [],
        "overallAccuracy": overall(game.players) / 1000}
