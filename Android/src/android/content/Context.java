package android.content;

import android.bluetooth.BluetoothManager;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageManager;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import babbench.android.Phone;
import java.util.concurrent.Executor;

/** What an app has of its system: Bluetooth, broadcasts, permissions, which are all granted. */
public abstract class Context {
  public static final String BLUETOOTH_SERVICE = "bluetooth";
  public static final String LOCATION_SERVICE = "location";
  public static final String POWER_SERVICE = "power";
  public static final String NOTIFICATION_SERVICE = "notification";
  public static final int MODE_PRIVATE = 0;
  public static final int BIND_AUTO_CREATE = 1;
  public static final int RECEIVER_EXPORTED = 2;
  public static final int RECEIVER_NOT_EXPORTED = 4;

  /** The context of the app on a phone; for those who drive. */
  public static Context ofPhone(Phone phone) {
    return new PhoneContext(phone);
  }

  public abstract Context getApplicationContext();

  public abstract Object getSystemService(String name);

  @SuppressWarnings("unchecked")
  public final <T> T getSystemService(Class<T> type) {
    String name = getSystemServiceName(type);
    return name == null ? null : (T) getSystemService(name);
  }

  public String getSystemServiceName(Class<?> type) {
    return type == BluetoothManager.class ? BLUETOOTH_SERVICE : null;
  }

  public abstract Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter);

  public abstract Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter, int flags);

  public abstract Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter, String permission,
      Handler scheduler);

  public abstract Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter, String permission,
      Handler scheduler, int flags);

  public abstract void unregisterReceiver(BroadcastReceiver receiver);

  public abstract void sendBroadcast(Intent intent);

  public void sendBroadcast(Intent intent, String permission) {
    sendBroadcast(intent);
  }

  public int checkSelfPermission(String permission) {
    return PackageManager.PERMISSION_GRANTED;
  }

  public int checkPermission(String permission, int process, int user) {
    return PackageManager.PERMISSION_GRANTED;
  }

  public int checkCallingOrSelfPermission(String permission) {
    return PackageManager.PERMISSION_GRANTED;
  }

  public abstract PackageManager getPackageManager();

  public abstract String getPackageName();

  public abstract ApplicationInfo getApplicationInfo();

  public abstract Looper getMainLooper();

  public abstract Executor getMainExecutor();

  public abstract SharedPreferences getSharedPreferences(String name, int mode);

  public String getString(int resource) {
    return "string " + resource;
  }

  public final String getString(int resource, Object... arguments) {
    return getString(resource);
  }

  public Object getResources() {
    return null;
  }

  public ComponentName startService(Intent service) {
    return null;
  }

  public void startActivity(Intent intent) {}

  public void startActivity(Intent intent, Bundle options) {}
}
