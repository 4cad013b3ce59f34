/** `npm run lab`: see `USAGE`. */
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandOptions } from '../support/command-options.ts';
import { runLab } from './lab.ts';
import { whyNoLab } from './needs.ts';
import { insideNamespaces } from './network.ts';
import { type Row, tableOf } from './report.ts';

const USAGE = `usage: npm run lab [-- --keep]
  Sends 30 messages and 20 mails that are refused through a whole installation to Postfix with OpenDKIM and rspamd,
  in network namespaces that lead nowhere, and says of each whether it became what it should.
  --keep   leaves the folder with data, logs and mailboxes even when all is well
Ends with 0 when all is well, 1 when not, 3 when it cannot be done on this machine.`;

/** Set for the second process, which runs inside. */
const FOLDER = 'POSTRIDER_LAB_FOLDER';

process.exit(await main());

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

async function main(): Promise<number> {
  const values = commandOptions(USAGE, { keep: { type: 'boolean' } });
  const folder = process.env[FOLDER];
  return folder === undefined ? outside(values.keep === true) : inside(folder);
}

async function outside(keep: boolean): Promise<number> {
  const whyNot = whyNoLab();
  if (whyNot !== null) {
    say(`Skipped, and nothing is proved: ${whyNot}.`);
    return 3;
  }
  const folder = mkdtempSync(join(tmpdir(), 'postrider-lab-'));
  chmodSync(folder, 0o755);
  const command = [process.execPath, '--import', 'tsx', fileURLToPath(import.meta.url)];
  const child = insideNamespaces(command, { ...process.env, [FOLDER]: folder });
  // The first process of the namespace is killed with it, and all others with that.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => child.kill('SIGKILL'));
  const [code] = await once(child, 'exit');
  if (code === null) {
    rmSync(folder, { recursive: true, force: true });
    say('Stopped.');
    return 130;
  }
  if (code === 0 && !keep) rmSync(folder, { recursive: true, force: true });
  else say(`Data, logs and mailboxes are in ${folder}.`);
  say(code === 0 ? 'All is well.' : 'NOT all is well.');
  return code;
}

async function inside(folder: string): Promise<number> {
  try {
    const show = (columns: readonly string[], rows: readonly Row[]) =>
      void process.stdout.write(`\n${tableOf(columns, rows)}\n\n`);
    return (await runLab(folder, { say, show })) ? 0 : 1;
  } catch (error) {
    say('The lab could not be brought to its end.');
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return 1;
  }
}
