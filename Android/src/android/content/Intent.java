package android.content;

import android.os.Bundle;
import android.os.Parcelable;
import java.io.Serializable;

/** A message with an action and extras. */
public class Intent implements Cloneable {
  public static final String ACTION_BOOT_COMPLETED = "android.intent.action.BOOT_COMPLETED";
  public static final String ACTION_BATTERY_CHANGED = "android.intent.action.BATTERY_CHANGED";
  public static final String ACTION_POWER_CONNECTED = "android.intent.action.ACTION_POWER_CONNECTED";
  public static final String ACTION_POWER_DISCONNECTED = "android.intent.action.ACTION_POWER_DISCONNECTED";
  public static final String ACTION_SCREEN_OFF = "android.intent.action.SCREEN_OFF";
  public static final String ACTION_SCREEN_ON = "android.intent.action.SCREEN_ON";
  public static final int FLAG_ACTIVITY_NEW_TASK = 0x10000000;

  private String action;
  private Bundle extras = new Bundle();
  private int flags;

  public Intent() {}

  public Intent(String action) {
    this.action = action;
  }

  public Intent(Context context, Class<?> type) {}

  public Intent(Intent other) {
    action = other.action;
    extras = new Bundle(other.extras);
    flags = other.flags;
  }

  public String getAction() {
    return action;
  }

  public Intent setAction(String action) {
    this.action = action;
    return this;
  }

  public Intent setFlags(int flags) {
    this.flags = flags;
    return this;
  }

  public Intent addFlags(int flags) {
    this.flags |= flags;
    return this;
  }

  public int getFlags() {
    return flags;
  }

  public Intent setPackage(String name) {
    return this;
  }

  public Bundle getExtras() {
    return extras.isEmpty() ? null : new Bundle(extras);
  }

  public boolean hasExtra(String name) {
    return extras.containsKey(name);
  }

  public Intent putExtras(Bundle more) {
    extras.putAll(more);
    return this;
  }

  public Intent putExtra(String name, int value) {
    extras.putInt(name, value);
    return this;
  }

  public Intent putExtra(String name, long value) {
    extras.putLong(name, value);
    return this;
  }

  public Intent putExtra(String name, short value) {
    extras.putShort(name, value);
    return this;
  }

  public Intent putExtra(String name, boolean value) {
    extras.putBoolean(name, value);
    return this;
  }

  public Intent putExtra(String name, String value) {
    extras.putString(name, value);
    return this;
  }

  public Intent putExtra(String name, byte[] value) {
    extras.putByteArray(name, value);
    return this;
  }

  public Intent putExtra(String name, Parcelable value) {
    extras.putParcelable(name, value);
    return this;
  }

  public int getIntExtra(String name, int none) {
    return extras.getInt(name, none);
  }

  public long getLongExtra(String name, long none) {
    return extras.getLong(name, none);
  }

  public short getShortExtra(String name, short none) {
    return extras.getShort(name, none);
  }

  public boolean getBooleanExtra(String name, boolean none) {
    return extras.getBoolean(name, none);
  }

  public String getStringExtra(String name) {
    return extras.getString(name);
  }

  public byte[] getByteArrayExtra(String name) {
    return extras.getByteArray(name);
  }

  public <T extends Parcelable> T getParcelableExtra(String name) {
    return extras.getParcelable(name);
  }

  public <T> T getParcelableExtra(String name, Class<T> type) {
    return extras.getParcelable(name, type);
  }

  public Serializable getSerializableExtra(String name) {
    return (Serializable) extras.get(name);
  }

  @Override
  public Object clone() {
    return new Intent(this);
  }

  @Override
  public String toString() {
    return "Intent " + action + " " + extras;
  }
}
