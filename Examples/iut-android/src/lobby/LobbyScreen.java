package lobby;

import babbench.android.Program;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the client shows of the lobby (bab.md 5.2.6, 5.3.5, 5.3.7). */
final class LobbyScreen {
  private final String own;
  private final Program.Bench bench;
  private final Map<String, String> roles = new LinkedHashMap<>();
  private final Set<String> ready = new LinkedHashSet<>();
  private List<String> players = List.of();
  private String scenario;
  private String difficulty;
  private boolean isPlaying;
  private String phase = "LOBBY";

  LobbyScreen(String own, Program.Bench bench) {
    this.own = own;
    this.bench = bench;
  }

  List<String> players() {
    return players;
  }

  /** Throws {@link Fields.NoPacket} before anything is shown. */
  static void check(Packet packet) {
    switch (packet.name) {
      case "LobbyUpdate": {
        Map<String, Object> state = Fields.members(packet.payload, "lobbyState");
        playersOf(state);
        if (state.containsKey("selectedScenarioId")) Fields.text(state, "selectedScenarioId");
        if (state.containsKey("difficultyLevel")) Fields.text(state, "difficultyLevel");
        break;
      }
      case "RoleAssigned":
        Fields.text(packet.payload, "playerId");
        Fields.text(packet.payload, "roleId");
        break;
      case "PlayerReady":
        Fields.text(packet.payload, "playerId");
        Fields.flag(packet.payload, "isReady");
        break;
      default: break;
    }
  }

  private static List<String> playersOf(Map<String, Object> state) {
    List<String> ids = new ArrayList<>();
    if (!state.containsKey("connectedPlayers")) return ids;
    for (Map<String, Object> each : Fields.list(state, "connectedPlayers")) {
      Fields.text(each, "displayName");
      ids.add(Fields.text(each, "playerId"));
    }
    return ids;
  }

  /** Shows what a packet changes. */
  void take(Packet packet) {
    switch (packet.name) {
      case "LobbyUpdate": lobby(Fields.members(packet.payload, "lobbyState")); break;
      case "RoleAssigned": role(Fields.text(packet.payload, "playerId"), Fields.text(packet.payload, "roleId")); break;
      case "PlayerReady": ready(Fields.text(packet.payload, "playerId"), Fields.flag(packet.payload, "isReady")); break;
      case "GameStarted": case "StartGame": isPlaying = true; break;
      default: break;
    }
    String now = isPlaying ? "ACTIVE" : ready.contains(own) ? "WAITING" : roles.isEmpty() ? "LOBBY" : "ROLE_SELECTION";
    if (!now.equals(phase)) bench.report("phase", "phase", now);
    phase = now;
  }

  private void role(String player, String role) {
    if (role.equals(roles.get(player))) return;
    roles.put(player, role);
    ready.remove(player);
    bench.report("role", "player", player, "role", role);
  }

  private void ready(String player, boolean isReady) {
    if (isReady == ready.contains(player)) return;
    if (isReady) ready.add(player);
    else ready.remove(player);
    bench.report("ready", "player", player, "ready", isReady);
  }

  private void lobby(Map<String, Object> state) {
    List<String> newPlayers = playersOf(state);
    String newScenario = state.containsKey("selectedScenarioId") ? Fields.text(state, "selectedScenarioId") : "";
    String newDifficulty = state.containsKey("difficultyLevel") ? Fields.text(state, "difficultyLevel") : "normal";
    boolean isSameScenario = newScenario.equals(scenario);
    roles.keySet().removeIf(each -> !isSameScenario || !newPlayers.contains(each));
    ready.removeIf(each -> !isSameScenario || !newPlayers.contains(each));
    boolean arePlayersNew = scenario == null || !newPlayers.equals(players);
    if (arePlayersNew || !isSameScenario || !newDifficulty.equals(difficulty)) {
      bench.report("lobby", "scenarioID", newScenario, "difficulty", newDifficulty, "players", newPlayers);
    }
    if (arePlayersNew) bench.report("roster", "players", newPlayers);
    players = newPlayers;
    scenario = newScenario;
    difficulty = newDifficulty;
  }
}
