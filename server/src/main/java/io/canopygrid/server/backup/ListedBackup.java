package io.canopygrid.server.backup;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.backup.format.Manifest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A backup in a list.
 *
 * @param state whole, not whole, or what is wrong with its manifest
 * @param manifest null: there is none, or it cannot be read
 */
record ListedBackup(String name, String state, @Nullable Manifest manifest) {
  static ListedBackup of(BackupFolder folder) {
    if (!folder.isWhole()) {
      return new ListedBackup(folder.name(), "not whole", null);
    }
    try {
      return new ListedBackup(folder.name(), "whole", folder.manifest());
    } catch (CanopyException e) {
      if (e.code() != ErrorCode.BACKUP_DAMAGED && e.code() != ErrorCode.BACKUP_FORMAT) {
        throw e;
      }
      return new ListedBackup(folder.name(), e.code().toString(), null);
    }
  }

  List<String> cells() {
    Manifest known = manifest;
    return known == null
        ? List.of(name, state, "-", "-", "-", "-")
        : List.of(
            name,
            state,
            Integer.toString(known.indexes().size()),
            Long.toString(known.entries()),
            Long.toString(known.bytes()),
            Long.toString(known.size()));
  }

  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("backup", name);
    fields.put("state", state);
    Manifest known = manifest;
    if (known != null) {
      fields.put("taken", known.taken());
      fields.put("grid", known.grid());
      fields.put("indexes", known.indexes().size());
      fields.put("entries", known.entries());
      fields.put("bytes", known.bytes());
      fields.put("size", known.size());
    }
    return fields;
  }
}
