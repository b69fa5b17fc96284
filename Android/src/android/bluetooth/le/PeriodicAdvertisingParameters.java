package android.bluetooth.le;

/** For periodic advertising, which phones of the bench do not have. */
public final class PeriodicAdvertisingParameters {
  private PeriodicAdvertisingParameters() {}
}
