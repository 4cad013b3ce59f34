/** Opens the databases of an installation: one for a single cell, or one that routes queries to each cell. */
import { CellDirectory } from '../cells/directory.ts';
import { CellGate } from '../cells/gate.ts';
import { RoutedDatabase } from '../cells/routed-database.ts';
import { type Cell, Database, type DatabaseOptions } from '../database/database.ts';
import type { Config } from '../runtime/config.ts';

export interface OpenCells {
  readonly db: Database;
  /** Null with a single cell. */
  readonly directory: CellDirectory | null;
  /** Each cell's database, without checks. */
  readonly each: readonly Cell[];
  /** Null with a single cell. */
  readonly gate: CellGate | null;
  /** Stops the directory and closes all connections. */
  close(): Promise<void>;
}

type Options = Omit<DatabaseOptions, 'url'>;

/** `url` is that of the first cell. Callers that query by organization must start the directory. */
export function openCells(config: Config, url: string, options: Options): OpenCells {
  const main = new Database({ url, ...options });
  if (config.cells.length === 0)
    return { db: main, directory: null, each: main.cells, gate: null, close: () => main.close() };
  const others = new Map(
    config.cells.map((cell) => [cell.name, new Database({ url: cell.url, ...options })]),
  );
  // Has its own connection: otherwise the directory could not be read while the first cell's pool is
  // exhausted.
  const asking = new Database({ url, ...options, maxConnections: 1 });
  const directory = new CellDirectory({ db: asking, log: options.log });
  const gate = new CellGate();
  return {
    db: new RoutedDatabase({ main, others, directory, gate }),
    directory,
    each: [...main.cells, ...[...others].map(([name, db]) => ({ name, db, residents: db }))],
    gate,
    close: async () => {
      await directory.stop();
      await Promise.all([asking, main, ...others.values()].map((db) => db.close()));
    },
  };
}
