package android.content;

import android.content.pm.ApplicationInfo;
import android.content.pm.PackageManager;
import android.os.Handler;
import android.os.Looper;
import babbench.android.Phone;
import java.util.concurrent.Executor;

/** A context that passes everything on. One without a base means the context of its phone. */
public class ContextWrapper extends Context {
  private Context base;

  public ContextWrapper(Context base) {
    this.base = base;
  }

  protected void attachBaseContext(Context context) {
    base = context;
  }

  public Context getBaseContext() {
    if (base == null) base = Phone.current().context();
    return base;
  }

  @Override
  public Context getApplicationContext() {
    return getBaseContext().getApplicationContext();
  }

  @Override
  public Object getSystemService(String name) {
    return getBaseContext().getSystemService(name);
  }

  @Override
  public Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter) {
    return getBaseContext().registerReceiver(receiver, filter);
  }

  @Override
  public Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter, int flags) {
    return getBaseContext().registerReceiver(receiver, filter, flags);
  }

  @Override
  public Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter, String permission,
      Handler scheduler) {
    return getBaseContext().registerReceiver(receiver, filter, permission, scheduler);
  }

  @Override
  public Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter, String permission, Handler scheduler,
      int flags) {
    return getBaseContext().registerReceiver(receiver, filter, permission, scheduler, flags);
  }

  @Override
  public void unregisterReceiver(BroadcastReceiver receiver) {
    getBaseContext().unregisterReceiver(receiver);
  }

  @Override
  public void sendBroadcast(Intent intent) {
    getBaseContext().sendBroadcast(intent);
  }

  @Override
  public PackageManager getPackageManager() {
    return getBaseContext().getPackageManager();
  }

  @Override
  public String getPackageName() {
    return getBaseContext().getPackageName();
  }

  @Override
  public ApplicationInfo getApplicationInfo() {
    return getBaseContext().getApplicationInfo();
  }

  @Override
  public Looper getMainLooper() {
    return getBaseContext().getMainLooper();
  }

  @Override
  public Executor getMainExecutor() {
    return getBaseContext().getMainExecutor();
  }

  @Override
  public SharedPreferences getSharedPreferences(String name, int mode) {
    return getBaseContext().getSharedPreferences(name, mode);
  }
}
