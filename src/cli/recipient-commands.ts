import type { Database } from '../database/database.ts';
import { type AddressToErase, addressToErase, eraseAddress } from '../erasure/erase.ts';
import { ErasedAddresses } from '../erasure/erased-address-hash.ts';
import { exportAddress, UNLIMITED } from '../erasure/export.ts';
import { findOrganization } from '../organizations/store.ts';
import { openContentStore } from '../processes/content-store.ts';
import { eraseCopies } from '../processes/erase-copies.ts';
import { createLog } from '../runtime/log.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { recordOperatorAction } from './audit.ts';
import {
  CliError,
  type Command,
  type CommandAnswer,
  type CommandContext,
  EXIT_FAILED,
  EXIT_USAGE,
} from './command.ts';
import { openKeyRing, withDatabase } from './installation.ts';

const common = { positionals: ['ADDRESS'], required: { org: 'ID' }, optional: {} } as const;

export const recipientCommands: readonly Command[] = [
  {
    name: 'erase',
    ...common,
    flags: ['yes'],
    summary: 'Erase the data of an organization about an address; its suppression stays as a keyed hash',
    explains: {
      ADDRESS: 'the email address of the person',
      '--yes': 'erase the data, which cannot be undone',
    },
    example: 'erase ada@example.org --org org_8zqh0yv5k2m1d --yes',
    run: (context, [email = ''], { org = '', yes }) => erase(context, org, email, yes !== undefined),
  },
  {
    name: 'export',
    ...common,
    summary: 'Print all data of an organization about an address, as JSON',
    explains: {
      ADDRESS: 'the email address of the person',
    },
    example: 'export ada@example.org --org org_8zqh0yv5k2m1d > ada.json',
    run: (context, [email = ''], { org = '' }) => exportAll(context, org, email),
  },
];

async function erase(
  context: CommandContext,
  org: string,
  email: string,
  sure: boolean,
): Promise<CommandAnswer> {
  const { config, clock, json, say } = context;
  if (!sure) throw new CliError('This cannot be undone. Add --yes to confirm.', EXIT_USAGE);
  const result = await withAddress(context, org, email, async (db, address) => {
    const erased = new ErasedAddresses(db, await openKeyRing(db, config));
    const onProgress = (emails: number) => (json ? undefined : say(`  ${emails} emails`));
    const nowMs = () => clock.nowMs();
    const done = await eraseAddress({ db, erased, eraseCopies, nowMs }, address, {
      untilMs: Number.POSITIVE_INFINITY,
      onProgress,
    });
    await recordOperatorAction(db, context, {
      ...{ action: 'recipient.erased', organizationId: org, targetName: done.shownAs },
    });
    return done;
  });
  const { shownAs, emails, waiting, complete } = result;
  const rest = complete
    ? []
    : [
        `${waiting} emails are being delivered at the moment. Run the command again when their delivery has ended.`,
      ];
  return {
    json: { placeholder: shownAs, emails, waiting, complete },
    lines: [`Erased from ${emails} emails. The address is now shown as ${shownAs}.`, ...rest],
    ...(complete ? {} : { exitCode: EXIT_FAILED }),
  };
}

async function exportAll(context: CommandContext, org: string, email: string): Promise<CommandAnswer> {
  const found = await withAddress(context, org, email, async (db, address) => {
    const erased = new ErasedAddresses(db, await openKeyRing(db, context.config));
    await erased.ensure(context.clock.nowMs());
    const { moved } = openContentStore({ ...context, db, log: createLog('cli', context.config.logLevel) });
    const onPart = (part: string, share: number) => context.showProgress(`Reading ${part}`, share);
    const exported = await exportAddress(db, moved, address, UNLIMITED, onPart);
    await recordOperatorAction(db, context, {
      ...{ action: 'recipient.exported', organizationId: org, targetName: erased.shownAs(address) },
    });
    return exported;
  });
  return { json: found, lines: [JSON.stringify(found, null, 2)] };
}

function withAddress<T>(
  { config }: CommandContext,
  org: string,
  email: string,
  work: (db: Database, address: AddressToErase) => Promise<T>,
): Promise<T> {
  return withDatabase(config, async (db) => {
    if ((await findOrganization(db, org)) === undefined) {
      throw new CliError(`There is no organization ${org}. See: npx postrider org list`);
    }
    return work(db.of(org), parsed(org, email));
  });
}

function parsed(org: string, email: string): AddressToErase {
  try {
    return addressToErase(org, email);
  } catch (error) {
    const why = error instanceof ServiceError ? error.problems[0]?.message : undefined;
    throw new CliError(`ADDRESS ${why ?? 'is not an email address'}.`, EXIT_USAGE);
  }
}
