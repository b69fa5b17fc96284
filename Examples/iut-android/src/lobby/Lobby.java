package lobby;

import android.content.Context;
import babbench.android.Program;
import java.util.Map;

/** A host or a client of Bab, as the hello of the bench says. */
public final class Lobby implements Program.App {
  private LobbyHost host;
  private LobbyClient client;

  @Override
  public void launch(Context context, Program.Bench bench) {
    if ("host".equals(bench.hello().get("role"))) host = new LobbyHost(context, bench);
    else client = new LobbyClient(context, bench);
  }

  @Override
  public void user(String action, Map<String, Object> arguments) {
    if (host != null) host.user(action, arguments);
    else client.user(action, arguments);
  }
}
