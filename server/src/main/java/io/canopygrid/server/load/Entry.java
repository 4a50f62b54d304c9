package io.canopygrid.server.load;

/** A record, encoded. Arrays are not to be changed. */
record Entry(byte[] key, byte[] value) {
  int bytes() {
    return key.length + value.length;
  }
}
