package lobby;

import java.util.List;
import java.util.Map;

/** Members of JSON, which have to be there and of their kind. */
final class Fields {
  /** Octets that are no packet. */
  static final class NoPacket extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoPacket(String message) {
      super(message);
    }
  }

  private Fields() {}

  static String text(Map<String, Object> from, String key) {
    Object value = from.get(key);
    if (value instanceof String) return (String) value;
    throw new NoPacket("“" + key + "” is no text");
  }

  static boolean flag(Map<String, Object> from, String key) {
    Object value = from.get(key);
    if (value instanceof Boolean) return (Boolean) value;
    throw new NoPacket("“" + key + "” is no flag");
  }

  static long number(Map<String, Object> from, String key) {
    Object value = from.get(key);
    if (value instanceof Long) return (Long) value;
    throw new NoPacket("“" + key + "” is no number");
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> members(Map<String, Object> from, String key) {
    Object value = from.get(key);
    if (value instanceof Map) return (Map<String, Object>) value;
    throw new NoPacket("“" + key + "” is no object");
  }

  @SuppressWarnings("unchecked")
  static List<Map<String, Object>> list(Map<String, Object> from, String key) {
    Object value = from.get(key);
    if (!(value instanceof List)) throw new NoPacket("“" + key + "” is no list");
    for (Object each : (List<?>) value) if (!(each instanceof Map)) throw new NoPacket("“" + key + "” has no objects");
    return (List<Map<String, Object>>) value;
  }
}
