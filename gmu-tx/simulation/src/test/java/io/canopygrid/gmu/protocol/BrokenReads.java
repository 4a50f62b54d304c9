package io.canopygrid.gmu.protocol;

/** Rules of reads at backups and of their turns, each broken ({@link Mutation}). */
final class BrokenReads {
  static final Rules NEAREST_WITH_GAPS =
      new Rules() {
        @Override
        long completeUpTo(long watermark, long applied) {
          return applied;
        }
      };

  static final Rules WATERMARK_TOO_HIGH =
      new Rules() {
        @Override
        boolean watermarkAwaitsDone() {
          return false;
        }
      };

  static final Rules COMPLETE_WHEN_DECIDED =
      new Rules() {
        @Override
        boolean completeAwaitsHolders() {
          return false;
        }
      };

  static final Rules TURN_WITHOUT_BOUND =
      new Rules() {
        @Override
        boolean turnsHaveABound() {
          return false;
        }
      };

  private BrokenReads() {}
}
