/** A journal on a disk that fails once: prints what its worker learns. */
import { Journal, readJournal } from '../../src/outbox/journal.ts';

const [dataDir = ''] = process.argv.slice(2);
const say = (line: string) => process.stdout.write(`${line}\n`);

const journal = new Journal<number>(dataDir, 7, (error) =>
  say(error === null ? 'works again' : `failed: ${(error as NodeJS.ErrnoException).code}`),
);
journal.append(1);
journal.append(2);
say(`usable: ${journal.usable()}`);
say(`entries: ${readJournal<number>(dataDir, 7).join()}`);
