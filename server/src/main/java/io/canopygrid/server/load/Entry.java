package io.canopygrid.server.load;

/** A record's encoded key and value. The arrays are never changed. */
record Entry(byte[] key, byte[] value) {
  int bytes() {
    return key.length + value.length;
  }
}
