/**
 * The bytes of the protocol's messages: a version byte, a type byte, then the fields in the order
 * of the record. Pure. Internal: not for applications.
 *
 * <p>Numbers are unsigned LEB128 (seven bits a byte, low bits first) unless said otherwise. Node
 * ids and kcls are eight bytes, most significant first. Byte strings and lists have their length in
 * front; where null is allowed the length is one more, and 0 says null. A clock is a list of shards
 * (each as the difference to the one before) with their numbers. A clock that occurs again in a
 * message is a reference to its first occurrence, so that it is one object at the receiver too. A
 * clock that names the same shards as the one before is told as what differs from that.
 */
@NullMarked
package io.canopygrid.gmu.wire;

import org.jspecify.annotations.NullMarked;
