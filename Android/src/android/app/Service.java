package android.app;

import android.content.ContextWrapper;
import android.content.Intent;
import android.os.IBinder;

/** A part of an app that runs without a screen. Nobody starts it but who makes one. */
public abstract class Service extends ContextWrapper {
  public static final int START_STICKY = 1;
  public static final int START_NOT_STICKY = 2;

  public Service() {
    super(null);
  }

  public void onCreate() {}

  public int onStartCommand(Intent intent, int flags, int startId) {
    return START_STICKY;
  }

  public abstract IBinder onBind(Intent intent);

  public boolean onUnbind(Intent intent) {
    return false;
  }

  public void onDestroy() {}

  public final void stopSelf() {}
}
