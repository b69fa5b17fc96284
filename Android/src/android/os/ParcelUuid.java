package android.os;

import java.util.Objects;
import java.util.UUID;

/** A UUID that can be written to a {@link Parcel}. */
public final class ParcelUuid implements Parcelable {
  public static final Creator<ParcelUuid> CREATOR = new Creator<>() {
    @Override
    public ParcelUuid createFromParcel(Parcel source) {
      return new ParcelUuid(new UUID(source.readLong(), source.readLong()));
    }

    @Override
    public ParcelUuid[] newArray(int size) {
      return new ParcelUuid[size];
    }
  };

  private final UUID uuid;

  public ParcelUuid(UUID uuid) {
    this.uuid = uuid;
  }

  public static ParcelUuid fromString(String text) {
    return new ParcelUuid(UUID.fromString(text));
  }

  public UUID getUuid() {
    return uuid;
  }

  @Override
  public int describeContents() {
    return 0;
  }

  @Override
  public void writeToParcel(Parcel destination, int flags) {
    destination.writeLong(uuid.getMostSignificantBits());
    destination.writeLong(uuid.getLeastSignificantBits());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ParcelUuid && Objects.equals(uuid, ((ParcelUuid) other).uuid);
  }

  @Override
  public int hashCode() {
    return uuid.hashCode();
  }

  @Override
  public String toString() {
    return uuid.toString();
  }
}
