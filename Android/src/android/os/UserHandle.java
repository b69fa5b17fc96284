package android.os;

/** A user of a phone. */
public final class UserHandle {}
