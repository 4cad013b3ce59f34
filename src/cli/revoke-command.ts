/** `key revoke` revokes a key, and optionally its queued mail. */
import { revokeApiKey } from '../accounts/api-keys/service.ts';
import { type ApiKeyRow, findKeyInAnyOrganization } from '../accounts/api-keys/store.ts';
import type { Database } from '../database/database.ts';
import { counted } from '../doctor/finding.ts';
import { countQueuedOfKey } from '../interventions/holds/coverage.ts';
import { executeEndingHold } from '../interventions/holds/end-holds.ts';
import {
  discardingWords,
  holdMailOf,
  MAIL_OF_REVOKED,
  type MailOfRevoked,
  reasonOf,
  untilKeyStops,
  withdrawMailOf,
} from '../interventions/holds/mail-of-key.ts';
import { findHold, type HoldRow } from '../interventions/holds/store.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { operatorName, recordOperatorAction } from './audit.ts';
import { CliError, type CommandAnswer, type CommandContext, EXIT_USAGE, type Options } from './command.ts';
import { countedInTime, coverageWords } from './hold-commands.ts';
import { withDatabase } from './installation.ts';
import { noSuchKey } from './organization-lookup.ts';
import { minute } from './table.ts';
import { takeOverInEach } from './take-over.ts';

interface Revoked {
  readonly before: ApiKeyRow;
  readonly row: ApiKeyRow;
  readonly json: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
}

export async function revokeKeyWithMail(
  context: CommandContext,
  id: string,
  options: Options,
): Promise<CommandAnswer> {
  const mail = mailOf(options.mail);
  const { before, row, json, lines } = await withDatabase(context.config, async (db) => {
    const key = await findKeyInAnyOrganization(db, id);
    if (key === undefined) throw noSuchKey(id);
    if (mail === 'withdraw' && options.yes === undefined) throw notSure(key, await queuedOf(db, key));
    return DO[mail](context, db, key);
  });
  const was = before.revoked_at;
  const said =
    was === null
      ? `Revoked the key ${row.name} (${row.id}).`
      : `The key ${row.name} (${row.id}) was revoked before, at ${minute(was)} UTC.`;
  return { json: { ...row, ...json }, lines: [said, ...lines] };
}

/**
 * The mail is held before the key is revoked, and cancelled only after the key has stopped working in all
 * processes.
 */
const DO: Readonly<
  Record<MailOfRevoked, (context: CommandContext, db: Database, key: ApiKeyRow) => Promise<Revoked>>
> = {
  leave: async (context, db, before) => {
    const row = await revoke(context, db, before, 'leave');
    const queued = await queuedOf(db, before);
    const lines = queued === 0 ? [] : offerWords(before, queued);
    return { before, row, json: { queued }, lines };
  },
  hold: async (context, db, before) => {
    const hold = await holdOn(context, db, before);
    const row = await revoke(context, db, before, 'hold', hold);
    if (hold.ending !== null) throw new CliError(discardingWords(hold));
    const figures = await countedInTime(db, hold.id);
    const lines = [
      `Its mail is held (${hold.id}). ${coverageWords(figures)}`,
      `To send it: npx postrider release ${hold.id}`,
      `To drop it: npx postrider discard ${hold.id} --reason TEXT`,
    ];
    return { before, row, json: { hold_id: hold.id }, lines };
  },
  withdraw: async (context, db, before) => {
    const hold = await holdOn(context, db, before);
    const row = await revoke(context, db, before, 'withdraw', hold);
    await untilKeyStops();
    const { id, discarded, isDone } = await withdrawAll(context, db, before, hold);
    const rest = isDone ? [] : ['Workers process the rest. See: npx postrider hold list'];
    const lines = [
      `Withdrawn: ${counted(discarded, 'delivery', 'deliveries')} that the key had queued.`,
      ...rest,
    ];
    return { before, row, json: { hold_id: id, discarded }, lines };
  },
};

async function revoke(
  context: CommandContext,
  db: Database,
  key: ApiKeyRow,
  mail: MailOfRevoked,
  hold?: HoldRow,
): Promise<ApiKeyRow> {
  const row = await revokeApiKey(db, context.clock, key.id, null);
  if (row === undefined) throw noSuchKey(key.id);
  const { id: targetId, name: targetName, organization_id: organizationId } = key;
  const details = hold === undefined ? {} : { details: { mail, hold_id: hold.id } };
  await recordOperatorAction(db, context, {
    action: 'api_key.revoked',
    organizationId,
    targetId,
    targetName,
    ...details,
  });
  return row;
}

function holdOn(context: CommandContext, db: Database, key: ApiKeyRow): Promise<HoldRow> {
  const { id, name, organization_id: organizationId } = key;
  return holdMailOf(db, { organizationId, id, name }, { by: operatorName(context), byOperator: true });
}

async function withdrawAll(
  context: CommandContext,
  db: Database,
  key: ApiKeyRow,
  held: HoldRow,
): Promise<{ readonly id: string; readonly discarded: number; readonly isDone: boolean }> {
  const { clock, config, enough } = context;
  const own = db.of(key.organization_id);
  // First settles what crashed workers had sent: those emails were delivered and must not be recorded as
  // failed.
  await takeOverInEach(db, config);
  const id = await withdrawOrSay(context, db, key, held);
  await executeEndingHold({ db: own, nowMs: () => clock.nowMs() }, id, enough);
  const after = await findHold(own, id);
  return { id, discarded: after?.discarded ?? 0, isDone: (after?.ended_at ?? null) !== null };
}

/** The id of the hold that is discarded. */
async function withdrawOrSay(
  context: CommandContext,
  db: Database,
  key: ApiKeyRow,
  held: HoldRow,
): Promise<string> {
  const ending = { reason: reasonOf(key), by: operatorName(context), place: () => holdOn(context, db, key) };
  try {
    return (await withdrawMailOf(db, held, ending)).id;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new CliError(
      `The key ${key.name} (${key.id}) is revoked. The mail of the key was not withdrawn, and is held (${held.id}). ${error.message}`,
    );
  }
}

function queuedOf(db: Database, { id, organization_id }: ApiKeyRow): Promise<number> {
  return countQueuedOfKey(db.of(organization_id), organization_id, id);
}

function offerWords({ id }: ApiKeyRow, queued: number): string[] {
  return [
    `The key has ${counted(queued, 'delivery', 'deliveries')} in the queue. Deliveries that are already due are still sent.`,
    `To hold them: npx postrider key revoke ${id} --mail hold`,
    `To withdraw them for good: npx postrider key revoke ${id} --mail withdraw`,
  ];
}

function notSure({ name, id }: ApiKeyRow, queued: number): CliError {
  return new CliError(
    `Deliveries of the key ${name} (${id}) that would never be sent: ${queued}. A withdrawal cannot be undone. Add --yes to confirm.`,
    EXIT_USAGE,
  );
}

function mailOf(text = 'leave'): MailOfRevoked {
  const mail = MAIL_OF_REVOKED.find((one) => one === text);
  if (mail === undefined) throw new CliError(`--mail must be ${MAIL_OF_REVOKED.join(', ')}.`, EXIT_USAGE);
  return mail;
}
