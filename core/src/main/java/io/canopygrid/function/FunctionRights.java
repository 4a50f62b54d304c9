package io.canopygrid.function;

import io.canopygrid.engine.OpenIndex;

/**
 * What a function may do for the one who asks for it. Each method throws {@link
 * io.canopygrid.CanopyException} where it may not. Thread-safe.
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

  /** To open an index of this name, which is created where there is none. */
  void open(String index);

  /** To read an index. */
  void read(OpenIndex index);

  /** To write to an index. */
  void write(OpenIndex index);
}
