package io.canopygrid.jcache.entry;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import org.jspecify.annotations.Nullable;

/**
 * Objects as Java serialises them. As keys they are in the order of these bytes, which means
 * nothing, and two keys are the same if their bytes are. Immutable and thread-safe.
 *
 * @param <T> a type whose objects are serialisable
 */
public final class JavaCodec<T> implements Codec<T> {
  private final ClassLoader loader;
  private final @Nullable ObjectInputFilter filter;

  /**
   * Makes it.
   *
   * @param loader finds the classes
   * @param filter says which classes may be read; null: that of the JVM, if it has one
   */
  public JavaCodec(ClassLoader loader, @Nullable ObjectInputFilter filter) {
    this.loader = loader;
    this.filter = filter;
  }

  @Override
  public String id() {
    return "java";
  }

  /** Whether it may encode keys, though the order of these has no meaning. */
  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public byte[] encode(T value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    } catch (IOException e) {
      throw failure("cannot serialise a " + value.getClass().getName(), e);
    }
    return bytes.toByteArray();
  }

  @Override
  @SuppressWarnings("unchecked") // the cache checks types where its configuration names them
  public T decode(byte[] bytes) {
    try (ObjectInputStream in = new LoadingStream(new ByteArrayInputStream(bytes), loader)) {
      if (filter != null) {
        in.setObjectInputFilter(filter);
      }
      return (T) in.readObject();
    } catch (IOException | ClassNotFoundException e) {
      throw failure("cannot read what Java has serialised", e);
    }
  }

  private static CanopyException failure(String what, Exception cause) {
    return new CanopyException(ErrorCode.CODEC_FAILURE, "codec java " + what + ": " + cause, cause);
  }

  /** Finds classes by the loader of the caches, then as any stream does. */
  private static final class LoadingStream extends ObjectInputStream {
    private final ClassLoader loader;

    LoadingStream(InputStream in, ClassLoader loader) throws IOException {
      super(in);
      this.loader = loader;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(description.getName(), false, loader);
      } catch (ClassNotFoundException e) {
        return super.resolveClass(description);
      }
    }
  }

  /** The id. */
  @Override
  public String toString() {
    return id();
  }
}
