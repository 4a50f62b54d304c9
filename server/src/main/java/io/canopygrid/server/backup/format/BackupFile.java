package io.canopygrid.server.backup.format;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * A file with entries, in the order of their keys.
 *
 * @param name its name in the backup
 * @param entries how many it has, removals included
 * @param bytes of their keys and values
 * @param size of the file, compressed
 * @param sha256 of the file's bytes, in hexadecimal
 */
public record BackupFile(
    @JsonProperty("name") String name,
    @JsonProperty("entries") long entries,
    @JsonProperty("bytes") long bytes,
    @JsonProperty("size") long size,
    @JsonProperty("sha256") String sha256) {}
