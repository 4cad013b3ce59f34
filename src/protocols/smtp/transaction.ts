/** Sends one message to one recipient over a connection that is ready for MAIL. */

import { inTurns } from '../../runtime/sliced-work.ts';
import type { Capabilities } from './capabilities.ts';
import { mailCommand, rcptCommand } from './commands.ts';
import { type DataBytes, dotStuffing } from './dot-stuffing.ts';
import type { Envelope, MayEnd, SmtpFinding } from './facts.ts';
import { command, expect, isFinding, type Link, plainReply } from './link.ts';
import type { ParsedReply } from './reply-parser.ts';

interface Job {
  readonly envelope: Envelope;
  readonly wire: Buffer;
  readonly offered: Capabilities;
  /** The connection is encrypted, and the server's identity was verified. */
  readonly isVerified: boolean;
  /** An earlier transaction was refused halfway and is still open on the server. */
  readonly resetFirst: boolean;
  readonly quitAfter: boolean;
  readonly mayEnd: MayEnd;
}

interface TransactionResult {
  readonly finding: SmtpFinding;
  /** The connection can carry another message. */
  readonly usable: boolean;
  readonly transactionOpen: boolean;
  /** The server disconnected before it answered the first command. */
  readonly unheard: boolean;
  readonly quitSent: boolean;
}

/** The refusals of a pipelined group; null where the server accepted. */
interface GroupAnswers {
  readonly mail: SmtpFinding | null;
  readonly rcpt: SmtpFinding | null;
  readonly data: SmtpFinding | null;
}

const BODY_BLOCK_BYTES = 64 * 1024;
const FINAL_DOT = Buffer.from('.\r\n');
const FINAL_DOT_AND_QUIT = Buffer.from('.\r\nQUIT\r\n');

export async function transact(link: Link, job: Job): Promise<TransactionResult> {
  const misfit = checkAbilities(job);
  if (misfit !== null) return over(misfit, { usable: true, transactionOpen: job.resetFirst });
  link.channel.beginMessage();
  const data = await inTurns(dotStuffing(job.wire));
  const refusal = job.offered.pipelining
    ? await announceAtOnce(link, job, data)
    : await announceInSteps(link, job, data);
  return refusal ?? (await sendBody(link, job, data));
}

function checkAbilities({ envelope, offered, isVerified, wire }: Job): SmtpFinding | null {
  if (envelope.tls === 'required') {
    if (!isVerified)
      return { kind: 'local', problem: 'server_unproven', detail: 'the server is not verified' };
    if (!offered.requireTls)
      return { kind: 'local', problem: 'requiretls_not_offered', detail: 'no REQUIRETLS in EHLO' };
  }
  if (envelope.smtpUtf8 && !offered.smtpUtf8) {
    return { kind: 'local', problem: 'smtputf8_unsupported', detail: 'no SMTPUTF8 in EHLO' };
  }
  if (offered.maxSize !== null && wire.length > offered.maxSize) {
    const detail = `${wire.length} bytes, and the server takes ${offered.maxSize}`;
    return { kind: 'local', problem: 'too_large', detail };
  }
  return null;
}

/** Sends MAIL, RCPT and DATA in one write; null when the server is ready for the body. */
async function announceAtOnce(link: Link, job: Job, data: DataBytes): Promise<TransactionResult | null> {
  const mail = mailCommand(job.envelope, job.offered, data.bytes.length, data.eightBit);
  const rcpt = rcptCommand(job.envelope);
  if (job.resetFirst) link.transcript.sent('RSET');
  link.transcript.sent(mail);
  link.transcript.sent(rcpt);
  link.transcript.sent('DATA');
  link.channel.write(`${job.resetFirst ? 'RSET\r\n' : ''}${mail}\r\n${rcpt}\r\nDATA\r\n`);
  const reset = job.resetFirst ? await expect(link, 'mail', 2, link.deadlines.mailMs) : null;
  if (reset !== null && isFinding(reset)) return afterReset(reset);
  return await settleGroup(link, await readGroup(link), job.resetFirst);
}

/** Reads the reply to every command of the group, unless the conversation ends first. */
async function readGroup(link: Link): Promise<GroupAnswers> {
  const { mailMs, rcptMs, dataMs, epilogueMs } = link.deadlines;
  const mail = refusalIn(await expect(link, 'mail', 2, mailMs));
  if (mail !== null && endsConversation(mail)) return { mail, rcpt: null, data: null };
  const rcpt = refusalIn(await expect(link, 'rcpt', 2, mail === null ? rcptMs : epilogueMs));
  if (rcpt !== null && endsConversation(rcpt)) return { mail, rcpt, data: null };
  const refused = mail !== null || rcpt !== null;
  return { mail, rcpt, data: refusalIn(await expect(link, 'data', 3, refused ? epilogueMs : dataMs)) };
}

/** The combined result of a pipelined group; null when all three were accepted. The first refusal counts. */
async function settleGroup(
  link: Link,
  { mail, rcpt, data }: GroupAnswers,
  heardBefore: boolean,
): Promise<TransactionResult | null> {
  const finding = mail ?? rcpt ?? data;
  if (finding === null) return null;
  const unheard = mail !== null && !heardBefore && isGone(mail);
  for (const answer of [mail, rcpt, data]) {
    if (answer !== null && endsConversation(answer)) return over(finding, { unheard });
  }
  if (data !== null) return over(finding, { usable: true, transactionOpen: mail === null });
  // 354 after a refusal: the server expects a body without a recipient and gets an empty one. If it accepted
  // the recipient but refused the sender, an empty body might be delivered, so the connection is closed
  // instead.
  return over(finding, { usable: rcpt !== null && (await endEmptyBody(link)) });
}

