package android.os;

/** What a {@link Handler} is given. */
public final class Message implements Parcelable {
  public int what;
  public int arg1;
  public int arg2;
  public Object obj;
  public Messenger replyTo;
  Handler target;
  Runnable callback;
  long when;
  boolean isAsynchronous;
  private Bundle data;

  public static Message obtain() {
    return new Message();
  }

  public static Message obtain(Handler handler) {
    Message message = new Message();
    message.target = handler;
    return message;
  }

  public static Message obtain(Handler handler, Runnable callback) {
    Message message = obtain(handler);
    message.callback = callback;
    return message;
  }

  public static Message obtain(Handler handler, int what) {
    Message message = obtain(handler);
    message.what = what;
    return message;
  }

  public static Message obtain(Handler handler, int what, Object obj) {
    Message message = obtain(handler, what);
    message.obj = obj;
    return message;
  }

  public static Message obtain(Handler handler, int what, int arg1, int arg2) {
    return obtain(handler, what, arg1, arg2, null);
  }

  public static Message obtain(Handler handler, int what, int arg1, int arg2, Object obj) {
    Message message = obtain(handler, what, obj);
    message.arg1 = arg1;
    message.arg2 = arg2;
    return message;
  }

  public Handler getTarget() {
    return target;
  }

  public void setTarget(Handler handler) {
    target = handler;
  }

  public Runnable getCallback() {
    return callback;
  }

  public long getWhen() {
    return when;
  }

  public Bundle getData() {
    if (data == null) data = new Bundle();
    return data;
  }

  public Bundle peekData() {
    return data;
  }

  public void setData(Bundle bundle) {
    data = bundle;
  }

  public void sendToTarget() {
    target.sendMessage(this);
  }

  public void recycle() {}

  public boolean isAsynchronous() {
    return isAsynchronous;
  }

  public void setAsynchronous(boolean async) {
    isAsynchronous = async;
  }

  @Override
  public int describeContents() {
    return 0;
  }

  @Override
  public void writeToParcel(Parcel destination, int flags) {
    destination.writeInt(what);
  }
}
