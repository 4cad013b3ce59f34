/**
 * Settles what this machine's crashed workers had sent, in every cell, before a command decides on its mail.
 */

import { type Database, MAIN_CELL } from '../database/database.ts';
import { takeOverFromGone } from '../delivery/attempt/recover.ts';
import { journalHome } from '../processes/data-folders.ts';
import type { Config } from '../runtime/config.ts';
import { createLog } from '../runtime/log.ts';
import { queryEachCell } from './each-cell.ts';

export async function takeOverInEach(db: Database, { dataDir }: Config): Promise<void> {
  const log = createLog('cli', 'silent');
  await queryEachCell(db, (cell, name) =>
    takeOverFromGone({ db: cell, log, dataDir: journalHome({ dataDir, cell: cellName(name) }) }),
  );
}

/** The cell's name in the configuration, where the first cell has none. */
function cellName(name: string): string | undefined {
  return name === MAIN_CELL ? undefined : name;
}
