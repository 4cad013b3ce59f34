/** Sends the corpus, waits until every mailbox has its mail, and says of each message what became of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dkimpy, startDkimpy } from '../support/dkimpy.ts';
import { MESSAGES, type Message, TEMPLATE } from './corpus.ts';
import { harmOfQueueId, harmOfScore, openDkimVerdict, queueIdOf, rspamdScore } from './filter-account.ts';
import { RECEIVER_DOMAIN, SENDER } from './hosts.ts';
import { harmOfMessage, type Sent } from './message-account.ts';
import { type Parser, startParser } from './parser.ts';
import type { EmailEvent, Postrider } from './postrider.ts';
import type { Receiver } from './receiver.ts';
import type { Row } from './report.ts';

const ARRIVED_WITHIN_MS = 180_000;
export const MESSAGE_COLUMNS = [
  'message',
  'arrived',
  'queue id',
  'OpenDKIM',
  'dkimpy',
  'SPF DMARC',
  'score',
  'parts',
];

const at = (name: string): string => `${name}@${RECEIVER_DOMAIN}`;
const toOf = ({ to }: Message, index: number): string => at(to ?? `message${index + 1}`);

/** Everybody who gets a message of the corpus. */
export function mailboxesOfCorpus(): string[] {
  return MESSAGES.flatMap((message, i) => [
    toOf(message, i),
    ...[message.cc, message.bcc].flatMap((name) => (name === undefined ? [] : [at(name)])),
  ]);
}

interface Tools {
  readonly postrider: Postrider;
  readonly receiver: Receiver;
  readonly parser: Parser;
  readonly dkimpy: Dkimpy | null;
  readonly hasScores: boolean;
}

export async function deliverMessages(
  postrider: Postrider,
  receiver: Receiver,
  { dnsPort, hasScores }: { readonly dnsPort: number; readonly hasScores: boolean },
): Promise<Row[]> {
  const all: Sent[] = [];
  for (const [i, message] of MESSAGES.entries()) all.push(await send(postrider, message, toOf(message, i)));
  await arrived(receiver);
  const tools: Tools = {
    postrider,
    receiver,
    hasScores,
    parser: startParser(),
    dkimpy: startDkimpy(dnsPort),
  };
  try {
    const rows: Row[] = [];
    for (const sent of all) rows.push(await account(sent, tools));
    return rows;
  } finally {
    tools.parser.stop();
    tools.dkimpy?.stop();
  }
}

async function send(postrider: Postrider, message: Message, to: string): Promise<Sent> {
  const { body, fromName, toName, templateData, inSeconds = 0 } = message;
  const { text, html, ...rest } = body;
  const [cc, bcc] = [message.cc, message.bcc].map((name) => (name === undefined ? null : at(name)));
  const notBefore = new Date(Date.now() + inSeconds * 1_000);
  const emailId = await postrider.send({
    ...(templateData === undefined
      ? body
      : {
          ...rest,
          subject: TEMPLATE.subject,
          template_id: postrider.templateId,
          template_data: templateData,
        }),
    from: { email: SENDER, ...(fromName === undefined ? {} : { name: fromName }) },
    to: [{ email: to, ...(toName === undefined ? {} : { name: toName }) }],
    ...(cc == null ? {} : { cc: [{ email: cc }] }),
    ...(bcc == null ? {} : { bcc: [{ email: bcc }] }),
    ...(inSeconds === 0 ? {} : { scheduled_at: notBefore.toISOString() }),
  });
  return { message, to, cc: cc ?? null, bcc: bcc ?? null, emailId, notBefore };
}

/** Until the receiver's log has all of them in their mailboxes; what is missing then is told by the account. */
async function arrived(receiver: Receiver): Promise<void> {
  const deadline = performance.now() + ARRIVED_WITHIN_MS;
  const mailboxes = mailboxesOfCorpus();
  for (;;) {
    const log = receiver.log();
    if (mailboxes.every((address) => queueIdOf(address, log) !== undefined)) return;
    if (performance.now() > deadline) return;
    await sleep(200);
  }
}

async function account(sent: Sent, tools: Tools): Promise<Row> {
  const recipients = [sent.to, sent.cc, sent.bcc].filter((one) => one !== null);
  const events = await eventsOf(sent.emailId, recipients.length, tools.postrider);
  const log = tools.receiver.log();
  const queueIds = recipients.flatMap((one) => harmOfQueueId(one, sent.emailId, events, log) ?? []);
  const copies = recipients.map((one) => tools.receiver.mailbox(one));
  const strays = copies.flatMap((some, i) =>
    some.length === 1 ? [] : [`${recipients[i]} got ${some.length} copies`],
  );
  const seen = await Promise.all(copies.flat().map((copy) => look(copy, sent, tools)));
  const [first] = seen;
  return {
    cells: [
      sent.message.name,
      `${copies.flat().length}/${recipients.length}`,
      queueIds.length === 0 ? 'equal' : 'NOT',
      first?.openDkim ?? '-',
      first?.dkimpy ?? '-',
      first?.aligned ?? '-',
      first?.score ?? '-',
      seen.every(({ harm }) => harm.length === 0) ? `${first?.parts ?? 0} equal` : 'NOT',
    ],
    problems: [...strays, ...queueIds, ...seen.flatMap(({ harm, filtered }) => [...harm, ...filtered])],
  };
}

/** The log may be ahead of what is recorded. */
async function eventsOf(
  emailId: string,
  recipients: number,
  postrider: Postrider,
): Promise<readonly EmailEvent[]> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    const { events } = await postrider.get<{ events: EmailEvent[] }>(`/emails/${emailId}`);
    const delivered = events.filter(({ type }) => type === 'delivered').length;
    if (delivered === recipients || performance.now() > deadline) return events;
    await sleep(200);
  }
}

async function look(copy: Buffer, sent: Sent, { parser, dkimpy, hasScores }: Tools) {
  const parsed = await parser.parse(copy);
  const openDkim = openDkimVerdict(parsed);
  const score = rspamdScore(parsed);
  // A mailbox has lines as this system writes them; signatures are over lines as they travel.
  const wire = Buffer.from(copy.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
  const byDkimpy = dkimpy === null ? 'not here' : await dkimpy.verdict(wire);
  const missing = score?.missing ?? [];
  return {
    openDkim,
    dkimpy: byDkimpy,
    aligned: score === null ? '-' : missing.length === 0 ? 'pass' : `no ${missing.join()}`,
    score: score === null ? '-' : score.score.toFixed(2),
    parts: parsed.parts.length,
    harm: harmOfMessage(sent, parsed),
    filtered: [
      ...(openDkim === 'pass' ? [] : [`OpenDKIM says ${openDkim}`]),
      ...(byDkimpy === 'fail' ? ['dkimpy says fail'] : []),
      ...(hasScores && score === null ? ['rspamd wrote nothing into it'] : []),
      ...(score === null ? [] : harmOfScore(score, sent.message.unjust ?? [])),
    ],
  };
}
