package android.content;

/** Is told broadcasts, on the main thread or on the handler with which it was registered. */
public abstract class BroadcastReceiver {
  public abstract void onReceive(Context context, Intent intent);

  public final void abortBroadcast() {}
}
