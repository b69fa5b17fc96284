package babbench.android;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON as the seam has it: objects as {@code Map}, lists, text, flags, null, whole numbers as {@code Long}; numbers
 * with a fraction as {@code Double}. At most 64 levels deep.
 */
public final class Json {
  private final String text;
  private int place;

  private Json(String text) {
    this.text = text;
  }

  /** Reads one value. Refuses anything after it. */
  public static Object read(String text) {
    Json reader = new Json(text);
    Object value = reader.value(0);
    reader.skip();
    if (reader.place != text.length()) throw reader.refusal("nothing more");
    return value;
  }

  /** Reads one object. */
  @SuppressWarnings("unchecked")
  public static Map<String, Object> readObject(String text) {
    Object value = read(text);
    if (!(value instanceof Map)) throw new IllegalArgumentException("no JSON object");
    return (Map<String, Object>) value;
  }

  private IllegalArgumentException refusal(String wanted) {
    return new IllegalArgumentException("JSON, character " + place + ": " + wanted + " was expected");
  }

  private void skip() {
    while (place < text.length() && " \t\r\n".indexOf(text.charAt(place)) >= 0) place++;
  }

  private char peek() {
    skip();
    if (place >= text.length()) throw refusal("more");
    return text.charAt(place);
  }

  private Object value(int depth) {
    if (depth > 64) throw refusal("less nesting");
    switch (peek()) {
      case '{': return object(depth);
      case '[': return list(depth);
      case '"': return string();
      case 't': return word("true", true);
      case 'f': return word("false", false);
      case 'n': return word("null", null);
      default: return number();
    }
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, place)) throw refusal(word);
    place += word.length();
    return value;
  }

  private Map<String, Object> object(int depth) {
    Map<String, Object> members = new LinkedHashMap<>();
    place++;
    if (peek() == '}') {
      place++;
      return members;
    }
    while (true) {
      if (peek() != '"') throw refusal("a name");
      String name = string();
      if (peek() != ':') throw refusal("“:”");
      place++;
      members.put(name, value(depth + 1));
      char next = peek();
      place++;
      if (next == '}') return members;
      if (next != ',') throw refusal("“,”");
    }
  }

  private List<Object> list(int depth) {
    List<Object> values = new ArrayList<>();
    place++;
    if (peek() == ']') {
      place++;
      return values;
    }
    while (true) {
      values.add(value(depth + 1));
      char next = peek();
      place++;
      if (next == ']') return values;
      if (next != ',') throw refusal("“,”");
    }
  }

  private String string() {
    int begin = ++place;
    int end = begin;
    while (end < text.length() && text.charAt(end) != '"' && text.charAt(end) != '\\') end++;
    if (end < text.length() && text.charAt(end) == '"') {
      place = end + 1;
      return text.substring(begin, end);
    }
    StringBuilder built = new StringBuilder();
    while (place < text.length()) {
      char next = text.charAt(place++);
      if (next == '"') return built.toString();
      built.append(next == '\\' ? escaped() : next);
    }
    throw refusal("the end of a text");
  }

  private char escaped() {
    if (place >= text.length()) throw refusal("more");
    char kind = text.charAt(place++);
    switch (kind) {
      case 'n': return '\n';
      case 't': return '\t';
      case 'r': return '\r';
      case 'b': return '\b';
      case 'f': return '\f';
      case 'u':
        if (place + 4 > text.length()) throw refusal("four digits");
        place += 4;
        try {
          return (char) Integer.parseInt(text.substring(place - 4, place), 16);
        } catch (NumberFormatException other) {
          throw refusal("four digits");
        }
      case '"': case '\\': case '/': return kind;
      default: throw refusal("an escape");
    }
  }

  private Object number() {
    int begin = place;
    while (place < text.length() && "+-0123456789.eE".indexOf(text.charAt(place)) >= 0) place++;
    String digits = text.substring(begin, place);
    try {
      if (digits.matches("-?(0|[1-9][0-9]*)")) return Long.parseLong(digits);
      if (digits.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) return Double.parseDouble(digits);
    } catch (NumberFormatException tooLarge) {
      place = begin;
      throw refusal("a number of at most 64 bits");
    }
    place = begin;
    throw refusal("a value");
  }

  /** Writes a value: maps, lists, arrays of objects, text, flags, numbers, null. */
  public static String write(Object value) {
    StringBuilder to = new StringBuilder();
    write(value, to);
    return to.toString();
  }

  static void write(Object value, StringBuilder to) {
    if (value instanceof Map) {
      char before = '{';
      if (((Map<?, ?>) value).isEmpty()) to.append(before);
      for (Map.Entry<?, ?> member : ((Map<?, ?>) value).entrySet()) {
        to.append(before);
        write(member.getKey().toString(), to);
        to.append(':');
        write(member.getValue(), to);
        before = ',';
      }
      to.append('}');
    } else if (value instanceof Iterable) {
      char before = '[';
      boolean isEmpty = true;
      for (Object each : (Iterable<?>) value) {
        to.append(before);
        write(each, to);
        before = ',';
        isEmpty = false;
      }
      to.append(isEmpty ? "[]" : "]");
    } else if (value instanceof CharSequence) {
      quote((CharSequence) value, to);
    } else {
      to.append(value);
    }
  }

  private static void quote(CharSequence text, StringBuilder to) {
    to.append('"');
    for (int index = 0; index < text.length(); index++) {
      char each = text.charAt(index);
      if (each == '"' || each == '\\') to.append('\\').append(each);
      else if ("\b\t\n\f\r".indexOf(each) >= 0) to.append('\\').append("btnfr".charAt("\b\t\n\f\r".indexOf(each)));
      else if (each < 0x20) to.append(String.format("\\u%04x", (int) each));
      else to.append(each);
    }
    to.append('"');
  }
}
