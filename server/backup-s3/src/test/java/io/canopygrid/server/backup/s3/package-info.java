/** Tests of backups in S3. */
@NullMarked
package io.canopygrid.server.backup.s3;

import org.jspecify.annotations.NullMarked;
