package io.canopygrid.roundtrip;

import java.nio.ByteBuffer;

/**
 * The lengths of a question and its answer, in bytes. The sizes are those of a look-up, without
 * what JGroups adds.
 *
 * @param question at least {@value #QUESTION_BYTES_MIN}
 */
record MessageSizes(int question, int answer) {
  private static final int QUESTION_BYTES_MIN = Integer.BYTES;

  MessageSizes {
    if (question < QUESTION_BYTES_MIN || answer < 1) {
      throw new IllegalArgumentException("question=" + question + " answer=" + answer);
    }
  }

  /** A question: it says how long an answer it wants. */
  byte[] newQuestion() {
    return ByteBuffer.allocate(question).putInt(answer).array();
  }

  /** The answer that a question asks for. */
  static byte[] answerTo(byte[] question) {
    return new byte[ByteBuffer.wrap(question).getInt()];
  }

  /**
   * Takes an answer in.
   *
   * @throws IllegalStateException where it is none
   */
  void check(byte[] came) {
    if (came.length != answer) {
      throw new IllegalStateException("an answer of " + came.length + " bytes, not " + answer);
    }
  }
}
