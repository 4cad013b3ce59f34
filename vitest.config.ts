import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

const shared = {
  pool: 'forks',
  // A worker imports the code once and runs file after file: in a process for each, half of the time was imports.
  isolate: false,
  // Limits only end a test that hangs; a busy machine is ten times as slow as an idle one.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  teardownTimeout: 10_000,
  expect: { poll: { timeout: 90_000 } },
} as const;

/** Real PostgreSQL from the global set-up. */
const withDatabase = {
  ...shared,
  setupFiles: ['test/support/own-time.ts'],
  globalSetup: ['test/support/global-setup.ts'],
};

/**
 * `npm test` leaves these out; `npm run test:all` and CI run them. They start whole installations, kill processes and databases, go
 * through every page, language or hostile shape, or measure how long something takes.
 */
const SLOW = [
  'docs-site/site/build-site.test.ts',
  'src/template-language/{cost,hostile}.test.ts',
  'src/inbound/aggregate/hostile.test.ts',
  'src/protocols/message/long-content.test.ts',
  'test/agents/mcp.test.ts',
  'test/api/{address-quotas,event-stream-bounds,failures,hostile-input,overload,real-failures}.test.ts',
  'test/backup/**/*.test.ts',
  'test/bench/{smoke,supervise}.test.ts',
  'test/browser/{approvals,canaries,deliverability,docs,every-dialog,every-page,every-page-other-theme,finish,keyboard,live,memory}.test.ts',
  'test/browser/{people,previews,received,reports,sample-reports,search,streams,support,template-accessibility,templates,tracking,transports,warm-up,webhooks}.test.ts',
  'test/cells/**/*.test.ts',
  'test/cli/{apply-places,apply-routes,templates}.test.ts',
  'test/clients/**/*.test.ts',
  'test/content-store/**/*.test.ts',
  'test/database/{failover,pgbouncer,standby-reads}.test.ts',
  'test/delivery/evil/**/*.test.ts',
  'test/delivery/{canary,dane,emergencies,floods,floods-of-workers,guard,many-domains,rate-limits,require-tls,routes,routes-shared,steady-mail}.test.ts',
  'test/docs/{examples,languages,literals,reference,reference-pages,reference-requests,snippets}.test.ts',
  'test/domains/{dkim-rotation,rechecks}.test.ts',
  'test/embedded-postgres/**/*.test.ts',
  'test/erasure/**/*.test.ts',
  'test/faults/**/*.test.ts',
  'test/flows/{collapse,mode-change}.test.ts',
  'test/fuzz/**/*.test.ts',
  'test/histories/{holds,moves}.test.ts',
  'test/inbound/{failures,killed}.test.ts',
  'test/lists/exact.test.ts',
  'test/message/senders.test.ts',
  'test/model/many-seeds.test.ts',
  'test/package/**/*.test.ts',
  'test/processes/{api,planned-stop,refused-start,supervised-postgres,supervisor,systemd-unit,upgrade,watch}.test.ts',
  'test/processor-time/**/*.test.ts',
  'test/received/{differential,held-loop}.test.ts',
  'test/sandbox/throw-away.test.ts',
  'test/sdk/{package,readme,testing-examples}.test.ts',
  'test/secrets/{rolling-restart,rotate}.test.ts',
  'test/storm/**/*.test.ts',
  'test/submission/killed.test.ts',
  'test/suppressions/import.test.ts',
  'test/validation/data.test.ts',
  'test/webhooks/crash.test.ts',
];

/** `unit` is beside the code and needs no database; `system` and `slow` use a real PostgreSQL. */
export default defineConfig({
  test: {
    // Three times the cores of a small machine: tests wait for sockets, processes and timers most of their time.
    maxWorkers: 6,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['{src,sdk/src,dashboard/src,docs-site,ops,bench}/**/*.test.ts', 'scripts/**/*.test.mjs'],
          exclude: [...configDefaults.exclude, ...SLOW],
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'system',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...SLOW],
        },
      },
      { test: { ...withDatabase, name: 'slow', include: SLOW } },
    ],
  },
});
