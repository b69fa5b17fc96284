package lobby;

import android.bluetooth.BluetoothAdapter;
import android.bluetooth.BluetoothDevice;
import android.bluetooth.BluetoothManager;
import android.bluetooth.le.BluetoothLeScanner;
import android.bluetooth.le.ScanCallback;
import android.bluetooth.le.ScanFilter;
import android.bluetooth.le.ScanResult;
import android.bluetooth.le.ScanSettings;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.os.Handler;
import android.os.Looper;
import android.os.ParcelUuid;
import babbench.android.Program;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** A client that joins a host, shows the lobby, and takes a role and readiness; it plays no game. */
final class LobbyClient implements ClientLink.Listener {
  private static final long ATTEMPT = 10_000; // milliseconds, bab.md 8.5
  private static final long BACK_OFF = 100; // milliseconds, 8.7
  private static final int MOST_REFUSALS = 3; // 8.10

  private final Dialect dialect;
  private final String id;
  private final String name;
  private final long heartbeat;
  private final Context context;
  private final Program.Bench bench;
  private final BluetoothAdapter adapter;
  private final Handler main = new Handler(Looper.getMainLooper());
  private final VectorClock counts = new VectorClock();
  private final Set<BluetoothDevice> excluded = new HashSet<>();
  private final Random random = new Random();
  private LobbyScreen screen;
  private ClientLink link;

  /** A device that had been connected when its link was lost, to be tried without a scan. */
  private BluetoothDevice known;
  private boolean isPlaying;
  private boolean hasSeat;
  private boolean isScanning;
  private int failures;
  private int refusals;

  private final ScanCallback scan = new ScanCallback() {
    @Override
    public void onScanResult(int callbackType, ScanResult result) {
      found(result.getDevice());
    }
  };

  private final Runnable look = this::look;
  private final Runnable beat = this::beat;

  LobbyClient(Context context, Program.Bench bench) {
    this.context = context;
    this.bench = bench;
    dialect = new Dialect(bench.hello().get("dialect"));
    id = Fields.text(bench.hello(), "peerID");
    name = Fields.text(bench.hello(), "displayName");
    heartbeat = Fields.number(Fields.members(bench.hello(), "game"), "heartbeatMilliseconds");
    adapter = context.getSystemService(BluetoothManager.class).getAdapter();
    screen = new LobbyScreen(id, bench);
    bench.report("identity", "role", "client", "peerID", id, "displayName", name);
    bench.report("phase", "phase", "LOBBY");
    show("DISCONNECTED");
    context.registerReceiver(new BroadcastReceiver() {
      @Override
      public void onReceive(Context from, Intent intent) {
        switched(intent.getIntExtra(BluetoothAdapter.EXTRA_STATE, BluetoothAdapter.ERROR));
      }
    }, new IntentFilter(BluetoothAdapter.ACTION_STATE_CHANGED));
  }

  private void show(String linkState) {
    bench.report("linkState", "linkState", linkState);
  }

  // What a person does

  void user(String action, Map<String, Object> input) {
    switch (action) {
      case "joinHost":
        if (isPlaying) break;
        isPlaying = true;
        failures = 0;
        refusals = 0;
        excluded.clear();
        known = null;
        screen = new LobbyScreen(id, bench);
        show("CONNECTING");
        look();
        break;
      case "leave":
        if (!isPlaying) break;
        ended("left");
        break;
      case "requestRole":
        if (hasSeat) send("ROLE_ASSIGNED", "playerId", id, "roleId", Fields.text(input, "role"));
        break;
      case "setReady":
        if (hasSeat) send("PLAYER_READY", "playerId", id, "isReady", Fields.flag(input, "ready"));
        break;
      default: break;
    }
  }

  private void ended(String reason) {
    isPlaying = false;
    hasSeat = false;
    main.removeCallbacks(look);
    stopScan();
    drop();
    show("DISCONNECTED");
    bench.report("sessionEnded", "reason", reason);
  }

  private void drop() {
    main.removeCallbacks(beat);
    ClientLink left = link;
    link = null;
    if (left != null) left.close();
  }

  // A session: look, connect, set up, and again after a while (bab.md 2.4, 2.5, 5.1, 8.5, 8.7)

  private void switched(int state) {
    if (!isPlaying) return;
    if (state == BluetoothAdapter.STATE_ON) {
      main.removeCallbacks(look);
      look();
    } else if (state == BluetoothAdapter.STATE_OFF) {
      isScanning = false;
      drop();
      again(false);
    }
  }

