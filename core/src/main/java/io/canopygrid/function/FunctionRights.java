package io.canopygrid.function;

import io.canopygrid.engine.OpenIndex;

/**
 * The rights of a function, which are those of its caller. Each method throws {@link
 * io.canopygrid.CanopyException} where the function has no right. Thread-safe.
 */
public interface FunctionRights {
  /** Everything. */
  FunctionRights ALL =
      new FunctionRights() {
        @Override
        public void open(String index) {}

        @Override
        public void read(OpenIndex index) {}

        @Override
        public void write(OpenIndex index) {}
      };

  /** The right to open an index of this name, which is created where there is none. */
  void open(String index);

  /** The right to read an index. */
  void read(OpenIndex index);

  /** The right to write to an index. */
  void write(OpenIndex index);
}
