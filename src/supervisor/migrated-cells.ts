/** Reports the schema of each cell at a start, and migrates cells later that were unavailable. */
import { setTimeout as sleep } from 'node:timers/promises';
import { MAIN_CELL } from '../database/database.ts';
import { type MigratedCell, migrateAgain } from '../processes/migrate-cells.ts';
import type { Config } from '../runtime/config.ts';

const TRY_AGAIN_MS = 5_000;

export function migratedLines(cells: readonly MigratedCell[]): string[] {
  return cells.flatMap((one) => {
    if (one.away !== null)
      return [
        `Warning: the cell ${one.cell} does not answer (${one.away}). Mail of its organizations waits until it does; others do not notice.`,
      ];
    const count = one.applied.length;
    if (count === 0) return [];
    const which = one.cell === MAIN_CELL ? 'Database schema' : `Schema of the cell ${one.cell}`;
    return [`${which} brought up to date (${count} migrations).`];
  });
}

interface Later {
  readonly config: Config;
  readonly databaseUrl: string;
  /** Cells that did not answer. */
  readonly away: readonly MigratedCell[];
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** The cells' workers wait meanwhile. Resolves when all cells have answered, or at a stop. */
export async function migrateLater({ config, databaseUrl, away, say, signal }: Later): Promise<void> {
  const left = new Map(away.map((one) => [one.cell, one.away]));
  while (left.size > 0) {
    await sleep(TRY_AGAIN_MS, null, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return;
    for (const [cell, said] of left) {
      const problem = await migrateAgain(config, databaseUrl, cell).then(
        ({ away }) => away,
        (error: Error) => error.message,
      );
      if (problem !== null) {
        if (problem !== said) say(`Warning: the cell ${cell} cannot be used yet: ${problem}`);
        left.set(cell, problem);
        continue;
      }
      left.delete(cell);
      say(`The cell ${cell} answers, and its schema is up to date.`);
    }
  }
}

/** Attributes connection errors of the first database to its address. */
export function explainStart(error: unknown, { databaseUrl }: Config): unknown {
  if (databaseUrl === undefined || !isConnectionProblem(error)) return error;
  // The error from trying several addresses of a host has a code but no message.
  const words = error.message === '' ? (error as NodeJS.ErrnoException).code : error.message;
  return new Error(
    `The database that DATABASE_URL names cannot be used: ${words}. Check that it runs, and that the address and the password are right.`,
    { cause: error },
  );
}

/**
 * A connection error has a code such as ECONNREFUSED from Node, or five characters from PostgreSQL: 28P01,
 * 3D000.
 */
function isConnectionProblem(error: unknown): error is Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^E[A-Z_]+$|^(08|28|3D|57P)/.test(code);
}
