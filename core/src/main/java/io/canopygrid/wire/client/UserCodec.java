package io.canopygrid.wire.client;

import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The messages about users. */
final class UserCodec {
  private UserCodec() {}

  static void write(ByteWriter out, Request.PutUser m) {
    out.writeText(m.name());
    Request.Credential credential = m.credential();
    Parts.writeFlag(out, credential != null);
    if (credential != null) {
      out.writeBytes(credential.salt()).writeVarLong(credential.iterations());
      out.writeBytes(credential.storedKey()).writeBytes(credential.serverKey());
    }
    writeGrants(out, m.grants());
  }

  static Request.PutUser readPutUser(ByteReader in) {
    String name = Parts.readName(in);
    Request.@Nullable Credential credential = Parts.readFlag(in) ? readCredential(in) : null;
    return new Request.PutUser(name, credential, readGrants(in));
  }

  private static Request.Credential readCredential(ByteReader in) {
    byte[] salt = in.readBytes();
    int iterations = Parts.readInt(in);
    byte[] storedKey = in.readBytes();
    return new Request.Credential(salt, iterations, storedKey, in.readBytes());
  }

  private static void writeGrants(ByteWriter out, List<Request.Grant> grants) {
    Parts.writeList(out, grants, (o, grant) -> o.writeText(grant.index()).writeText(grant.role()));
  }

  private static List<Request.Grant> readGrants(ByteReader in) {
    return Parts.readList(in, 2, UserCodec::readGrant);
  }

  private static Request.Grant readGrant(ByteReader in) {
    String index = Parts.readName(in);
    return new Request.Grant(index, Parts.readName(in));
  }

  static void write(ByteWriter out, Request.RemoveUser m) {
    out.writeText(m.name());
  }

  static Request.RemoveUser readRemoveUser(ByteReader in) {
    return new Request.RemoveUser(Parts.readName(in));
  }

  static void write(ByteWriter out, Reply.Users m) {
    Parts.writeList(
        out,
        m.users(),
        (o, user) -> {
          o.writeText(user.name());
          writeGrants(o, user.grants());
        });
  }

  static Reply.Users readUsers(ByteReader in) {
    return new Reply.Users(Parts.readList(in, 2, UserCodec::readUser));
  }

  private static Reply.User readUser(ByteReader in) {
    String name = Parts.readName(in);
    return new Reply.User(name, readGrants(in));
  }
}
