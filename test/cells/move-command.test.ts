/** `postrider org move`, as an operator types it, and as it is killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { claimCell, claimMain } from '../../src/cells/identity.ts';
import { adHoc } from '../../src/database/sql.ts';
import type { TestOrganization } from '../support/api.ts';
import { makeBusy } from '../support/busy-organization.ts';
import { type Ran, runCommand } from '../support/command-line.ts';
import { type MovingCells, startMovingCells } from '../support/moving-cells.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';

let cells: MovingCells;
let org: TestOrganization;
let env: Record<string, string>;
beforeAll(async () => {
  cells = await startMovingCells();
  await claimCell(cells.two.db, 'two', await claimMain(cells.main.db));
  org = await cells.api.createOrganization('Mover');
  await makeBusy(cells.api, org, 'https://hook.example/');
  env = {
    DATABASE_URL: cells.main.url,
    POSTRIDER_CELLS: `two=${cells.two.url}`,
    POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
  };
});
afterAll(() => cells?.stop());

const move = (...args: string[]): Promise<Ran> => runCommand(['org', 'move', org.id, ...args], env);

async function lastAuditEntry(): Promise<unknown> {
  const text = `SELECT action, actor_type, actor_id, details FROM audit_log WHERE organization_id = $1
                ORDER BY id DESC LIMIT 1`;
  return cells.main.db.one(adHoc(text), [org.id]);
}

/** The program itself. */
function startMove(...args: string[]): ChildProcess {
  const argv = ['--import', 'tsx', 'src/processes/cli.ts', 'org', 'move', org.id, ...args];
  return spawn(process.execPath, argv, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

it('says what it does and how far it is, and is in the audit log', async () => {
  const shown: string[] = [];
  const live = { show: (text: string) => void shown.push(text), clear: () => undefined };
  const { code, out } = await runCommand(['org', 'move', org.id, 'two', '--offline'], env, live);
  expect(code).toBe(0);
  expect(shown[0]).toMatch(/^Copying: \d+ of \d+ tables \(\d+ %\)$/);
  expect(out).toMatch(
    /^\d+ rows from main to two.*The organization is now in two.*Moved from main to two\.$/s,
  );
  expect(await lastAuditEntry()).toEqual({
    action: 'organization.moved',
    actor_type: 'operator',
    actor_id: 'ada',
    details: { from: 'main', to: 'two' },
  });
});

it('tells programs where it is', async () => {
  const { out } = await move('main', '--offline', '--json');
  expect(JSON.parse(out)).toEqual({
    organization_id: org.id,
    ...{ from: 'two', to: 'main', way: 'offline', outcome: 'moved' },
  });
});

it('says why it cannot, in a sentence', async () => {
  const { code, err } = await move('two');
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/wal_level .* is replica, not logical\. Run the command with --offline/),
  ]);
  expect((await move('three', '--offline')).err).toBe('There is no cell three. There are: main, two');
  expect((await move('two', '--reach', 'nowhere')).code).toBe(2);
});

it('goes on after it was killed while mail was refused', async () => {
  const rows = await cells.rowsOf(cells.main.db, org);
  const killed = startMove('two', '--offline');
  for await (const line of createInterface({ input: killed.stdout as NodeJS.ReadableStream }))
    if (line.startsWith('Moving')) killed.kill('SIGKILL');
  if (killed.exitCode === null && killed.signalCode === null) await once(killed, 'exit');
  expect(killed.signalCode).toBe('SIGKILL');
  const { code, out } = await move('two', '--offline');
  expect([code, out]).toEqual([0, expect.stringContaining('Continuing the move that operator ')]);
  expect(await cells.rowsOf(cells.two.db, org)).toEqual(rows);
  expect(await cells.rowsOf(cells.main.db, org)).toEqual({});
}, 120_000);
