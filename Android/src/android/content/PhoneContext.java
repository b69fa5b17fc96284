package android.content;

import android.bluetooth.BluetoothManager;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageManager;
import android.os.Handler;
import android.os.Looper;
import babbench.android.Phone;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/** The context of the one app of a phone. */
final class PhoneContext extends Context {
  private static final class Registration {
    final BroadcastReceiver receiver;
    final IntentFilter filter;
    final Handler scheduler;

    Registration(BroadcastReceiver receiver, IntentFilter filter, Handler scheduler) {
      this.receiver = receiver;
      this.filter = filter;
      this.scheduler = scheduler;
    }
  }

  private final Phone phone;
  private final List<Registration> registrations = new ArrayList<>();
  private final Map<String, SharedPreferences> preferences = new LinkedHashMap<>();
  private final PackageManager packages = new PackageManager();
  private final ApplicationInfo application = new ApplicationInfo();
  private BluetoothManager bluetooth;

  PhoneContext(Phone phone) {
    this.phone = phone;
    application.targetSdkVersion = phone.apiLevel();
    application.packageName = getPackageName();
  }

  @Override
  public Context getApplicationContext() {
    return this;
  }

  @Override
  public Object getSystemService(String name) {
    if (!BLUETOOTH_SERVICE.equals(name)) return null;
    if (bluetooth == null) bluetooth = BluetoothManager.ofPhone(phone);
    return bluetooth;
  }

  @Override
  public Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter) {
    return registerReceiver(receiver, filter, null, null);
  }

  @Override
  public Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter, int flags) {
    return registerReceiver(receiver, filter, null, null);
  }

  @Override
  public Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter, String permission,
      Handler scheduler) {
    if (receiver != null) registrations.add(new Registration(receiver, filter, scheduler));
    return null;
  }

  @Override
  public Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter, String permission, Handler scheduler,
      int flags) {
    return registerReceiver(receiver, filter, permission, scheduler);
  }

  @Override
  public void unregisterReceiver(BroadcastReceiver receiver) {
    if (!registrations.removeIf(each -> each.receiver == receiver)) {
      throw new IllegalArgumentException("the receiver is not registered: " + receiver);
    }
  }

  @Override
  public void sendBroadcast(Intent intent) {
    for (Registration each : new ArrayList<>(registrations)) {
      if (!each.filter.hasAction(intent.getAction())) continue;
      Handler handler = each.scheduler != null ? each.scheduler : new Handler(phone.mainLooper());
      handler.post(() -> {
        if (registrations.contains(each)) each.receiver.onReceive(this, intent);
      });
    }
  }

  @Override
  public PackageManager getPackageManager() {
    return packages;
  }

  @Override
  public String getPackageName() {
    return "babbench.app";
  }

  @Override
  public ApplicationInfo getApplicationInfo() {
    return application;
  }

  @Override
  public Looper getMainLooper() {
    return phone.mainLooper();
  }

  @Override
  public Executor getMainExecutor() {
    return phone::run;
  }

  @Override
  public SharedPreferences getSharedPreferences(String name, int mode) {
    return preferences.computeIfAbsent(name, key -> new MemoryPreferences());
  }
}
