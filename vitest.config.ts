import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

const shared = {
  pool: 'forks',
  // A worker imports the code once and runs file after file: in a process for each, half of the time was imports.
  isolate: false,
  testTimeout: 60_000,
  hookTimeout: 120_000,
  teardownTimeout: 10_000,
  // What is waited for comes; when, is up to a machine that may be busy.
  expect: { poll: { timeout: 20_000 } },
} as const;

/** `unit` sits beside the code and needs nothing; `system` gets a real PostgreSQL from its global set-up. */
export default defineConfig({
  test: {
    // More than twice the cores of a small machine: tests wait for sockets, processes and timers most of their time.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['{src,sdk/src,dashboard/src,docs-site,ops}/**/*.test.ts', 'scripts/**/*.test.mjs'],
        },
      },
      {
        test: {
          ...shared,
          name: 'system',
          include: ['test/**/*.test.ts'],
          setupFiles: ['test/support/own-time.ts'],
          globalSetup: ['test/support/global-setup.ts'],
        },
      },
    ],
  },
});
