/** Discards the queue, for an operator who returns from live mode to the sandbox or queued wrong mail. */

import type { Database } from '../database/database.ts';
import { withdrawMail } from '../emails/withdrawal.ts';
import { queuedInMode } from '../outbox/status.ts';
import type { Mode } from '../runtime/config.ts';
import { recordOperatorAction } from './audit.ts';
import {
  CliError,
  type Command,
  type CommandAnswer,
  type CommandContext,
  EXIT_FAILED,
  EXIT_USAGE,
} from './command.ts';
import { queryEachCell, sum, withAway } from './each-cell.ts';
import { withDatabaseEvenStopped } from './installation.ts';
import { takeOverInEach } from './take-over.ts';

export const discardCommand: Command = {
  name: 'queue discard',
  required: { mode: 'live|sandbox' },
  flags: ['yes'],
  summary: 'Discard all unsent mail of a mode; every recipient ends as failed, with an event',
  explains: {
    '--mode': 'the mode in which the mail was accepted',
    '--yes': 'discard the mail; without this option, the command only shows the amount',
  },
  example: 'queue discard --mode sandbox --yes',
  run: (context, _positionals, { mode = '', yes }) => discard(context, modeOf(mode), yes !== undefined),
};

async function discard(context: CommandContext, mode: Mode, sure: boolean): Promise<CommandAnswer> {
  const { config, clock, enough } = context;
  const { discarded, left, away } = await withDatabaseEvenStopped(context, async (db) => {
    // First settles what crashed workers had sent: those emails were delivered and must not be recorded as
    // failed.
    await takeOverInEach(db, config);
    if (!sure) throw notSure(mode, await queuedIn(db, mode));
    const nowMs = () => clock.nowMs();
    const done = await queryEachCell(db, async (cell) => ({
      discarded: await withdrawMail({ db: cell, nowMs }, { mode, reason: 'discarded' }, enough),
      left: await queuedInMode(cell, mode),
    }));
    const discarded = sum(done.answers.map(({ value }) => value.discarded));
    await recordOperatorAction(db, context, {
      ...{ action: 'queue.discarded', organizationId: null, details: { mode, discarded } },
    });
    return { discarded, left: sum(done.answers.map(({ value }) => value.left)), away: done.away };
  });
  const rest = left === 0 ? [] : [`${left} are being delivered, or are new. Run the command again.`];
  const answer = {
    json: { mode, discarded, left },
    lines: [`Deliveries of ${mode} mail that were discarded: ${discarded}.`, ...rest],
    ...(left === 0 ? {} : { exitCode: EXIT_FAILED }),
  };
  return withAway(answer, away);
}

async function queuedIn(db: Database, mode: Mode): Promise<number> {
  const { answers } = await queryEachCell(db, (cell) => queuedInMode(cell, mode));
  return sum(answers.map(({ value }) => value));
}

function notSure(mode: Mode, count: number): CliError {
  return new CliError(
    `Deliveries of ${mode} mail in the queue: ${count}. Discarded deliveries are never sent, and a discard cannot be undone. Add --yes to confirm.`,
    EXIT_USAGE,
  );
}

function modeOf(text: string): Mode {
  if (text === 'live' || text === 'sandbox') return text;
  throw new CliError('--mode must be live or sandbox.', EXIT_USAGE);
}
