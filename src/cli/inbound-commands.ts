/** Inbound mail that is not a report: mail to postmaster@ and abuse@, and mail that could not be parsed. */

import type { Database } from '../database/database.ts';
import { type KeptMessage, keptMail, keptMessage } from '../inbound/kept-mail.ts';
import { removeInbound } from '../inbound/store.ts';
import { isUuid } from '../runtime/ids.ts';
import { recordOperatorAction } from './audit.ts';
import { CliError, type Command, type CommandAnswer, type CommandContext } from './command.ts';
import { queryEachCell, withAway } from './each-cell.ts';
import { withDatabase } from './installation.ts';
import { minute, table } from './table.ts';

const MAX_LISTED = 100;

export const inboundCommands: readonly Command[] = [
  {
    name: 'inbound',
    summary: 'List mail to postmaster@ and abuse@, and reports that could not be parsed',
    example: 'inbound',
    run: list,
  },
  {
    name: 'inbound show',
    positionals: ['ID'],
    summary: 'Print a kept inbound message unchanged',
    explains: {
      ID: 'the message, by its id in `npx postrider inbound`',
    },
    example: 'inbound show 019a6d3c-8c40-7c7e-9a51-3f3c4d6c8a10',
    run: (context, [id = '']) => show(context, id),
  },
  {
    name: 'inbound remove',
    positionals: ['ID'],
    summary: 'Delete a kept inbound message',
    explains: {
      ID: 'the message, by its id in `npx postrider inbound`',
    },
    example: 'inbound remove 019a6d3c-8c40-7c7e-9a51-3f3c4d6c8a10',
    run: (context, [id = '']) => remove(context, id),
  },
];

async function list({ config }: CommandContext): Promise<CommandAnswer> {
  const { answers, away } = await withDatabase(config, (db) =>
    queryEachCell(db, (cell) => keptMail(cell, MAX_LISTED)),
  );
  const kept = answers
    .flatMap(({ value }) => value)
    .toSorted((a, b) => b.received_at.getTime() - a.received_at.getTime())
    .slice(0, MAX_LISTED);
  const rows = kept.map((one) => [
    one.id,
    minute(one.received_at),
    mailboxOf(one),
    one.mail_from,
    subjectOf(one),
  ]);
  const head = ['ID', 'RECEIVED (UTC)', 'TO', 'FROM', 'SUBJECT'];
  const answer = {
    json: kept.map((one) => ({ ...about(one), subject: subjectOf(one) })),
    lines: rows.length === 0 ? ['Nothing is kept.'] : table(head, rows),
  };
  return withAway(answer, away);
}

async function show({ config }: CommandContext, id: string): Promise<CommandAnswer> {
  const { one } = known(await withDatabase(config, (db) => find(db, id)));
  const text = printable(one.raw.toString('latin1'));
  const note = one.note === null ? [] : [`Kept because: ${printable(one.note)}`];
  return {
    json: { ...about(one), message: text },
    lines: [
      `From ${printable(one.mail_from)} at ${one.remote_address}, ${minute(one.received_at)}`,
      ...note,
      '',
      text,
    ],
  };
}

async function remove(context: CommandContext, id: string): Promise<CommandAnswer> {
  await withDatabase(context.config, async (db) => {
    const { one, cell } = known(await find(db, id));
    await removeInbound(cell, [{ organizationId: one.organization_id, id }]);
    await recordOperatorAction(db, context, {
      action: 'inbound_message.deleted',
      organizationId: null,
      targetId: id,
    });
  });
  return { json: { id, removed: true }, lines: ['The message is deleted.'] };
}

interface Found {
  readonly one: KeptMessage;
  /** The cell that stores it. */
  readonly cell: Database;
}

async function find(db: Database, id: string): Promise<Found | undefined> {
  if (!isUuid(id)) return undefined;
  const { answers } = await queryEachCell(db, async (cell) => {
    const one = await keptMessage(cell, id);
    return one === undefined ? undefined : { one, cell };
  });
  return answers.find(({ value }) => value !== undefined)?.value;
}

function known(one: Found | undefined): Found {
  if (one === undefined)
    throw new CliError('No message has this id. `npx postrider inbound` lists the messages.');
  return one;
}

function about({ raw: _raw, mailbox: _mailbox, organization_id: _organization, ...one }: KeptMessage) {
  return { ...one, mailbox: mailboxOf({ mailbox: _mailbox }) };
}

function mailboxOf({ mailbox }: Pick<KeptMessage, 'mailbox'>): string {
  return mailbox === 'b' ? 'return path' : mailbox;
}

function subjectOf({ raw }: KeptMessage): string {
  const [, subject = ''] = /^subject:[ \t]*(.*)$/im.exec(raw.subarray(0, 16_384).toString('latin1')) ?? [];
  return printable(subject).slice(0, 60);
}

/** Removes control characters from third-party text, so that it cannot move the cursor or change colours. */
function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/[^\P{Cc}\n\t]/gu, '\ufffd');
}