async function endEmptyBody(link: Link): Promise<boolean> {
  link.transcript.sent('.');
  link.channel.write('.\r\n');
  const answer = refusalIn(await expect(link, 'dot', 2, link.deadlines.epilogueMs));
  return answer === null || !endsConversation(answer);
}

async function announceInSteps(link: Link, job: Job, data: DataBytes): Promise<TransactionResult | null> {
  const { mailMs, rcptMs, dataMs } = link.deadlines;
  if (job.resetFirst) {
    const reset = await command(link, 'mail', 'RSET', 2, mailMs);
    if (isFinding(reset)) return afterReset(reset);
  }
  const line = mailCommand(job.envelope, job.offered, data.bytes.length, data.eightBit);
  const mail = await command(link, 'mail', line, 2, mailMs);
  if (isFinding(mail)) return refusedStep(mail, false, !job.resetFirst && isGone(mail));
  const rcpt = await command(link, 'rcpt', rcptCommand(job.envelope), 2, rcptMs);
  if (isFinding(rcpt)) return refusedStep(rcpt, true, false);
  const go = await command(link, 'data', 'DATA', 3, dataMs);
  return isFinding(go) ? refusedStep(go, true, false) : null;
}

function refusedStep(finding: SmtpFinding, transactionOpen: boolean, unheard: boolean): TransactionResult {
  if (endsConversation(finding)) return over(finding, { unheard });
  return over(finding, { usable: true, transactionOpen });
}

/** A server that refuses RSET has given up this connection; nothing was sent for this message yet. */
function afterReset(finding: SmtpFinding): TransactionResult {
  return over(finding, { unheard: finding.kind === 'refused' || isGone(finding) });
}

/** An aborted message was never handed over; nothing more about it is sent. */
const CALLED_OFF = {
  kind: 'broken',
  phase: 'body',
  failure: 'stopped',
  detail: 'called off before the final dot',
  afterDot: false,
} as const;

async function sendBody(link: Link, job: Job, { bytes }: DataBytes): Promise<TransactionResult> {
  const quitSent = job.quitAfter && job.offered.pipelining;
  link.transcript.sent(`(message, ${bytes.length} bytes)`);
  // A small message is sent together with its dot. A larger one is fully sent before its dot, so that the dot
  // is not queued behind data for a server that does not read, and sent after an abort.
  const isSmall = bytes.length <= BODY_BLOCK_BYTES;
  const cutShort = await sendBlocks(link, isSmall ? bytes.subarray(0, 0) : bytes);
  if (cutShort !== null) return over(cutShort, {});
  if (!job.mayEnd()) return over(CALLED_OFF, {});
  const dot = quitSent ? FINAL_DOT_AND_QUIT : FINAL_DOT;
  link.channel.spare();
  link.channel.writeParts(isSmall ? [bytes, dot] : [dot]);
  const answer = await link.cutOff.awaitReply(expect(link, 'dot', 2, link.deadlines.dotMs, true));
  if (!isFinding(answer)) {
    return over({ kind: 'accepted', reply: plainReply(answer) }, { usable: link.channel.isOpen, quitSent });
  }
  return over(answer, { usable: !endsConversation(answer), quitSent });
}

/** Sends a large message in blocks, to watch the progress. A reply before the dot is final. */
async function sendBlocks(link: Link, bytes: Buffer): Promise<SmtpFinding | null> {
  const { bodyBlockMs, bodyTotalMs } = link.deadlines;
  const tooLong = {
    failure: 'timeout',
    detail: `the message did not leave within ${bodyTotalMs / 1000} s`,
  } as const;
  const guard = setTimeout(() => link.channel.destroy(tooLong), bodyTotalMs);
  try {
    for (let at = 0; at < bytes.length && !link.channel.hasUntakenReply; at += BODY_BLOCK_BYTES) {
      if (await link.channel.writeAndFlush(bytes.subarray(at, at + BODY_BLOCK_BYTES), bodyBlockMs)) break;
    }
  } finally {
    clearTimeout(guard);
  }
  if (link.channel.isOpen && !link.channel.hasUntakenReply) return null;
  const early = await expect(link, 'body', 2, link.deadlines.epilogueMs);
  if (isFinding(early)) return early;
  const detail = `${early.code} before the message was complete`;
  return { kind: 'broken', phase: 'body', failure: 'garbage', detail, afterDot: false };
}

function refusalIn(answer: ParsedReply | SmtpFinding): SmtpFinding | null {
  return isFinding(answer) ? answer : null;
}

function endsConversation(finding: SmtpFinding): boolean {
  return finding.kind === 'broken' || (finding.kind === 'refused' && finding.reply.code === 421);
}

/** Hung up, or hanging up, as servers do with connections that rested too long. */
function isGone(finding: SmtpFinding): boolean {
  if (finding.kind === 'broken') return finding.failure === 'closed' || finding.failure === 'reset';
  return finding.kind === 'refused' && finding.reply.code === 421;
}

function over(finding: SmtpFinding, result: Partial<Omit<TransactionResult, 'finding'>>): TransactionResult {
  return { finding, usable: false, transactionOpen: false, unheard: false, quitSent: false, ...result };
}
