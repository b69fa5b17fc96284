package babbench.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test of JUnit 5 that gets a room: in place of {@code @Test}, with a parameter {@link TestRoom}. Methods of
 * {@code @BeforeEach} and {@code @AfterEach} may have that parameter too; it is the same room.
 *
 * <p>A test that fails names its seed and where its timeline is. With the variable {@code BABBENCH_SEED}, or the
 * property {@code babbench.seed}, that seed alone is played.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(RoomExtension.class)
public @interface Room {
  /** The first seed. */
  long seed() default 1;

  /** With how many seeds, one after the other, the test is played. */
  int seeds() default 1;
}
