package android.app;

import android.content.Context;
import android.content.Intent;

/** An intent that another party sends later: here, a broadcast. */
public final class PendingIntent {
  public static final int FLAG_UPDATE_CURRENT = 1 << 27;
  public static final int FLAG_IMMUTABLE = 1 << 26;
  public static final int FLAG_MUTABLE = 1 << 25;

  private final Context context;
  private final Intent intent;

  private PendingIntent(Context context, Intent intent) {
    this.context = context;
    this.intent = intent;
  }

  public static PendingIntent getBroadcast(Context context, int code, Intent intent, int flags) {
    return new PendingIntent(context, intent);
  }

  /** Sends it with the extras of another intent. */
  public void send(Context from, int code, Intent more) {
    Intent sent = new Intent(intent);
    if (more != null && more.getExtras() != null) sent.putExtras(more.getExtras());
    context.sendBroadcast(sent);
  }
}
