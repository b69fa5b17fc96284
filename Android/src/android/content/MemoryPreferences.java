package android.content;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Preferences in memory. */
final class MemoryPreferences implements SharedPreferences {
  private final Map<String, Object> values = new LinkedHashMap<>();
  private final List<OnSharedPreferenceChangeListener> listeners = new ArrayList<>();

  @SuppressWarnings("unchecked")
  private <T> T get(String key, T none) {
    Object value = values.get(key);
    return value == null ? none : (T) value;
  }

  @Override
  public Map<String, ?> getAll() {
    return new LinkedHashMap<>(values);
  }

  @Override
  public String getString(String key, String none) {
    return get(key, none);
  }

  @Override
  public Set<String> getStringSet(String key, Set<String> none) {
    return get(key, none);
  }

  @Override
  public int getInt(String key, int none) {
    return get(key, none);
  }

  @Override
  public long getLong(String key, long none) {
    return get(key, none);
  }

  @Override
  public float getFloat(String key, float none) {
    return get(key, none);
  }

  @Override
  public boolean getBoolean(String key, boolean none) {
    return get(key, none);
  }

  @Override
  public boolean contains(String key) {
    return values.containsKey(key);
  }

  @Override
  public Editor edit() {
    return new Change();
  }

  @Override
  public void registerOnSharedPreferenceChangeListener(OnSharedPreferenceChangeListener listener) {
    listeners.add(listener);
  }

  @Override
  public void unregisterOnSharedPreferenceChangeListener(OnSharedPreferenceChangeListener listener) {
    listeners.remove(listener);
  }

  private final class Change implements Editor {
    private final Map<String, Object> changes = new LinkedHashMap<>();
    private boolean clears;

    private Editor put(String key, Object value) {
      changes.put(key, value);
      return this;
    }

    @Override
    public Editor putString(String key, String value) {
      return put(key, value);
    }

    @Override
    public Editor putStringSet(String key, Set<String> values) {
      return put(key, values);
    }

    @Override
    public Editor putInt(String key, int value) {
      return put(key, value);
    }

    @Override
    public Editor putLong(String key, long value) {
      return put(key, value);
    }

    @Override
    public Editor putFloat(String key, float value) {
      return put(key, value);
    }

    @Override
    public Editor putBoolean(String key, boolean value) {
      return put(key, value);
    }

    @Override
    public Editor remove(String key) {
      return put(key, null);
    }

    @Override
    public Editor clear() {
      clears = true;
      return this;
    }

    @Override
    public boolean commit() {
      apply();
      return true;
    }

    @Override
    public void apply() {
      if (clears) values.clear();
      for (Map.Entry<String, Object> change : changes.entrySet()) {
        if (change.getValue() == null) values.remove(change.getKey());
        else values.put(change.getKey(), change.getValue());
        for (OnSharedPreferenceChangeListener listener : new ArrayList<>(listeners)) {
          listener.onSharedPreferenceChanged(MemoryPreferences.this, change.getKey());
        }
      }
    }
  }
}
