/** Finding the cell of an organization in memory, against the microsecond that a request may spend on it. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { CellDirectory } from '../src/cells/directory.ts';
import type { PlacedOrganization } from '../src/cells/store.ts';
import type { Sql } from '../src/database/sql.ts';
import { createLog } from '../src/runtime/log.ts';
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { median } from './support/measure.ts';
import { number } from './support/table.ts';

export const title = 'Finding the cell of an organization, with 1,000 cells';
export const claim = 'the cell of one of 10,000 organizations is found in less than a microsecond';

const BUDGET_NS = 1_000;
const CELLS = 1_000;
const JUDGED = 10_000;
const SIZES = {
  full: { organizations: [100, JUDGED, 1_000_000], lookUps: 2_000_000, rounds: 5 },
  smoke: { organizations: [100, JUDGED], lookUps: 50_000, rounds: 1 },
};
type Numbers = (typeof SIZES)[Size];

interface Seen {
  readonly organizations: number;
  readonly ns: number;
  readonly mapNs: number;
  readonly bytes: number;
}

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const seen: Seen[] = [];
  for (const organizations of SIZES[size].organizations) {
    seen.push(await measure(organizations, SIZES[size]));
    progress(`${number(organizations)} organizations: ${number(seen.at(-1)?.ns ?? 0)} ns`);
  }
  const judged = seen.find(({ organizations }) => organizations === JUDGED) as Seen;
  return {
    ratio: BUDGET_NS / judged.ns,
    target: 1,
    table: {
      columns: ['organizations', 'look-up, ns', 'a bare Map, ns', 'memory, MB', 'bytes each'],
      rows: seen.map(({ organizations, ns, mapNs, bytes }) => [
        number(organizations),
        number(ns),
        number(mapNs),
        number(bytes / 1e6, 2),
        number(bytes / organizations),
      ]),
    },
    figures: { cells: CELLS, look_up_ns: Math.round(judged.ns), bytes: judged.bytes },
  };
}

/** Ids are asked for in no order, as requests come. */
async function measure(organizations: number, { lookUps, rounds }: Numbers): Promise<Seen> {
  const ids = Array.from({ length: organizations }, (_, index) => idOf(index));
  const before = heapUsed();
  // Both clocks are read, as always, and believed to stand still: nobody can ask again while this goes on.
  const still = [performance.now(), Date.now()] as const;
  const nowMs = () => (performance.now() + Date.now() > 0 ? still : ([0, 0] as const));
  const directory = new CellDirectory({ db: holding(ids), log: createLog('bench', 'silent'), nowMs });
  await directory.refresh();
  const bytes = heapUsed() - before;
  const map = new Map(ids.map((id, index) => [id, cellOf(index)]));
  if (directory.size !== map.size) throw new Error('The directory does not know all of them.');
  const asked = ids.map((_, index) => ids[(index * 7_919) % organizations] as string);
  for (const id of asked.slice(0, 1_000))
    if (directory.cellOf(id) !== map.get(id)) throw new Error(`The directory is wrong about ${id}.`);
  const ns = { directory: [] as number[], map: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    ns.directory.push(perLookUp(asked, lookUps, (id) => directory.cellOf(id)));
    ns.map.push(perLookUp(asked, lookUps, (id) => map.get(id) ?? ''));
  }
  return { organizations, ns: median(ns.directory), mapNs: median(ns.map), bytes };
}

function perLookUp(asked: readonly string[], lookUps: number, find: (id: string) => string): number {
  let sum = 0;
  // Of the processor: on a machine that is shared, the clock counts others' work too.
  const began = process.cpuUsage();
  for (let i = 0; i < lookUps; i += 1) sum += find(asked[i % asked.length] as string).length;
  const { user, system } = process.cpuUsage(began);
  if (sum === 0) throw new Error('Nothing was found.');
  return ((user + system) * 1_000) / lookUps;
}

/** Control, as far as the directory asks it. */
function holding(ids: readonly string[]): Sql {
  const rows = (): PlacedOrganization[] =>
    // As they come from the driver: every row has texts of its own.
    ids.map((id, index) => ({
      organization_id: copyOf(id),
      cell: copyOf(cellOf(index)),
      is_moving: false,
      version: index + 1,
    }));
  return { many: async () => rows() } as unknown as Sql;
}

function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

function idOf(index: number): string {
  return `org_${index.toString(32).padStart(13, '0')}`;
}

function cellOf(index: number): string {
  return `cell-${index % CELLS}`;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
