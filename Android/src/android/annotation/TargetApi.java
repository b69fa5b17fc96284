package android.annotation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** For a checker of sources that is not here. */
@Retention(RetentionPolicy.CLASS)
public @interface TargetApi {
  int value();
}
