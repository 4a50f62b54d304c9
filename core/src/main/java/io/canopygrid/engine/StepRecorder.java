package io.canopygrid.engine;

import io.canopygrid.explain.Explained;
import io.canopygrid.explain.Explanation;
import org.jspecify.annotations.Nullable;

/** Chooses transactions of a handle whose steps are recorded, and keeps them. Thread-safe. */
public interface StepRecorder {
  /** Records none. */
  StepRecorder NONE =
      new StepRecorder() {
        @Override
        public @Nullable Explanation begins(String label) {
          return null;
        }

        @Override
        public void ended(Explained explained) {}
      };

  /**
   * A transaction begins.
   *
   * @return where its steps are recorded; null: nowhere, as mostly
   */
  @Nullable Explanation begins(String label);

  /** A transaction has ended whose steps were recorded. */
  void ended(Explained explained);
}
