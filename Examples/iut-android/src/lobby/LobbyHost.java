package lobby;

import android.bluetooth.BluetoothAdapter;
import android.bluetooth.BluetoothDevice;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.os.Handler;
import android.os.Looper;
import android.util.Log;
import babbench.android.Program;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A host that opens a lobby, gives seats, and starts a game that it does not play (dialect {@code sdk}). */
final class LobbyHost implements HostServer.Listener {
  private static final class Guest {
    final Reassembler reassembler;
    String id;
    String name;
    long lastCount;

    Guest(Reassembler reassembler) {
      this.reassembler = reassembler;
    }

    boolean hasSeat() {
      return name != null;
    }
  }

  private static final int SEATS = 8;
  private static final long JOIN_MILLISECONDS = 15_000;
  private static final Set<String> DIFFICULTIES = Set.of("easy", "normal", "hard");

  private final String id;
  private final String name;
  private final Program.Bench bench;
  private final HostServer server;
  private final Handler main = new Handler(Looper.getMainLooper());
  private final List<String> scenarios = new ArrayList<>();
  private final VectorClock counts = new VectorClock();

  /** In the order of their links; seats are in the order of the joins. */
  private final Map<BluetoothDevice, Guest> guests = new LinkedHashMap<>();
  private final List<BluetoothDevice> seats = new ArrayList<>();
  private boolean isHosting;
  private boolean hasBegun;
  private String scenario = "";
  private String difficulty = "normal";

  LobbyHost(Context context, Program.Bench bench) {
    this.bench = bench;
    id = Fields.text(bench.hello(), "peerID");
    name = Fields.text(bench.hello(), "displayName");
    for (Map<String, Object> each : Fields.list(Fields.members(bench.hello(), "game"), "scenarios")) {
      scenarios.add(Fields.text(each, "id"));
    }
    server = new HostServer(context, new Dialect(bench.hello().get("dialect")), id, this);
    bench.report("identity", "role", "host", "peerID", id, "displayName", name);
    bench.report("phase", "phase", "LOBBY");
    context.registerReceiver(new BroadcastReceiver() {
      @Override
      public void onReceive(Context from, Intent intent) {
        switched(intent.getIntExtra(BluetoothAdapter.EXTRA_STATE, BluetoothAdapter.ERROR));
      }
    }, new IntentFilter(BluetoothAdapter.ACTION_STATE_CHANGED));
  }

  private void switched(int state) {
    if (state == BluetoothAdapter.STATE_OFF) server.switchedOff();
    else if (state == BluetoothAdapter.STATE_ON && isHosting) server.open();
  }

  void user(String action, Map<String, Object> input) {
    switch (action) {
      case "startHosting":
        if (isHosting) break;
        isHosting = true;
        server.open();
        break;
      case "setLobbyScenario":
        if (hasBegun) break;
        scenario = Fields.text(input, "scenario");
        sendLobby();
        break;
      case "setLobbyDifficulty":
        if (hasBegun || !DIFFICULTIES.contains(Fields.text(input, "difficulty"))) break;
        difficulty = Fields.text(input, "difficulty");
        sendLobby();
        break;
      case "startLobbyGame":
        if (hasBegun || seats.isEmpty() || !scenarios.contains(scenario)) break;
        hasBegun = true;
        send(seats, "START_GAME");
        advertise();
        break;
      case "leave":
        isHosting = false;
        hasBegun = false;
        advertise();
        for (BluetoothDevice device : server.devices()) server.end(device);
        break;
      default: break;
    }
  }

  private void advertise() {
    server.advertise(isHosting && !hasBegun && server.devices().size() < SEATS - 1);
  }

  // Links

  @Override
  public void came(BluetoothDevice device) {
    if (hasBegun || server.devices().size() > SEATS - 1) {
      server.end(device);
      return;
    }
    Guest guest = new Guest(new Reassembler(main, reason -> Log.i("lobby", "refused: " + reason)));
    guests.put(device, guest);
    main.postDelayed(() -> {
      if (!guest.hasSeat() && guests.get(device) == guest) server.end(device);
    }, guest, JOIN_MILLISECONDS);
    advertise();
  }

