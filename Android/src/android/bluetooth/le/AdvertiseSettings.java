package android.bluetooth.le;

import android.os.Parcel;
import android.os.Parcelable;

/** How to advertise. The radio of the bench has the power of its phone. */
public final class AdvertiseSettings implements Parcelable {
  public static final int ADVERTISE_MODE_LOW_POWER = 0;
  public static final int ADVERTISE_MODE_BALANCED = 1;
  public static final int ADVERTISE_MODE_LOW_LATENCY = 2;
  public static final int ADVERTISE_TX_POWER_ULTRA_LOW = 0;
  public static final int ADVERTISE_TX_POWER_LOW = 1;
  public static final int ADVERTISE_TX_POWER_MEDIUM = 2;
  public static final int ADVERTISE_TX_POWER_HIGH = 3;

  private static final int LONGEST = 180_000;

  private final int mode;
  private final int power;
  private final int timeout;
  private final boolean connectable;
  private final boolean discoverable;

  private AdvertiseSettings(Builder from) {
    mode = from.mode;
    power = from.power;
    timeout = from.timeout;
    connectable = from.connectable;
    discoverable = from.discoverable;
  }

  public int getMode() {
    return mode;
  }

  public int getTxPowerLevel() {
    return power;
  }

  public int getTimeout() {
    return timeout;
  }

  public boolean isConnectable() {
    return connectable;
  }

  public boolean isDiscoverable() {
    return discoverable;
  }

  @Override
  public int describeContents() {
    return 0;
  }

  @Override
  public void writeToParcel(Parcel destination, int flags) {
    destination.writeValue(this);
  }

  /** Makes settings. */
  public static final class Builder {
    private int mode = ADVERTISE_MODE_LOW_POWER;
    private int power = ADVERTISE_TX_POWER_MEDIUM;
    private int timeout;
    private boolean connectable = true;
    private boolean discoverable = true;

    public Builder setAdvertiseMode(int advertiseMode) {
      if (advertiseMode < 0 || advertiseMode > 2) throw new IllegalArgumentException("unknown mode " + advertiseMode);
      mode = advertiseMode;
      return this;
    }

    public Builder setTxPowerLevel(int txPowerLevel) {
      if (txPowerLevel < 0 || txPowerLevel > 3) throw new IllegalArgumentException("unknown level " + txPowerLevel);
      power = txPowerLevel;
      return this;
    }

    public Builder setConnectable(boolean connectable) {
      this.connectable = connectable;
      return this;
    }

    public Builder setDiscoverable(boolean discoverable) {
      this.discoverable = discoverable;
      return this;
    }

    /** Milliseconds, at most 180 000; 0 is without limit. */
    public Builder setTimeout(int timeoutMillis) {
      if (timeoutMillis < 0 || timeoutMillis > LONGEST) {
        throw new IllegalArgumentException("timeoutMillis invalid (must be 0-180000 milliseconds)");
      }
      timeout = timeoutMillis;
      return this;
    }

    public AdvertiseSettings build() {
      return new AdvertiseSettings(this);
    }
  }
}
