package babbench.android;

import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** One word of the seam, an input or an effect, and how its members are written (Docs/Formats/app-seam.md). */
public final class Words {
  private static final long BASE = 0x800000805F9B34FBL;

  private Words() {}

  /** A word with members, given as name, value, name, value. */
  public static Map<String, Object> word(String name, Object... members) {
    Map<String, Object> word = new LinkedHashMap<>();
    word.put("name", name);
    for (int index = 0; index < members.length; index += 2) word.put((String) members[index], members[index + 1]);
    return word;
  }

  public static String text(Map<String, Object> word, String name) {
    return (String) word.get(name);
  }

  public static int number(Map<String, Object> word, String name) {
    return (int) wide(word, name);
  }

  public static long wide(Map<String, Object> word, String name) {
    Object value = word.get(name);
    return value instanceof Number ? ((Number) value).longValue() : 0;
  }

  /** An error code; 0 for null. */
  public static int error(Map<String, Object> word) {
    return number(word, "error");
  }

  public static boolean flag(Map<String, Object> word, String name) {
    return Boolean.TRUE.equals(word.get(name));
  }

  @SuppressWarnings("unchecked")
  public static List<Map<String, Object>> list(Map<String, Object> word, String name) {
    Object value = word.get(name);
    return value == null ? List.of() : (List<Map<String, Object>>) value;
  }

  public static byte[] octets(Map<String, Object> word, String name) {
    Object value = word.get(name);
    return value == null ? new byte[0] : HexFormat.of().parseHex((String) value);
  }

  public static String hex(byte[] octets) {
    return HexFormat.of().formatHex(octets);
  }

  /** Four digits for a UUID of the Bluetooth SIG, else 36 characters. */
  public static String uuid(UUID uuid) {
    boolean isShort = uuid.getLeastSignificantBits() == BASE
        && (uuid.getMostSignificantBits() & 0xFFFF0000FFFFFFFFL) == 0x0000000000001000L;
    if (isShort) return String.format("%04X", uuid.getMostSignificantBits() >> 32 & 0xFFFF);
    return uuid.toString().toUpperCase(Locale.ROOT);
  }

  public static UUID uuid(String text) {
    if (text.length() == 36) return UUID.fromString(text);
    return new UUID(Long.parseLong(text, 16) << 32 | 0x1000L, BASE);
  }

  public static UUID uuid(Map<String, Object> word, String name) {
    return uuid(text(word, name));
  }
}
