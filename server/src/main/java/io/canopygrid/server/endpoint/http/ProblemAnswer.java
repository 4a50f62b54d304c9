package io.canopygrid.server.endpoint.http;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.util.LinkedHashMap;
import java.util.Map;

/** Errors as answers: {@code application/problem+json} (RFC 9457) with the code of Canopy. */
public final class ProblemAnswer {
  private static final String TYPE = "application/problem+json";

  /** The longest detail, in characters; a part of it may be the sender's. */
  private static final int DETAIL_MAX = 1_000;

  private ProblemAnswer() {}

  /** The answer to a request that has failed. */
  public static ApiResponse of(CanopyException e) {
    return of(status(e), e, Map.of());
  }

  /** The answer to a request that HTTP has a status of its own for. */
  public static ApiResponse of(int status, ErrorCode code, String detail) {
    return of(status, new CanopyException(code, detail), Map.of());
  }

  /** The same with headers. */
  public static ApiResponse of(int status, CanopyException e, Map<String, String> headers) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("type", "urn:canopy:" + e.code().id());
    fields.put("title", e.code().name());
    fields.put("status", status);
    fields.put("detail", shown(e.detail()));
    fields.put("code", e.code().id());
    fields.put("retryable", e.retryable());
    fields.put("commitState", e.commitState().name());
    fields.put("advice", e.code().advice());
    if (!e.facts().isEmpty()) {
      Map<String, String> facts = new LinkedHashMap<>();
      e.facts().forEach((name, fact) -> facts.put(name, shown(fact)));
      fields.put("facts", facts);
    }
    Map<String, String> all = new LinkedHashMap<>(headers);
    if (status == 503) {
      all.put("retry-after", "1");
    }
    return new ApiResponse(status, TYPE, Json.bytes(fields), all);
  }

  private static String shown(String text) {
    String cut = text.length() > DETAIL_MAX ? text.substring(0, DETAIL_MAX) + "…" : text;
    return cut.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?");
  }

  /** The status of HTTP that a kind of error has. */
  static int status(CanopyException e) {
    return switch (e.code()) {
      case UNAUTHENTICATED -> 401;
      case FORBIDDEN -> 403;
      case UNKNOWN_INDEX, UNKNOWN_SNAPSHOT -> 404;
      case WRITE_CONFLICT,
          RETRIES_EXHAUSTED,
          KEY_EXISTS,
          CODEC_MISMATCH,
          DEFINITION_MISMATCH,
          INDEX_NOT_READY,
          UNIQUE_VIOLATION,
          PART_OF_TABLE,
          INDEX_EXISTS,
          CLONE_TOO_DEEP,
          NOT_FINALIZED ->
          409;
      case CHANGES_LOST -> 410;
      case CHECK_FAILED -> 412;
      case VALUE_TOO_LARGE, TRANSACTION_TOO_LARGE -> 413;
      case COMMIT_UNKNOWN, TIMEOUT -> 504;
      default -> ofGroup(e.code());
    };
  }

  /** The first digit of a code says whose the error is. */
  private static int ofGroup(ErrorCode code) {
    return switch (code.number() / 1_000) {
      case 3 -> 400;
      case 2, 4, 5 -> code == ErrorCode.PROTOCOL_ERROR ? 400 : 503;
      default -> 500;
    };
  }
}
