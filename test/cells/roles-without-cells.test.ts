/** Roles that are started by themselves, as on a host whose settings lack `POSTRIDER_CELLS`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../processes/supervised.ts';
import { Role } from '../support/role.ts';
import { createTwoCells, type TwoCells } from '../support/two-cells.ts';
import { until } from '../support/until.ts';

let dataDir: string;
let cells: TwoCells;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-cells-'));
  cells = await createTwoCells(dataDir);
  await cells.json(['org', 'create', 'There', '--cell', 'two']);
});
afterAll(async () => {
  await cells?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

it.each(['api', 'worker', 'smtp', 'inbound', 'submission'] as const)(
  'the %s refuses to start without the cells that organizations are in, and says what to do',
  async (name) => {
    const port = String(await freePort());
    const ports = { POSTRIDER_PORT: port, POSTRIDER_INBOUND_PORT: port, POSTRIDER_SUBMISSION_PORT: port };
    const role = new Role(name, { ...cells.env, ...ports, POSTRIDER_CELLS: '' });
    role.start();
    try {
      await until(() => !role.isRunning || /"(delivering|listening|taking|waiting)/.test(role.output));
      expect(role.isRunning, role.output).toBe(false);
      await expect
        .poll(() => role.output)
        .toContain(
          'Organizations are in the cell two, which POSTRIDER_CELLS does not name. Set POSTRIDER_CELLS to the same value as on every other host.',
        );
    } finally {
      await role.end('SIGKILL');
    }
  },
);
