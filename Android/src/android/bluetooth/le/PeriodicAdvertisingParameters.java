package android.bluetooth.le;

/** For periodic advertising, which phones of the bench do not have: a set that asks for it is refused. */
public final class PeriodicAdvertisingParameters {
  /** In units of 1.25 ms: 100 ms, and 82 s. */
  private static final int SHORTEST = 80;
  private static final int LONGEST = 65_519;

  private final boolean withPower;
  private final int interval;

  private PeriodicAdvertisingParameters(boolean withPower, int interval) {
    this.withPower = withPower;
    this.interval = interval;
  }

  public boolean getIncludeTxPower() {
    return withPower;
  }

  public int getInterval() {
    return interval;
  }

  /** Makes parameters. */
  public static final class Builder {
    private boolean withPower;
    private int interval = LONGEST;

    public Builder setIncludeTxPower(boolean withPower) {
      this.withPower = withPower;
      return this;
    }

    public Builder setInterval(int interval) {
      if (interval < SHORTEST || interval > LONGEST) {
        throw new IllegalArgumentException("no interval of periodic advertising: " + interval);
      }
      this.interval = interval;
      return this;
    }

    public PeriodicAdvertisingParameters build() {
      return new PeriodicAdvertisingParameters(withPower, interval);
    }
  }
}
