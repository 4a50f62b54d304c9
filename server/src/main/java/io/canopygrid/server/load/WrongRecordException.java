package io.canopygrid.server.load;

/** A record cannot be put into the index; the records after it can be read. */
final class WrongRecordException extends Exception {
  private static final long serialVersionUID = 1;

  WrongRecordException(String why) {
    super(why);
  }
}
