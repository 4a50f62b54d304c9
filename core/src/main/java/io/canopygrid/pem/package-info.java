/**
 * PEM files with certificates and keys: reading them, and making such that are signed by an
 * authority of their own. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.pem;

import org.jspecify.annotations.NullMarked;
