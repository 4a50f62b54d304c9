package io.canopygrid.spring.boot;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says of an error of Canopy at the start what it is, which property it is about, what to do. */
final class CanopyFailureAnalyzer extends AbstractFailureAnalyzer<CanopyException> {
  @Override
  protected FailureAnalysis analyze(Throwable root, CanopyException cause) {
    WrongSettingException wrong = findCause(root, WrongSettingException.class);
    String property = wrong == null ? propertyOf(cause.code()) : wrong.property();
    String about = property == null ? "" : " (" + property + ")";
    return new FailureAnalysis(
        cause.code() + about + ": " + cause.detail() + ".",
        property == null
            ? cause.code().advice()
            : "See the property " + property + ". " + cause.code().advice(),
        cause);
  }

  /** The property that is most likely about it, null for none. */
  private static @Nullable String propertyOf(ErrorCode code) {
    return switch (code) {
      case NOT_CONNECTED, PROTOCOL_ERROR -> "canopy.servers or canopy.cluster.members";
      case UNAUTHENTICATED, FORBIDDEN -> "canopy.user";
      case PORT_IN_USE -> "canopy.cluster.port";
      case DISK_UNUSABLE, DISKS_LOST -> "canopy.data.directory";
      case SHARD_UNAVAILABLE -> "canopy.cluster.members";
      default -> null;
    };
  }
}