  private void look() {
    BluetoothLeScanner scanner = adapter.getBluetoothLeScanner();
    if (!isPlaying || link != null || isScanning || scanner == null) return;
    if (known != null) {
      // Android hears nothing when it is asked to scan a sixth time within 30 s.
      meet(known);
      return;
    }
    isScanning = true;
    ScanFilter filter = new ScanFilter.Builder().setServiceUuid(new ParcelUuid(dialect.service)).build();
    ScanSettings settings = new ScanSettings.Builder().setScanMode(ScanSettings.SCAN_MODE_LOW_LATENCY).build();
    scanner.startScan(List.of(filter), settings, scan);
  }

  private void stopScan() {
    BluetoothLeScanner scanner = adapter.getBluetoothLeScanner();
    if (isScanning && scanner != null) scanner.stopScan(scan);
    isScanning = false;
  }

  private void found(BluetoothDevice device) {
    if (!isPlaying || link != null || excluded.contains(device)) return;
    stopScan();
    meet(device);
  }

  private void meet(BluetoothDevice device) {
    known = null;
    link = new ClientLink(device, dialect, bench, this);
    link.open(context, ATTEMPT);
  }

  /** An attempt is over. */
  private void again(boolean wasRefused) {
    if (hasSeat) {
      // Without the ICS item `reconnect`, a client that had a seat is done.
      ended("the link is lost");
      return;
    }
    if (wasRefused) refusals++;
    if (refusals == MOST_REFUSALS) {
      ended("refused by the host");
      return;
    }
    failures++;
    long most = BACK_OFF << Math.min(failures, 4);
    main.removeCallbacks(look);
    main.postDelayed(look, BACK_OFF + random.nextInt((int) most));
  }

  @Override
  public void over(ClientLink from, boolean wasRefused, boolean isNoHost) {
    if (from != link) return;
    link = null;
    main.removeCallbacks(beat);
    if (isNoHost) excluded.add(from.device());
    else if (from.hasBeenConnected() && !wasRefused) known = from.device();
    again(wasRefused);
  }

  @Override
  public void ready(ClientLink from) {
    send("HANDSHAKE", "participant", Packet.object("id", id, "name", name, "role", null, "isHost", false));
    send("CLIENT_JOIN", "profile", Packet.object("playerId", id, "displayName", name));
    if (heartbeat > 0) main.postDelayed(beat, heartbeat);
  }

  private void beat() {
    send("HEARTBEAT");
    main.postDelayed(beat, heartbeat);
  }

  private void send(String type, Object... payload) {
    if (link == null || link.isEnding()) return;
    counts.countOne(id);
    link.post(type, Packet.octets(type, id, counts, payload));
  }

  // Packets of the host

  @Override
  public void received(ClientLink from, byte[] value) {
    byte[] octets = from.reassembler.take(value);
    if (octets == null) return;
    try {
      Packet packet = new Packet(octets);
      LobbyScreen.check(packet);
      if (packet.name.equals("Handshake")) Fields.text(Fields.members(packet.payload, "participant"), "name");
      accept(packet, from);
    } catch (Fields.NoPacket problem) {
      from.report("refused", "reason", problem.getMessage());
    }
  }

  private static boolean isFit(Packet packet) {
    if (!packet.name.equals("Handshake")) return true;
    Map<String, Object> participant = Fields.members(packet.payload, "participant");
    return Fields.text(participant, "id").equals(packet.sender) && Boolean.TRUE.equals(participant.get("isHost"));
  }

  /** Who may say what to a client (bab.md 5.6.4, 7.5, 7.8, 7.12), and what it changes. */
  private void accept(Packet packet, ClientLink from) {
    if (packet.name.equals("ClientJoin") || packet.name.equals("GenerateRequest")) {
      from.report("violation", "rule", "BAB 7.12", "detail", packet.name + " from a host");
      return;
    }
    boolean isOther = from.host != null && !from.host.equals(packet.sender);
    if (isOther || packet.sender.equals(id) || !isFit(packet)) {
      from.report("violation", "rule", "BAB 7.5", "detail", packet.sender + " on the link of " + from.host);
      return;
    }
    from.host = packet.sender;
    if (packet.ownCount() < from.lastCount) return;
    from.lastCount = packet.ownCount();
    counts.merge(packet.clock, peer -> true);
    screen.take(packet);
    if (!hasSeat && screen.players().contains(id)) {
      hasSeat = true;
      show("CONNECTED");
    }
    bench.report("vectorClock", "entries", counts.entries());
    if (!packet.namesItself) {
      from.report("violation", "rule", "BAB 7.8", "detail", "the envelope is not of " + packet.name);
    }
  }
}
