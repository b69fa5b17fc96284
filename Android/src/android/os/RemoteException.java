package android.os;

/** A call to another process failed; here none does. */
public class RemoteException extends Exception {
  private static final long serialVersionUID = 1;

  public RemoteException() {}

  public RemoteException(String message) {
    super(message);
  }
}
