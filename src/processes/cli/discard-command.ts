/** Discards the queue: for an operator who returns from live mode to the sandbox, or sent what must not go out. */
import { takeOverFromGone } from '../../delivery/attempt/recover.ts';
import { withdrawMail } from '../../emails/withdrawal.ts';
import type { Mode } from '../../kit/runtime/config.ts';
import { createLog } from '../../kit/runtime/log.ts';
import { queuedInMode } from '../../outbox/status.ts';
import { noteDeed } from './audit.ts';
import {
  CliError,
  type Command,
  type CommandAnswer,
  EXIT_FAILED,
  EXIT_USAGE,
  type World,
} from './command.ts';
import { withDatabaseEvenStopped } from './installation.ts';

export const discardCommand: Command = {
  name: 'queue discard',
  positionals: [],
  required: { mode: 'live|sandbox' },
  optional: {},
  flags: ['yes'],
  summary: 'Discard all mail of a mode that was not sent yet; every recipient ends as failed, with an event',
  run: (world, _positionals, { mode = '', yes }) => discard(world, modeOf(mode), yes !== undefined),
};

async function discard(world: World, mode: Mode, sure: boolean): Promise<CommandAnswer> {
  const { config, clock, enough } = world;
  const { discarded, left } = await withDatabaseEvenStopped(world, async (db) => {
    // What a worker that died had sent is settled first: it was delivered, and must not be called failed.
    await takeOverFromGone({ db, log: createLog('cli', 'silent'), dataDir: config.dataDir });
    if (!sure) throw notSure(mode, await queuedInMode(db, mode));
    const nowMs = () => clock.nowMs();
    const discarded = await withdrawMail({ db, nowMs }, { mode, reason: 'discarded' }, enough);
    await noteDeed(db, world, {
      ...{ action: 'queue.discarded', organizationId: null, details: { mode, discarded } },
    });
    return { discarded, left: await queuedInMode(db, mode) };
  });
  const rest = left === 0 ? [] : [`${left} are being delivered, or are new. Run this again.`];
  return {
    json: { mode, discarded, left },
    lines: [`Deliveries of ${mode} mail that were discarded: ${discarded}.`, ...rest],
    ...(left === 0 ? {} : { exitCode: EXIT_FAILED }),
  };
}

function notSure(mode: Mode, count: number): CliError {
  return new CliError(
    `Deliveries of ${mode} mail in the queue: ${count}. Once discarded they are never sent, and that cannot be undone. Add --yes to confirm.`,
    EXIT_USAGE,
  );
}

function modeOf(text: string): Mode {
  if (text === 'live' || text === 'sandbox') return text;
  throw new CliError('--mode must be live or sandbox.', EXIT_USAGE);
}
