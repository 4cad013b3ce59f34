/** `npx postrider send` sends a test mail through the usual gates and queue, and shows its outcome. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { firstVerifiedDomain } from '../domains/verified.ts';
import { refusalError } from '../emails/http/refusal-errors.ts';
import { type EventRow, eventsOfEmail, serverReply } from '../events/read.ts';
import { type Address, parseAddress } from '../protocols/message/address.ts';
import { type HeaderText, isHeaderText } from '../protocols/message/unsafe-text.ts';
import { type Draft, ORDINARY } from '../submission/draft.ts';
import { submit } from '../submission/submit.ts';
import { recordOperatorAction } from './audit.ts';
import {
  CliError,
  type Command,
  type CommandAnswer,
  type CommandContext,
  EXIT_FAILED,
  EXIT_USAGE,
  type Options,
  parseCount,
} from './command.ts';
import { organizationOf } from './event-commands.ts';
import { withDatabase } from './installation.ts';
import { refuseInWords } from './refusal.ts';
import { withSubmission } from './submitting.ts';

const WAIT_S = 30;
const MAX_WAIT_S = 3_600;
const CHECK_INTERVAL_MS = 250;
const MAX_SUBJECT_CHARS = 998;
const FINAL = ['delivered', 'bounced', 'failed', 'rejected'];

export const sendCommand: Command = {
  name: 'send',
  positionals: ['ADDRESS'],
  optional: { org: 'ID', from: 'ADDRESS', subject: 'TEXT', text: 'TEXT', wait: 'SECONDS' },
  summary: 'Send a test mail, and show its result',
  explains: {
    ADDRESS: 'the recipient',
    '--org': 'the sending organization, by its id; optional if there is only one',
    '--from': 'the sender; the default is postrider-test@ the oldest verified domain of the organization',
    '--subject': 'the subject',
    '--text': 'the text',
    '--wait': `the maximum time to wait for the result; the default is ${WAIT_S}, and 0 does not wait`,
  },
  example: 'send ada@example.org --from hello@mail.example.org',
  run: (context, [to = ''], options) => send(context, to, options),
};

async function send(context: CommandContext, given: string, options: Options): Promise<CommandAnswer> {
  const to = addressOf('ADDRESS', given);
  const from = options.from === undefined ? null : addressOf('--from', options.from);
  const subject = subjectOf(options.subject ?? 'Test mail from Postrider');
  const waitS = options.wait === undefined ? WAIT_S : parseCount('--wait', options.wait, MAX_WAIT_S);
  return withDatabase(context.config, async (db) => {
    const organizationId = await organizationOf(db, options.org);
    const sender = from ?? (await ownAddress(db, organizationId));
    const draft = draftOf(sender, to, subject, options.text ?? textAt(context));
    const id = await accept(context, db, organizationId, draft);
    const target = { organizationId, targetId: id, targetName: to.email };
    await recordOperatorAction(db, context, {
      ...target,
      action: 'email.test_sent',
      details: { from: sender.email },
    });
    if (!context.json) context.say(`Accepted as ${id}, from ${sender.email} to ${to.email}.`);
    const last = await lastEvent(db.of(organizationId), organizationId, id, waitS, context.enough);
    return answerTo({ id, from: sender.email, to: to.email, waitS }, last);
  });
}

async function accept(
  context: CommandContext,
  db: Database,
  organizationId: string,
  draft: Draft,
): Promise<string> {
  const sender = { organizationId, keyId: null, tiedTo: null, policy: null };
  const result = await withSubmission(context, db, (submission) => submit(submission, sender, draft));
  if (result.kind === 'accepted') return result.id;
  return refuseInWords(refusalError(result), { 'from.email': '--from', 'to[0].email': 'ADDRESS' });
}

async function ownAddress(db: Database, organizationId: string): Promise<Address> {
  const domain = await firstVerifiedDomain(db.of(organizationId), organizationId);
  if (domain !== undefined) return addressOf('--from', `postrider-test@${domain}`);
  throw new CliError(
    `${organizationId} has no verified domain to send from. Add one with \`npx postrider domain add\`, or name a sender with --from.`,
  );
}

function draftOf(from: Address, to: Address, subject: HeaderText, text: string): Draft {
  return {
    ...ORDINARY,
    from: { address: from, name: null },
    to: [{ address: to, name: null }],
    content: { kind: 'inline', subject, html: null, text },
    metadata: { kind: 'operator_test' },
    trackOpens: false,
    trackClicks: 'off',
  };
}

function textAt({ operator, clock }: CommandContext): string {
  const time = new Date(clock.nowMs()).toISOString();
  return `This is a test mail. ${operator.user} sent it from ${operator.machine} at ${time} with \`postrider send\`.\n`;
}

/** The outcome, or the last event at the timeout; undefined without waiting. */
async function lastEvent(
  db: Database,
  organizationId: string,
  id: string,
  waitS: number,
  enough: AbortSignal,
): Promise<EventRow | undefined> {
  const until = performance.now() + waitS * 1_000;
  for (;;) {
    const events = waitS === 0 ? [] : await eventsOfEmail(db, organizationId, id);
    const final = events.find(({ type }) => FINAL.includes(type));
    if (final !== undefined || performance.now() >= until || enough.aborted) return final ?? events.at(-1);
    await sleep(CHECK_INTERVAL_MS);
  }
}

interface Sent {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly waitS: number;
}

function answerTo({ id, from, to, waitS }: Sent, last: EventRow | undefined): CommandAnswer {
  const status = last?.type ?? 'queued';
  const reply = last === undefined ? '' : serverReply(last);
  const json = { id, from, to, status, reason: last?.reason ?? null, reply: reply === '' ? null : reply };
  if (waitS === 0) return { json, lines: [`To see its events: npx postrider events --recipient ${to}`] };
  const said = reply === '' ? '' : ` ${last?.mx_host ?? 'The server'} said: ${printable(reply)}`;
  const why = last?.reason == null ? '' : ` (${last.reason})`;
  if (status === 'delivered') return { json, lines: [`Delivered.${said}`] };
  if (FINAL.includes(status))
    return { json, lines: [`Not delivered: ${status}${why}.${said}`], exitCode: EXIT_FAILED };
  return {
    json,
    lines: [
      `No outcome within ${waitS} s; so far: ${status}${why}.${said}`,
      `To see its events: npx postrider events --recipient ${to} --follow`,
    ],
    exitCode: EXIT_FAILED,
  };
}

/** Removes control characters, so that a server's text cannot move the terminal's cursor. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}

function addressOf(word: string, text: string): Address {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new CliError(`${word} ${parsed.message}.`, EXIT_USAGE);
  return parsed;
}

function subjectOf(text: string): HeaderText {
  if (text.length <= MAX_SUBJECT_CHARS && isHeaderText(text)) return text;
  throw new CliError(`--subject must be one line of at most ${MAX_SUBJECT_CHARS} characters.`, EXIT_USAGE);
}
