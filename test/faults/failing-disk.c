/*
 * A disk that fails once. Preloaded into a process, this makes one call of fsync, fdatasync, write or pwrite fail with EIO.
 * The file that FAILING_DISK_ORDER names says which: the name of the call, a space, and a part of the path of the file that is
 * written. Removing that file is what chooses one call among several processes: only one of them can remove it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_the_one(const char *call, int fd) {
  const char *order = getenv("FAILING_DISK_ORDER");
  if (order == NULL || access(order, R_OK) != 0) return 0;
  int saved = errno;
  char text[256] = {0}, name[32] = {0}, part[128] = {0}, link[64], path[4096] = {0};
  int file = open(order, O_RDONLY);
  ssize_t size = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  int is = size > 0 && sscanf(text, "%31s %127s", name, part) == 2 && strcmp(name, call) == 0 &&
           readlink(link, path, sizeof path - 1) > 0 && strstr(path, part) != NULL && unlink(order) == 0;
  errno = saved;
  return is;
}

static int fails(const char *call, int fd) {
  if (!is_the_one(call, fd)) return 0;
  errno = EIO;
  return 1;
}

int fsync(int fd) { return fails("fsync", fd) ? -1 : (int)syscall(SYS_fsync, fd); }

int fdatasync(int fd) { return fails("fdatasync", fd) ? -1 : (int)syscall(SYS_fdatasync, fd); }

ssize_t write(int fd, const void *bytes, size_t size) {
  return fails("write", fd) ? -1 : syscall(SYS_write, fd, bytes, size);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
  return fails("pwrite", fd) ? -1 : syscall(SYS_pwrite64, fd, bytes, size, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t at) { return pwrite(fd, bytes, size, at); }
