package android.util;

import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;

/** Objects by whole numbers, in the order of the numbers. */
public class SparseArray<E> implements Cloneable {
  private final TreeMap<Integer, E> values = new TreeMap<>();

  public SparseArray() {}

  public SparseArray(int capacity) {}

  public E get(int key) {
    return values.get(key);
  }

  public E get(int key, E none) {
    return values.getOrDefault(key, none);
  }

  public boolean contains(int key) {
    return values.containsKey(key);
  }

  public void put(int key, E value) {
    values.put(key, value);
  }

  public void append(int key, E value) {
    values.put(key, value);
  }

  public void delete(int key) {
    values.remove(key);
  }

  public void remove(int key) {
    values.remove(key);
  }

  public void clear() {
    values.clear();
  }

  public int size() {
    return values.size();
  }

  private Map.Entry<Integer, E> entry(int index) {
    return new ArrayList<>(values.entrySet()).get(index);
  }

  public int keyAt(int index) {
    return entry(index).getKey();
  }

  public E valueAt(int index) {
    return entry(index).getValue();
  }

  public void removeAt(int index) {
    values.remove(keyAt(index));
  }

  public int indexOfKey(int key) {
    return values.containsKey(key) ? values.headMap(key).size() : ~values.headMap(key).size();
  }

  @Override
  public SparseArray<E> clone() {
    SparseArray<E> copy = new SparseArray<>();
    copy.values.putAll(values);
    return copy;
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
