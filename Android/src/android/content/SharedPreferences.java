package android.content;

import java.util.Map;
import java.util.Set;

/** Named values that an app keeps; here until its process ends. */
public interface SharedPreferences {
  /** Is told of changes. */
  interface OnSharedPreferenceChangeListener {
    void onSharedPreferenceChanged(SharedPreferences preferences, String key);
  }

  /** Changes them. */
  interface Editor {
    Editor putString(String key, String value);

    Editor putStringSet(String key, Set<String> values);

    Editor putInt(String key, int value);

    Editor putLong(String key, long value);

    Editor putFloat(String key, float value);

    Editor putBoolean(String key, boolean value);

    Editor remove(String key);

    Editor clear();

    boolean commit();

    void apply();
  }

  Map<String, ?> getAll();

  String getString(String key, String none);

  Set<String> getStringSet(String key, Set<String> none);

  int getInt(String key, int none);

  long getLong(String key, long none);

  float getFloat(String key, float none);

  boolean getBoolean(String key, boolean none);

  boolean contains(String key);

  Editor edit();

  void registerOnSharedPreferenceChangeListener(OnSharedPreferenceChangeListener listener);

  void unregisterOnSharedPreferenceChangeListener(OnSharedPreferenceChangeListener listener);
}
