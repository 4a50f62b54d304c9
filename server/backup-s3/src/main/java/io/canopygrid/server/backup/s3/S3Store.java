package io.canopygrid.server.backup.s3;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.backup.store.BlobStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Blobs as objects of a bucket. An object is there whole or not at all, and a reader sees it from
 * the answer to its put on. {@link #putIfAbsent} asks the store itself ({@code If-None-Match}).
 * Credentials, and the region where none is given, are found as all of AWS's tools find them.
 */
final class S3Store implements BlobStore {
  private static final int PRECONDITION_FAILED = 412;
  private static final int CONFLICT = 409;

  private final S3Client client;
  private final S3Location location;

  private S3Store(S3Client client, S3Location location) {
    this.client = client;
    this.location = location;
  }

  /**
   * The store of a location.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} where no region is known
   */
  static S3Store open(S3Location location) {
    S3ClientBuilder builder =
        S3Client.builder()
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            // Other stores do not know AWS's newer checksums; files have their SHA-256 anyway.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
    if (location.endpoint() != null) {
      builder.endpointOverride(location.endpoint()).forcePathStyle(true);
    }
    if (location.region() != null) {
      builder.region(Region.of(location.region()));
    }
    try {
      return new S3Store(builder.build(), location);
    } catch (SdkException e) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "S3 cannot be used: " + e.getMessage(), e);
    }
  }

  /** A request. */
  private interface Request<T> {
    T run();
  }

  private static <T> T sent(Request<T> request) throws IOException {
    try {
      return request.run();
    } catch (SdkException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private String key(String name) {
    return location.prefix() + name;
  }

  @Override
  public void put(String name, byte[] content) throws IOException {
    sent(() ->
        client.putObject(
            put -> put.bucket(location.bucket()).key(key(name)), RequestBody.fromBytes(content)));
  }

  @Override
  public boolean putIfAbsent(String name, byte[] content) throws IOException {
    return sent(() -> {
      try {
        client.putObject(
            put -> put.bucket(location.bucket()).key(key(name)).ifNoneMatch("*"),
            RequestBody.fromBytes(content));
        return true;
      } catch (S3Exception e) {
        if (e.statusCode() == PRECONDITION_FAILED || e.statusCode() == CONFLICT) {
          return false;
        }
        throw e;
      }
    });
  }

  @Override
  public byte[] get(String name) throws IOException {
    try {
      return sent(() ->
          client
              .getObjectAsBytes(get -> get.bucket(location.bucket()).key(key(name)))
              .asByteArray());
    } catch (IOException e) {
      if (e.getCause() instanceof NoSuchKeyException) {
        throw new NoSuchFileException(describe() + "/" + name);
      }
      throw e;
    }
  }

  @Override
  public List<String> list(String folder) throws IOException {
    String from = key(folder + "/");
    return sent(() ->
        client
            .listObjectsV2Paginator(list -> list.bucket(location.bucket()).prefix(from))
            .contents()
            .stream()
            .map(S3Object::key)
            .map(key -> key.substring(location.prefix().length()))
            .sorted()
            .toList());
  }

  @Override
  public List<String> folders() throws IOException {
    return sent(() ->
        client
            .listObjectsV2Paginator(
                list -> list.bucket(location.bucket()).prefix(location.prefix()).delimiter("/"))
            .commonPrefixes()
            .stream()
            .map(CommonPrefix::prefix)
            .map(folder -> folder.substring(location.prefix().length(), folder.length() - 1))
            .sorted()
            .toList());
  }

  @Override
  public void delete(String name) throws IOException {
    sent(() -> client.deleteObject(delete -> delete.bucket(location.bucket()).key(key(name))));
  }

  @Override
  public String describe() {
    return ("s3://" + location.bucket() + "/" + location.prefix()).replaceAll("/$", "");
  }

  @Override
  public void close() {
    client.close();
  }
}
