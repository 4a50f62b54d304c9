/*
 * Notes what a process asks of the disk, so that a power cut can be played afterwards. It is put in
 * front of the C library with LD_PRELOAD.
 *
 *   CANOPY_POWER_DATA     the directory that has a directory for each disk
 *   CANOPY_POWER_MICROS   how long each force takes at least, as on a slow disk
 *   CANOPY_POWER_RECORDS  gets a directory for each disk, of the same name, with the file "record",
 *                         and with hard links to files that were removed, named by a position
 *
 * The record has one line for each event. A position is the length of the record before an event,
 * so it orders them. Fields are separated by tabs. DIR is the inode of the directory.
 *
 *   F inode size position     forced; with the size and the position when the force began
 *   C position DIR path       the file is made
 *   M position DIR path       the directory is made
 *   R position DIR from to    renamed; where "to" was replaced, a link to what it was is kept
 *   U position DIR path       removed; a link to it is kept
 *   V position                what was noted there has failed
 *
 * A change of a directory is noted before it is made, and a force after it has ended: a process
 * that is killed in between has told nobody of either. While there is a file "lies" in the records'
 * directory, forces succeed and are not noted. While there is a file "hangs" in the directory of a
 * disk's record, forces of that disk do not end. While there is a file "low" there, the disk says
 * that it has no room left; while there is a file "full", what is written there fails, too.
 *
 * Only fsync and fdatasync count as forces. A sync_file_range promises nothing for a power cut.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static const char *data;
static const char *records;
static useconds_t force_micros;
static char disk[NAME_MAX + 1];
static char place[PATH_MAX];
static int record = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
  data = getenv("CANOPY_POWER_DATA");
  records = getenv("CANOPY_POWER_RECORDS");
  const char *micros = getenv("CANOPY_POWER_MICROS");
  force_micros = micros == NULL ? 0 : (useconds_t)atol(micros);
}

static void fail(const char *what) {
  fprintf(stderr, "the record of forces: %s: %s\n", what, strerror(errno));
  abort();
}

/* The record is opened when the process first uses its disk. A process has one disk. */
static void open_record(const char *name, size_t length) {
  if (record >= 0) {
    if (strlen(disk) != length || strncmp(disk, name, length) != 0) fail("a second disk");
    return;
  }
  if (length > NAME_MAX) fail("a name too long");
  memcpy(disk, name, length);
  char file[PATH_MAX + 8];
  snprintf(place, sizeof place, "%s/%s", records, disk);
  if (NEXT(mkdir)(records, 0777) != 0 && errno != EEXIST) fail("records' directory");
  if (NEXT(mkdir)(place, 0777) != 0 && errno != EEXIST) fail("disk's directory");
  snprintf(file, sizeof file, "%s/record", place);
  record = NEXT(open)(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (record < 0) fail("its file");
}

/* Whether a path is of a disk; takes the lock if it is. */
static int enter(const char *path) {
  size_t length = data != NULL && records != NULL ? strlen(data) : 0;
  if (length == 0 || path == NULL || strncmp(path, data, length) != 0 || path[length] != '/') {
    return 0;
  }
  int error = errno;
  const char *name = path + length + 1;
  pthread_mutex_lock(&lock);
  open_record(name, strcspn(name, "/"));
  errno = error;
  return 1;
}

static void leave(void) {
  int error = errno;
  pthread_mutex_unlock(&lock);
  errno = error;
}

static long long position(void) {
  struct stat now;
  if (fstat(record, &now) != 0) fail("its length");
  return (long long)now.st_size;
}

__attribute__((format(printf, 1, 2))) static void note(const char *format, ...) {
  char line[2 * PATH_MAX + 128];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (length >= (int)sizeof line || NEXT(write)(record, line, (size_t)length) != length) {
    fail("a line");
  }
}

static unsigned long long directory_of(const char *path) {
  char directory[PATH_MAX];
  const char *end = strrchr(path, '/');
  struct stat found;
  snprintf(directory, sizeof directory, "%.*s", (int)(end - path), path);
  return stat(directory, &found) == 0 ? (unsigned long long)found.st_ino : 0;
}

static int is_there(const char *path) {
  struct stat found;
  return lstat(path, &found) == 0;
}

/* Notes a change, and keeps a link to the file that it takes away. */
static long long change(char kind, const char *path, const char *to, const char *taken) {
  int error = errno;
  long long at = position();
  if (taken != NULL && is_there(taken)) {
    char kept[PATH_MAX + 32];
    snprintf(kept, sizeof kept, "%s/%lld", place, at);
    if (link(taken, kept) != 0) fail("a link");
  }
  note("%c\t%lld\t%llu\t%s%s%s\n", kind, at, directory_of(path), path, to == NULL ? "" : "\t",
       to == NULL ? "" : to);
  errno = error;
  return at;
}

/* Ends a change that was noted. */
static int changed(long long at, int result) {
  int error = errno;
  if (result < 0) note("V\t%lld\n", at);
  errno = error;
  leave();
  return result;
}

typedef int (*opener)(const char *, int, ...);

static int opened(opener next, const char *path, int flags, mode_t mode) {
  if ((flags & O_CREAT) == 0 || !enter(path)) return next(path, flags, mode);
  if (is_there(path)) {
    int file = next(path, flags, mode);
    leave();
    return file;
  }
  long long at = change('C', path, NULL, NULL);
  return changed(at, next(path, flags, mode));
}

static mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? (mode_t)va_arg(arguments, int) : 0;
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return opened((opener)NEXT(open), path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return opened((opener)NEXT(open64), path, flags, mode);
}

int rename(const char *from, const char *to) {
  if (!enter(to)) return NEXT(rename)(from, to);
  long long at = change('R', from, to, to);
  return changed(at, NEXT(rename)(from, to));
}

int unlink(const char *path) {
  if (!enter(path)) return NEXT(unlink)(path);
  long long at = change('U', path, NULL, path);
  return changed(at, NEXT(unlink)(path));
}

int mkdir(const char *path, mode_t mode) {
  if (!enter(path)) return NEXT(mkdir)(path, mode);
  long long at = change('M', path, NULL, NULL);
  return changed(at, NEXT(mkdir)(path, mode));
}

/* Whether a file that is open is of the disk; takes the lock if it is. */
static int enter_open(int file) {
  char link_name[64], path[PATH_MAX + 1];
  if (data == NULL) return 0;
  snprintf(link_name, sizeof link_name, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link_name, path, PATH_MAX);
  if (length < 0) return 0;
  path[length] = 0;
  if (strcmp(path, data) == 0 && record >= 0) {
    pthread_mutex_lock(&lock);
    return 1;
  }
  return enter(path);
}

/* Whether the disk's record has a file of that name beside it. */
static int is_told(const char *name) {
  char file[PATH_MAX + 8];
  int error = errno;
  snprintf(file, sizeof file, "%s/%s", place, name);
  int told = record >= 0 && is_there(file);
  errno = error;
  return told;
}

static void await_disk(void) {
  while (is_told("hangs")) usleep(20000);
}

static int forced(int (*next)(int), int file) {
  if (!enter_open(file)) return next(file);
  struct stat before;
  if (fstat(file, &before) != 0) fail("a file's length");
  long long size = S_ISDIR(before.st_mode) ? 0 : (long long)before.st_size;
  long long at = position();
  leave();
  usleep(force_micros);
  await_disk();
  int result = next(file);
  int error = errno;
  char lies[PATH_MAX];
  snprintf(lies, sizeof lies, "%s/lies", records);
  if (result == 0 && !is_there(lies)) {
    pthread_mutex_lock(&lock);
    note("F\t%llu\t%lld\t%lld\n", (unsigned long long)before.st_ino, size, at);
    pthread_mutex_unlock(&lock);
  }
  errno = error;
  return result;
}

int fsync(int file) { return forced(NEXT(fsync), file); }

int fdatasync(int file) { return forced(NEXT(fdatasync), file); }

/* Whether what is written to a file fails, as the disk is full. */
static int is_full(int file) {
  if (!is_told("full") || !enter_open(file)) return 0;
  leave();
  errno = ENOSPC;
  return 1;
}

ssize_t write(int file, const void *bytes, size_t count) {
  return is_full(file) ? -1 : NEXT(write)(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
  return is_full(file) ? -1 : NEXT(pwrite)(file, bytes, count, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
  return is_full(file) ? -1 : NEXT(pwrite64)(file, bytes, count, at);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  return is_full(file) ? -1 : NEXT(writev)(file, parts, count);
}

int fallocate(int file, int mode, off_t from, off_t length) {
  return is_full(file) ? -1 : NEXT(fallocate)(file, mode, from, length);
}

/* Whether a file system is to say that it has no room, as the disk of this process is on it. */
static int is_low(const char *path) {
  return is_told("low") && strncmp(path, data, strlen(data)) == 0;
}

int statvfs(const char *path, struct statvfs *room) {
  int result = NEXT(statvfs)(path, room);
  if (result == 0 && is_low(path)) room->f_bavail = 0;
  return result;
}

int statvfs64(const char *path, struct statvfs64 *room) {
  int result = NEXT(statvfs64)(path, room);
  if (result == 0 && is_low(path)) room->f_bavail = 0;
  return result;
}
