package android.os;

/** The battery of a phone, which is not modelled: no broadcast says anything of it. */
public class BatteryManager {
  public static final String EXTRA_LEVEL = "level";
  public static final String EXTRA_SCALE = "scale";
  public static final String EXTRA_STATUS = "status";
  public static final String EXTRA_PLUGGED = "plugged";
  public static final int BATTERY_STATUS_CHARGING = 2;
  public static final int BATTERY_STATUS_DISCHARGING = 3;
  public static final int BATTERY_STATUS_FULL = 5;
  public static final int BATTERY_PROPERTY_CAPACITY = 4;

  private BatteryManager() {}
}
