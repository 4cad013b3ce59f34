/** The databases of an installation, opened: one where there is one cell, or one that knows the way to each. */
import { CellDirectory } from '../cells/directory.ts';
import { CellGate } from '../cells/gate.ts';
import { RoutedDatabase } from '../cells/routed-database.ts';
import { type Cell, Database, type DatabaseOptions } from '../database/database.ts';
import type { Config } from '../runtime/config.ts';

export interface OpenCells {
  readonly db: Database;
  /** Null where there is nothing to look up. */
  readonly directory: CellDirectory | null;
  /** Each as it is, whatever is known of it. */
  readonly each: readonly Cell[];
  /** Null where there is one. */
  readonly gate: CellGate | null;
  /** Stops asking who is where, and closes every connection. */
  close(): Promise<void>;
}

type Options = Omit<DatabaseOptions, 'url'>;

/** `url`: of the first. The directory is to be started by whoever asks by organization. */
export function openCells(config: Config, url: string, options: Options): OpenCells {
  const main = new Database({ url, ...options });
  if (config.cells.length === 0)
    return { db: main, directory: null, each: main.cells, gate: null, close: () => main.close() };
  const others = new Map(
    config.cells.map((cell) => [cell.name, new Database({ url: cell.url, ...options })]),
  );
  // With a connection of its own: where those of the first are all in use, every cell would be unknown otherwise.
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
