/** Manages the addresses that an organization must not mail, from a shell. */

import type { Database } from '../database/database.ts';
import { Reads } from '../database/reads.ts';
import { ErasedAddresses } from '../erasure/erased-address-hash.ts';
import { type Address, parseAddress } from '../protocols/message/address.ts';
import {
  addSuppression,
  listSuppressions,
  removeSuppression,
  type SuppressionDeps,
  suppressionView,
} from '../suppressions/service.ts';
import { REASONS, type Reason } from '../suppressions/suppression.ts';
import { recordOperatorAction } from './audit.ts';
import {
  CliError,
  type Command,
  type CommandAnswer,
  type CommandContext,
  EXIT_USAGE,
  ONLY_ORGANIZATION,
  type Options,
  parseCount,
} from './command.ts';
import { organizationOf } from './event-commands.ts';
import { openKeyRing, withDatabase } from './installation.ts';
import { refuseInWords } from './refusal.ts';
import { minute, table } from './table.ts';

const ADDRESS = 'the address, such as ada@example.org';
const LAST = 20;
const MAX_LAST = 1_000;

export const suppressionCommands: readonly Command[] = [
  {
    name: 'suppression list',
    optionalPositionals: ['ADDRESS'],
    optional: { org: 'ID', reason: REASONS.join('|'), last: 'N' },
    summary: 'List suppressed addresses, newest first, or the entries of one address',
    explains: {
      ADDRESS: 'only the entries of this address, even if it was erased',
      '--org': ONLY_ORGANIZATION,
      '--reason': 'only entries with this reason',
      '--last': `the number of entries; the default is ${LAST}`,
    },
    example: 'suppression list ada@example.org',
    run: (context, [address], options) => list(context, address, options),
  },
  {
    name: 'suppression add',
    positionals: ['ADDRESS'],
    optional: { org: 'ID', reason: REASONS.join('|') },
    summary: 'Suppress an address: it gets no mail until it is removed from the list',
    explains: { ADDRESS, '--org': ONLY_ORGANIZATION, '--reason': 'the reason; the default is manual' },
    example: 'suppression add ada@example.org --reason complaint',
    run: (context, [address = ''], options) => add(context, address, options),
  },
  {
    name: 'suppression remove',
    positionals: ['ADDRESS'],
    optional: { org: 'ID' },
    summary: 'Remove all entries of an address, so that it gets mail again',
    explains: { ADDRESS, '--org': ONLY_ORGANIZATION },
    example: 'suppression remove ada@example.org',
    run: (context, [address = ''], options) => remove(context, address, options),
  },
];

async function list(
  context: CommandContext,
  given: string | undefined,
  options: Options,
): Promise<CommandAnswer> {
  const address = given === undefined ? null : addressOf(given);
  const reason = options.reason === undefined ? null : reasonOf(options.reason);
  const limit = options.last === undefined ? LAST : parseCount('--last', options.last, MAX_LAST);
  const { rows, total } = await withList(context, options.org, ({ deps, organizationId }) =>
    listSuppressions(deps, organizationId, { address, reason, page: 1, limit }),
  );
  const cells = rows.map((row) => [
    row.email,
    row.reason,
    row.unsubscribe_group ?? '',
    row.source,
    row.email_id ?? '',
    minute(row.created_at),
  ]);
  const nothing = address === null ? 'No address is suppressed.' : `${address.email} is not suppressed.`;
  return {
    json: rows.map(suppressionView),
    lines: [
      ...(rows.length === 0
        ? [nothing]
        : table(['ADDRESS', 'REASON', 'GROUP', 'SOURCE', 'EMAIL', 'SINCE (UTC)'], cells)),
      ...(total > rows.length ? [`${rows.length} of ${total}. --last shows more.`] : []),
    ],
  };
}

async function add(context: CommandContext, given: string, options: Options): Promise<CommandAnswer> {
  const address = addressOf(given);
  const reason = reasonOf(options.reason ?? 'manual');
  const row = await withList(context, options.org, async ({ db, deps, organizationId }) => {
    const added = await addSuppression(deps, organizationId, address, { reason });
    const { id } = suppressionView(added);
    const target = { organizationId, targetId: id, targetName: added.email };
    await recordOperatorAction(db, context, {
      ...target,
      action: 'suppression.created',
      details: { reason },
    });
    return added;
  });
  return {
    json: suppressionView(row),
    lines: [`${row.email} is suppressed (${row.reason}). Nothing is sent to it.`],
  };
}

async function remove(context: CommandContext, given: string, { org }: Options): Promise<CommandAnswer> {
  const address = addressOf(given);
  const removed = await withList(context, org, async ({ db, deps, organizationId }) => {
    const { rows } = await listSuppressions(deps, organizationId, { address, page: 1, limit: MAX_LAST });
    if (rows.length === 0)
      throw new CliError(
        `${address.email} is not suppressed in ${organizationId}. See: npx postrider suppression list`,
      );
    for (const row of rows) {
      const { id } = suppressionView(row);
      await removeSuppression(deps, organizationId, id);
      const target = { organizationId, targetId: id, targetName: row.email };
      await recordOperatorAction(db, context, { ...target, action: 'suppression.deleted' });
    }
    return rows;
  });
  const reasons = removed.map(({ reason }) => reason).join(', ');
  return {
    json: removed.map(suppressionView),
    lines: [`${address.email} may be mailed again. It was suppressed for: ${reasons}.`],
  };
}

interface OpenList {
  readonly db: Database;
  readonly deps: SuppressionDeps;
  readonly organizationId: string;
}

function withList<T>(
  { config, clock }: CommandContext,
  org: string | undefined,
  work: (list: OpenList) => Promise<T>,
): Promise<T> {
  return withDatabase(config, async (all) => {
    const organizationId = await organizationOf(all, org);
    const db = all.of(organizationId);
    const erased = new ErasedAddresses(all, await openKeyRing(all, config));
    await erased.ensure(clock.nowMs());
    const hash: SuppressionDeps['hash'] = (address) => erased.keyOf(address);
    const deps = { db, clock, reads: new Reads(all), hash };
    return work({ db: all, deps, organizationId }).catch((error) => refuseInWords(error));
  });
}

function addressOf(text: string): Address {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new CliError(`ADDRESS ${parsed.message}.`, EXIT_USAGE);
  return parsed;
}

function reasonOf(text: string): Reason {
  const reason = REASONS.find((one) => one === text);
  if (reason === undefined) throw new CliError(`--reason must be ${REASONS.join(', ')}.`, EXIT_USAGE);
  return reason;
}
