package io.canopygrid.gmu.protocol;

/**
 * Rules of the order of commits, of one phase and of delegation, each broken ({@link Mutation}).
 */
final class BrokenCommits {
  static final Rules DECIDE_ORDER =
      new Rules() {
        @Override
        boolean appliesInOrder() {
          return false;
        }
      };

  static final Rules TIE_BY_ID =
      new Rules() {
        @Override
        boolean appliesTiesAtOnce() {
          return false;
        }
      };

  static final Rules ONE_PHASE_PART =
      new Rules() {
        @Override
        boolean onePhaseCarriesAll() {
          return false;
        }
      };

  static final Rules ONE_PHASE_OUTLIVES =
      new Rules() {
        @Override
        boolean onePhaseEndsWithTerm() {
          return false;
        }
      };

  static final Rules DELEGATE_ANSWERS_EARLY =
      new Rules() {
        @Override
        boolean delegateAwaitsBackups() {
          return false;
        }
      };

  static final Rules DELEGATE_JUDGES_AGAIN =
      new Rules() {
        @Override
        boolean delegateRemembersAnswers() {
          return false;
        }
      };

  static final Rules DELEGATION_OUTLIVES =
      new Rules() {
        @Override
        boolean delegationEndsWithTopology() {
          return false;
        }
      };

  static final Rules DELEGATION_FORGOTTEN =
      new Rules() {
        @Override
        boolean delegationAwaitsFlush() {
          return false;
        }
      };

  private BrokenCommits() {}
}
