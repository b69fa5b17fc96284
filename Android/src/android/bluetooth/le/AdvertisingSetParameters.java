package android.bluetooth.le;

/** How to advertise a set. The radio of the bench has the power of its phone. */
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

  /** Makes parameters. */
  public static final class Builder {
    private boolean connectable;
    private boolean discoverable = true;
    private boolean scannable;
    private boolean legacy;
    private int interval = INTERVAL_LOW;
    private int power = TX_POWER_MEDIUM;

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

    public AdvertisingSetParameters build() {
      if (legacy && connectable && !scannable) {
        throw new IllegalStateException("Legacy advertisement can't be connectable and non-scannable");
      }
      if (!legacy && connectable && scannable) {
        throw new IllegalStateException("Advertising can't be both connectable and scannable");
      }
      Builder copy = new Builder().setConnectable(connectable).setScannable(scannable).setLegacyMode(legacy);
      copy.setDiscoverable(discoverable);
      return new AdvertisingSetParameters(copy.setInterval(interval).setTxPowerLevel(power));
    }
  }
}
