/**
 * PostgreSQL's settings for a small server. initdb writes them to the cluster's postgresql.conf, which the operator may
 * edit afterwards. Other settings keep PostgreSQL's defaults, including fsync and synchronous_commit: an acknowledged email
 * is on the disk.
 */
export const SERVER_SETTINGS: Readonly<Record<string, string>> = {
  max_connections: '100',
  shared_buffers: '128MB',
  // A hint about the kernel's cache, not an allocation.
  effective_cache_size: '512MB',
  maintenance_work_mem: '64MB',
  // For solid-state disks: a random read costs about as much as a sequential one.
  random_page_cost: '1.1',
  // Queue traffic writes many full pages after each checkpoint: fewer checkpoints, smaller pages.
  wal_compression: 'pglz',
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  checkpoint_timeout: '15min',
  // Postrider's statements are short; JIT and parallel plans cost more than they save.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  // Not /dev/shm: containers give it 64 MB, and systemd empties it when its user logs out.
  dynamic_shared_memory_type: 'mmap',
  // The hot queue table turns over quickly, so autovacuum checks it often.
  autovacuum_naptime: '15s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Statements contain addresses and mail content, which do not belong in a log file.
  log_min_error_statement: 'panic',
};
