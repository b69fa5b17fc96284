package android.bluetooth.le;

import android.os.Parcel;
import android.os.Parcelable;

/** How to scan. The radio of the bench scans as its phone says; modes change nothing. */
public final class ScanSettings implements Parcelable {
  public static final int SCAN_MODE_OPPORTUNISTIC = -1;
  public static final int SCAN_MODE_LOW_POWER = 0;
  public static final int SCAN_MODE_BALANCED = 1;
  public static final int SCAN_MODE_LOW_LATENCY = 2;
  public static final int CALLBACK_TYPE_ALL_MATCHES = 1;
  public static final int CALLBACK_TYPE_FIRST_MATCH = 2;
  public static final int CALLBACK_TYPE_MATCH_LOST = 4;

  /** As {@code ALL_MATCHES} here, with the screen off too, where Android would batch. */
  public static final int CALLBACK_TYPE_ALL_MATCHES_AUTO_BATCH = 8;
  public static final long AUTO_BATCH_MIN_REPORT_DELAY_MILLIS = 600_000;
  public static final int MATCH_NUM_ONE_ADVERTISEMENT = 1;
  public static final int MATCH_NUM_FEW_ADVERTISEMENT = 2;
  public static final int MATCH_NUM_MAX_ADVERTISEMENT = 3;
  public static final int MATCH_MODE_AGGRESSIVE = 1;
  public static final int MATCH_MODE_STICKY = 2;
  public static final int PHY_LE_ALL_SUPPORTED = 255;

  private final Builder from;

  private ScanSettings(Builder from) {
    this.from = from;
  }

  public int getScanMode() {
    return from.mode;
  }

  public int getCallbackType() {
    return from.callbackType;
  }

  public int getScanResultType() {
    return 0;
  }

  public long getReportDelayMillis() {
    return from.reportDelay;
  }

  public boolean getLegacy() {
    return from.legacy;
  }

  public int getPhy() {
    return from.phy;
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
    private int mode = SCAN_MODE_LOW_POWER;
    private int callbackType = CALLBACK_TYPE_ALL_MATCHES;
    private long reportDelay;
    private boolean legacy = true;
    private int phy = PHY_LE_ALL_SUPPORTED;

    public Builder setScanMode(int scanMode) {
      if (scanMode < SCAN_MODE_OPPORTUNISTIC || scanMode > SCAN_MODE_LOW_LATENCY) {
        throw new IllegalArgumentException("invalid scan mode " + scanMode);
      }
      mode = scanMode;
      return this;
    }

    public Builder setCallbackType(int callbackType) {
      boolean isValid = callbackType == CALLBACK_TYPE_ALL_MATCHES || callbackType == CALLBACK_TYPE_FIRST_MATCH
          || callbackType == CALLBACK_TYPE_ALL_MATCHES_AUTO_BATCH || callbackType == CALLBACK_TYPE_MATCH_LOST
          || callbackType == (CALLBACK_TYPE_FIRST_MATCH | CALLBACK_TYPE_MATCH_LOST);
      if (!isValid) throw new IllegalArgumentException("invalid callback type - " + callbackType);
      this.callbackType = callbackType;
      return this;
    }

    public Builder setReportDelay(long milliseconds) {
      if (milliseconds < 0) throw new IllegalArgumentException("reportDelay must be > 0");
      reportDelay = milliseconds;
      return this;
    }

    public Builder setNumOfMatches(int numOfMatches) {
      if (numOfMatches < MATCH_NUM_ONE_ADVERTISEMENT || numOfMatches > MATCH_NUM_MAX_ADVERTISEMENT) {
        throw new IllegalArgumentException("invalid numOfMatches " + numOfMatches);
      }
      return this;
    }

    public Builder setMatchMode(int matchMode) {
      if (matchMode < MATCH_MODE_AGGRESSIVE || matchMode > MATCH_MODE_STICKY) {
        throw new IllegalArgumentException("invalid matchMode " + matchMode);
      }
      return this;
    }

    public Builder setLegacy(boolean legacy) {
      this.legacy = legacy;
      return this;
    }

    public Builder setPhy(int phy) {
      this.phy = phy;
      return this;
    }

    public ScanSettings build() {
      Builder copy = new Builder();
      copy.mode = mode;
      copy.callbackType = callbackType;
      copy.reportDelay = reportDelay;
      copy.legacy = legacy;
      copy.phy = phy;
      return new ScanSettings(copy);
    }
  }
}
