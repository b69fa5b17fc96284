package android.bluetooth.le;

import android.bluetooth.BluetoothDevice;

/**
 * How to advertise a set. The radio of the bench has the power of its phone, and LE 1M for what is advertised.
 */
public final class AdvertisingSetParameters {
  public static final int INTERVAL_HIGH = 1600;
  public static final int INTERVAL_MEDIUM = 400;
  public static final int INTERVAL_LOW = 160;
  public static final int INTERVAL_MIN = 160;
  public static final int INTERVAL_MAX = 16777215;
  public static final int TX_POWER_ULTRA_LOW = -21;
  public static final int TX_POWER_LOW = -15;
  public static final int TX_POWER_MEDIUM = -7;
  public static final int TX_POWER_HIGH = 1;
  public static final int TX_POWER_MIN = -127;
  public static final int TX_POWER_MAX = 1;

  private final Builder from;

  private AdvertisingSetParameters(Builder from) {
    this.from = from;
  }

  public boolean isConnectable() {
    return from.connectable;
  }

  public boolean isDiscoverable() {
    return from.discoverable;
  }

  public boolean isScannable() {
    return from.scannable;
  }

  public boolean isLegacy() {
    return from.legacy;
  }

  public int getInterval() {
    return from.interval;
  }

  public int getTxPowerLevel() {
    return from.power;
  }

  public boolean isAnonymous() {
    return from.anonymous;
  }

  public boolean includeTxPower() {
    return from.withPower;
  }

  public int getPrimaryPhy() {
    return from.primary;
  }

  public int getSecondaryPhy() {
    return from.secondary;
  }

  /** Makes parameters. */
  public static final class Builder {
    private boolean connectable;
    private boolean discoverable = true;
    private boolean scannable;
    private boolean legacy;
    private int interval = INTERVAL_LOW;
    private int power = TX_POWER_MEDIUM;
    private boolean anonymous;
    private boolean withPower;
    private int primary = BluetoothDevice.PHY_LE_1M;
    private int secondary = BluetoothDevice.PHY_LE_1M;

    public Builder setConnectable(boolean connectable) {
      this.connectable = connectable;
      return this;
    }

    public Builder setDiscoverable(boolean discoverable) {
      this.discoverable = discoverable;
      return this;
    }

    public Builder setScannable(boolean scannable) {
      this.scannable = scannable;
      return this;
    }

    public Builder setLegacyMode(boolean legacy) {
      this.legacy = legacy;
      return this;
    }

    public Builder setInterval(int interval) {
      if (interval < INTERVAL_MIN || interval > INTERVAL_MAX) {
        throw new IllegalArgumentException("unknown interval " + interval);
      }
      this.interval = interval;
      return this;
    }

    public Builder setTxPowerLevel(int power) {
      if (power < TX_POWER_MIN || power > TX_POWER_MAX) throw new IllegalArgumentException("unknown level " + power);
      this.power = power;
      return this;
    }

    public Builder setAnonymous(boolean anonymous) {
      this.anonymous = anonymous;
      return this;
    }

    public Builder setIncludeTxPower(boolean withPower) {
      this.withPower = withPower;
      return this;
    }

    public Builder setPrimaryPhy(int phy) {
      if (phy != BluetoothDevice.PHY_LE_1M && phy != BluetoothDevice.PHY_LE_CODED) {
        throw new IllegalArgumentException("no PHY to advertise on: " + phy);
      }
      primary = phy;
      return this;
    }

    public Builder setSecondaryPhy(int phy) {
      if (phy < BluetoothDevice.PHY_LE_1M || phy > BluetoothDevice.PHY_LE_CODED) {
        throw new IllegalArgumentException("no PHY to continue on: " + phy);
      }
      secondary = phy;
      return this;
    }

    public AdvertisingSetParameters build() {
      if (legacy && anonymous) throw new IllegalArgumentException("a legacy set has an address");
      if (legacy && withPower) throw new IllegalStateException("a legacy set has no header for its power");
      if (!legacy && anonymous && connectable) {
        throw new IllegalStateException("who is connected to has an address");
      }
      if (legacy && connectable && !scannable) {
        throw new IllegalStateException("Legacy advertisement can't be connectable and non-scannable");
      }
      if (!legacy && connectable && scannable) {
        throw new IllegalStateException("Advertising can't be both connectable and scannable");
      }
      Builder copy = new Builder().setConnectable(connectable).setScannable(scannable).setLegacyMode(legacy);
      copy.setDiscoverable(discoverable).setAnonymous(anonymous).setIncludeTxPower(withPower);
      copy.setPrimaryPhy(primary).setSecondaryPhy(secondary);
      return new AdvertisingSetParameters(copy.setInterval(interval).setTxPowerLevel(power));
    }
  }
}
