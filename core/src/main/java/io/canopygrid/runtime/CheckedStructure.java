package io.canopygrid.runtime;

import io.canopygrid.CanopyException;
import io.canopygrid.CutOff;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexStructure;
import io.canopygrid.Limits;
import io.canopygrid.StructureChange;
import io.canopygrid.Subtree;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Checks the arguments of callers, and whether the handle is open. Thread-safe. */
final class CheckedStructure implements IndexStructure {
  private final Runnable checkOpen;
  private final IndexStructure checked;

  CheckedStructure(Runnable checkOpen, IndexStructure checked) {
    this.checkOpen = checkOpen;
    this.checked = checked;
  }

  @Override
  public List<Subtree> subtrees() {
    checkOpen.run();
    return checked.subtrees();
  }

  @Override
  public List<StructureChange> changes() {
    checkOpen.run();
    return checked.changes();
  }

  @Override
  public CutOff cutOff() {
    checkOpen.run();
    return checked.cutOff();
  }

  @Override
  public CutOff fixCutOff(OptionalInt subtreesPerNode) {
    checkOpen.run();
    return checked.fixCutOff(present("the number of subtrees", subtreesPerNode));
  }

  @Override
  public StructureChange split(byte[] at) {
    checkOpen.run();
    return checked.split(key(at));
  }

  @Override
  public StructureChange merge(byte[] key) {
    checkOpen.run();
    return checked.merge(key(key));
  }

  @Override
  public StructureChange move(byte[] key, String node) {
    checkOpen.run();
    return checked.move(key(key), present("the node", node));
  }

  private static byte[] key(byte @Nullable [] key) {
    byte[] bytes = present("the key", key);
    if (bytes.length > Limits.KEY_BYTES_MAX) {
      throw new CanopyException(ErrorCode.KEY_TOO_LARGE, "a key takes " + bytes.length + " bytes");
    }
    return bytes;
  }

  private static <T> T present(String what, @Nullable T value) {
    if (value == null) {
      throw new CanopyException(ErrorCode.NULL_NOT_ALLOWED, what + " is null");
    }
    return value;
  }
}
