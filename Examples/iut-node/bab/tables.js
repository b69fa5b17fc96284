'use strict';
// The members of packets (wire.md 4.C and 4.D) in their order: name, type, and the default of a key that may be absent.
// A type is a word ('str', 'i32', 'i64', 'f32', 'bool', 'any', or an object below) or one of these:

const nullable = (of) => ({ is: 'nullable', of });
const list = (of) => ({ is: 'list', of });
const map = (of) => ({ is: 'map', of });
const oneOf = (...names) => ({ is: 'oneOf', names });

const OBJECTS = {
  participant: [['id', 'str'], ['name', 'str'], ['role', nullable('role'), null], ['isHost', 'bool', false]],
  role: [['id', 'str'], ['name', 'str'], ['description', 'str']],
  line: [
    ['id', 'str'], ['speakerId', 'str'], ['roleName', 'str'], ['textNative', 'str'], ['textTranslated', 'str'],
    ['timestamp', 'i64'], ['assignedToPlayerId', 'str', ''],
    ['visibility', oneOf('PRIVATE', 'COMMITTED'), 'COMMITTED'], ['pronunciationResult', nullable('result'), null],
  ],
  result: [
    ['errorCount', 'i32'], ['accuracy', 'f32'], ['wordErrors', list('wordError')], ['skipped', 'bool'],
    ['duration', 'i64'],
  ],
  wordError: [['word', 'str'], ['position', 'i32'], ['expected', nullable('str')], ['heard', nullable('str')]],
  leaderboard: [['rankings', list('ranking')], ['updatedAt', 'i64']],
  ranking: [
    ['rank', 'i32'], ['playerId', 'str'], ['displayName', 'str'], ['score', 'i32'],
    ['highlight', nullable('str'), null],
  ],
  lobbyState: [
    ['selectedScenarioId', 'str', ''], ['difficultyLevel', 'str', 'normal'],
    ['connectedPlayers', list('profile'), []],
  ],
  profile: [['playerId', 'str'], ['displayName', 'str']],
  clock: [['timestamps', map('i64'), new Map()]],
  scenario: [['id', 'str'], ['name', 'str'], ['description', 'str'], ['availableRoles', list('role')]],
  pendingVote: [
    ['proposerId', 'str'], ['action', oneOf('CHANGE_SCENE', 'END_GAME', 'SKIP_LINE')], ['requiredVotes', 'i32'],
  ],
  lobbyPlayer: [
    ['peerId', 'str'], ['displayName', 'str'], ['assignedRole', nullable('role')], ['isReady', 'bool'],
    ['connectionQuality', oneOf('EXCELLENT', 'GOOD', 'FAIR', 'POOR'), 'GOOD'],
  ],
  connectedPeer: [['peerId', 'str'], ['displayName', 'str'], ['isHost', 'bool', false], ['lastSeen', 'i64', 0]],
  playerStats: [
    ['playerId', 'str'], ['linesCompleted', 'i32', 0], ['totalErrors', 'i32', 0], ['perfectLines', 'i32', 0],
    ['averageAccuracy', 'f32', 0], ['currentStreak', 'i32', 0], ['xpEarned', 'i32', 0],
  ],
  summary: [
    ['scenarioName', 'str'], ['durationMs', 'i64'], ['totalLines', 'i32'], ['playerRankings', list('ranking')],
    ['xpEarned', map('i32')], ['achievementsUnlocked', list('achievement')], ['vocabularyLearned', list('any')],
    ['overallAccuracy', 'f32'],
  ],
  achievement: [
    ['id', 'str'], ['name', 'str'], ['description', 'str'], ['iconName', nullable('str'), null],
    ['unlockedAt', 'i64'],
  ],
  state: [
    ['mode', oneOf('SOLO', 'HOST', 'CLIENT'), 'SOLO'],
    ['connectionStatus', oneOf('DISCONNECTED', 'CONNECTING', 'CONNECTED', 'RECONNECTING'), 'DISCONNECTED'],
    ['peers', list('participant'), []], ['localPeerId', 'str', ''], ['scenario', nullable('scenario'), null],
    ['roles', map('role'), new Map()], ['dialogHistory', list('line'), []],
    ['currentPhase', oneOf('LOBBY', 'ROLE_SELECTION', 'WAITING', 'ACTIVE', 'VOTING', 'FINISHED'), 'LOBBY'],
    ['pendingVote', nullable('pendingVote'), null], ['voteResults', map('bool'), new Map()],
    ['vectorClock', 'clock', new Map()], ['lastSyncTimestamp', 'i64', 0], ['playerContexts', 'any', new Map()],
    ['activePlotTwist', 'any', null], ['recentFeedback', 'any', []], ['sessionStats', 'any', null],
    ['lobbyPlayers', list('lobbyPlayer'), []], ['isAdvertising', 'bool', false],
    ['connectedPeers', list('connectedPeer'), []], ['currentTurnPlayerId', nullable('str'), null],
    ['pendingLine', nullable('line'), null], ['committedHistory', list('line'), []],
    ['playerStats', map('playerStats'), new Map()], ['sessionLeaderboard', nullable('leaderboard'), null],
    ['sessionSummary', nullable('summary'), null],
  ],
};

// Table 4.C: the payload's name and members by the envelope's type.
const KINDS = {
  HANDSHAKE: ['Handshake', ['participant', 'participant']],
  HEARTBEAT: ['Heartbeat'],
  GENERATE_REQUEST: ['GenerateRequest', ['prompt', 'str']],
  DIALOG_LINE_ADDED: ['DialogLineAdded', ['line', 'line']],
  VOTE_REQUEST: ['VoteRequest', ['proposerId', 'str'], ['action', oneOf('CHANGE_SCENE', 'END_GAME', 'SKIP_LINE')]],
  VOTE_CAST: ['VoteCast', ['voterId', 'str'], ['vote', 'bool']],
  FULL_STATE_SNAPSHOT: ['FullStateSnapshot', ['state', 'state']],
  NAVIGATION_SYNC: ['NavigationSync', ['screenName', 'str']],
  LINE_COMPLETED: ['LineCompleted', ['lineId', 'str'], ['result', 'result']],
  LINE_SKIPPED: ['LineSkipped', ['lineId', 'str']],
  ROLE_ASSIGNED: ['RoleAssigned', ['playerId', 'str'], ['roleId', 'str']],
  PLAYER_READY: ['PlayerReady', ['playerId', 'str'], ['isReady', 'bool']],
  GAME_STARTED: ['GameStarted'],
  TURN_ADVANCED: ['TurnAdvanced', ['nextPlayerId', 'str'], ['pendingLine', nullable('line')]],
  LEADERBOARD_UPDATE: ['LeaderboardUpdate', ['leaderboard', 'leaderboard']],
  LOBBY_UPDATE: ['LobbyUpdate', ['lobbyState', 'lobbyState']],
  CLIENT_JOIN: ['ClientJoin', ['profile', 'profile']],
  START_GAME: ['StartGame'],
};

module.exports = { OBJECTS, KINDS };