  @Override
  public void gone(BluetoothDevice device) {
    Guest guest = guests.remove(device);
    if (guest != null) {
      guest.reassembler.end();
      main.removeCallbacksAndMessages(guest);
    }
    if (seats.remove(device)) sendLobby();
    advertise();
  }

  @Override
  public void received(BluetoothDevice device, byte[] value) {
    Guest guest = guests.get(device);
    byte[] packet = guest == null ? null : guest.reassembler.take(value);
    if (packet == null) return;
    try {
      accept(device, guest, new Packet(packet));
    } catch (Fields.NoPacket problem) {
      Log.i("lobby", "no packet: " + problem.getMessage());
    }
  }

  // Packets (bab.md 5.1, 5.6, 7)

  private void accept(BluetoothDevice device, Guest guest, Packet packet) {
    if (packet.name.equals("Handshake")) {
      greet(device, guest, packet);
      return;
    }
    if (!packet.sender.equals(guest.id) || packet.ownCount() < guest.lastCount) return;
    guest.lastCount = packet.ownCount();
    if (packet.name.equals("ClientJoin")) {
      Map<String, Object> profile = Fields.members(packet.payload, "profile");
      if (!Fields.text(profile, "playerId").equals(guest.id)) return;
      merge(packet);
      seat(device, guest, Fields.text(profile, "displayName"));
    } else if (packet.name.equals("Heartbeat")) {
      merge(packet);
    }
  }

  private void greet(BluetoothDevice device, Guest guest, Packet packet) {
    Map<String, Object> participant = Fields.members(packet.payload, "participant");
    String peer = Fields.text(participant, "id");
    boolean isHost = Boolean.TRUE.equals(participant.get("isHost"));
    if (isHost || !peer.equals(packet.sender) || peer.equals(id) || peer.isEmpty()) return;
    if (guest.id != null && !guest.id.equals(peer)) return;
    for (Map.Entry<BluetoothDevice, Guest> each : guests.entrySet()) {
      if (each.getValue() == guest || !peer.equals(each.getValue().id)) continue;
      server.end(device);
      return;
    }
    boolean isFirst = guest.id == null;
    guest.id = peer;
    if (packet.ownCount() < guest.lastCount) return;
    guest.lastCount = packet.ownCount();
    merge(packet);
    if (isFirst) {
      send(List.of(device), "HANDSHAKE", "participant",
          Packet.object("id", id, "name", name, "role", null, "isHost", true));
    }
  }

  private void seat(BluetoothDevice device, Guest guest, String player) {
    if (guest.hasSeat()) return;
    if (hasBegun || seats.size() >= SEATS - 1) {
      server.end(device);
      return;
    }
    guest.name = player;
    seats.add(device);
    sendLobby();
  }

  private void merge(Packet packet) {
    counts.merge(packet.clock,
        peer -> peer.equals(id) || guests.values().stream().anyMatch(guest -> peer.equals(guest.id)));
  }

  private void sendLobby() {
    List<Object> players = new ArrayList<>();
    players.add(Packet.object("playerId", id, "displayName", name));
    for (BluetoothDevice seat : seats) {
      Guest guest = guests.get(seat);
      players.add(Packet.object("playerId", guest.id, "displayName", guest.name));
    }
    send(seats, "LOBBY_UPDATE", "lobbyState", Packet.object("selectedScenarioId", scenario, "difficultyLevel",
        difficulty, "connectedPlayers", players));
  }

  /** One packet, to several. */
  private void send(List<BluetoothDevice> to, String type, Object... payload) {
    if (to.isEmpty()) return;
    counts.countOne(id);
    byte[] packet = Packet.octets(type, id, counts, payload);
    for (BluetoothDevice device : new ArrayList<>(to)) server.send(device, packet);
  }
}
