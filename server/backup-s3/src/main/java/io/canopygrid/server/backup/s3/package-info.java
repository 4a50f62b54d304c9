/** Keeps backups in S3, or in a store that speaks as S3 does. Internal: not for applications. */
@NullMarked
package io.canopygrid.server.backup.s3;

import org.jspecify.annotations.NullMarked;
