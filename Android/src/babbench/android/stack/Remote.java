package babbench.android.stack;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What discovery found at the other end. */
public final class Remote {
  private Remote() {}

  /** A service, with the services that it includes by their first handle. */
  public static final class Service {
    public final UUID type;
    public final boolean isPrimary;
    public final int start;
    public final int end;
    public final List<Service> included = new ArrayList<>();
    public final List<Characteristic> characteristics = new ArrayList<>();

    Service(UUID type, boolean isPrimary, int start, int end) {
      this.type = type;
      this.isPrimary = isPrimary;
      this.start = start;
      this.end = end;
    }
  }

  /** A characteristic; {@code handle} is that of its value. */
  public static final class Characteristic {
    public final UUID type;
    public final int properties;
    public final int handle;
    public final int end;
    public final List<Descriptor> descriptors = new ArrayList<>();

    Characteristic(UUID type, int properties, int handle, int end) {
      this.type = type;
      this.properties = properties;
      this.handle = handle;
      this.end = end;
    }
  }

  /** A descriptor. */
  public static final class Descriptor {
    public final UUID type;
    public final int handle;

    Descriptor(UUID type, int handle) {
      this.type = type;
      this.handle = handle;
    }
  }
}
