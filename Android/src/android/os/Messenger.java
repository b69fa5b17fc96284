package android.os;

/** Sends messages to a handler. */
public final class Messenger implements Parcelable {
  private final Handler target;

  public Messenger(Handler target) {
    this.target = target;
  }

  public void send(Message message) throws RemoteException {
    target.sendMessage(message);
  }

  @Override
  public int describeContents() {
    return 0;
  }

  @Override
  public void writeToParcel(Parcel destination, int flags) {
    destination.writeValue(target);
  }
}
