/** What roles write to their log while the database of a cell is away. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../processes/supervised.ts';
import { Role } from '../support/role.ts';
import { openTcpGate, type TcpGate } from '../support/tcp-gate.ts';
import { createTwoCells, type TwoCells } from '../support/two-cells.ts';
import { until } from '../support/until.ts';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly cell?: string;
  readonly err?: { readonly code?: string };
}

let dataDir: string;
let cells: TwoCells;
let gate: TcpGate;
let api: Role;
let url: string;
let key: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-cells-'));
  cells = await createTwoCells(dataDir);
  const { id } = await cells.json(['org', 'create', 'There', '--cell', 'two']);
  ({ key } = await cells.json(['key', 'create', '--org', id, '--name', 'k', '--scope', 'full']));
  const behind = new URL(cells.two.url);
  gate = await openTcpGate(behind.hostname, Number(behind.port || 5432));
  behind.host = `127.0.0.1:${gate.port}`;
  const port = await freePort();
  api = new Role('api', {
    ...cells.env,
    POSTRIDER_CELLS: `two=${behind.href}`,
    POSTRIDER_PORT: String(port),
  });
  url = `http://127.0.0.1:${port}`;
  api.start();
  await until(async () => {
    if (!api.isRunning) throw new Error(`The API ended before it was ready:\n${api.output}`);
    return (await fetch(`${url}/readyz`).catch(() => null))?.ok;
  });
}, 120_000);
afterAll(async () => {
  await api?.end('SIGKILL');
  await gate?.shut();
  await cells?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const ask = () => fetch(`${url}/api/v1/domains`, { headers: { authorization: `Bearer ${key}` } });

const problems = (): Line[] =>
  api.output
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Line)
    .filter(({ level }) => level >= 40);

it('is one line for many requests that were refused for that reason, and names the cell', async () => {
  expect((await ask()).status).toBe(200);
  await gate.shut();
  await until(
    () => ask(),
    ({ status }) => status === 503,
  );
  const began = performance.now();
  for (let i = 0; i < 30; i += 1) expect((await ask()).status).toBe(503);
  await until(() => problems().some(({ msg }) => msg === 'a request failed'));
  // A connection that breaks and one that is refused are two kinds.
  const kinds = problems().map(({ msg, err }) => `${msg}: ${err?.code}`);
  const mostOfEach = 1 + Math.ceil((performance.now() - began) / 60_000);
  for (const kind of kinds)
    expect(kinds.filter((one) => one === kind).length, kind).toBeLessThanOrEqual(mostOfEach);
  const refused = problems().filter(({ msg }) => msg === 'a request failed');
  expect(refused.map(({ cell }) => cell)).toEqual(refused.map(() => 'two'));
  await gate.open();
});
