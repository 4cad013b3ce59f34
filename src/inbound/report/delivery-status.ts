/** `message/delivery-status` and its UTF-8 sister: one block about the message, then one for each recipient. */
import { type Fields, readFields } from '../../protocols/message/reading/fields.ts';
import { plainLine } from './plain-line.ts';
import { findStatus, type QuotedReply, readReply } from './reply-words.ts';
import type { DeliveryReport, ReportAction } from './report.ts';
import { readAddress, readHost, splitType } from './typed-values.ts';

const MAX_BLOCKS = 500;
const ACTIONS: readonly ReportAction[] = ['failed', 'delayed', 'delivered', 'relayed', 'expanded'];
const NO_REPLY: QuotedReply = { smtpCode: null, status: null, text: '' };

/** The most important recipient's block; null if no block is about a recipient. */
export function readDeliveryStatus(bytes: Buffer): DeliveryReport | null {
  let best: DeliveryReport | null = null;
  let reporter: string | null = null;
  let at = 0;
  for (let blocks = 0; at < bytes.length && blocks < MAX_BLOCKS; blocks++) {
    const block = readFields(bytes, at, bytes.length);
    const report = readRecipient(block.fields);
    reporter ??= readHost(block.fields.get('reporting-mta'));
    if (report !== null && (best === null || rank(report) < rank(best))) best = report;
    if (best?.action === 'failed') break;
    at = block.next;
  }
  return best === null ? null : { ...best, reporter };
}

function rank(report: DeliveryReport): number {
  return report.action === 'failed' ? 0 : report.action === 'delayed' ? 1 : 2;
}

/** Some servers omit the empty line after the message's block, so any block may contain a recipient. */
function readRecipient(fields: Fields): DeliveryReport | null {
  const stated = findStatus((fields.get('status') ?? '').slice(0, 100));
  const reply = readDiagnostic(fields.get('diagnostic-code'));
  const action = readAction(fields.get('action'), stated ?? reply.status);
  if (action === null) return null;
  return {
    kind: 'delivery_report',
    action,
    status: moreExact(stated, reply.status),
    smtpCode: reply.smtpCode,
    diagnostic: reply.text || null,
    remoteHost: readHost(fields.get('remote-mta')),
    reporter: null,
    recipient: readAddress(fields.get('original-recipient')) ?? readAddress(fields.get('final-recipient')),
  };
}

/** Unknown and missing actions follow from the class of the status. */
function readAction(value: string | undefined, status: string | null): ReportAction | null {
  const word = /^[a-z]+/.exec(plainLine(value ?? '', 40).toLowerCase())?.[0];
  const known = ACTIONS.find((action) => action === word);
  if (known !== undefined) return known;
  if (status === null) return null;
  return status.startsWith('5') ? 'failed' : status.startsWith('4') ? 'delayed' : 'delivered';
}

/** `smtp; 550 …`, `x-postfix; …`, or plain text. Some servers put an inner server's comment in front: `[host] #…`. */
function readDiagnostic(value: string | undefined): QuotedReply {
  if (value === undefined) return NO_REPLY;
  return readReply(splitType(value).rest);
}

/** `5.0.0` only means "failed": the remote server's own code of the same class is more specific. */
export function moreExact(stated: string | null, quoted: string | null): string | null {
  if (stated === null) return quoted;
  const isVague = stated.endsWith('.0.0');
  return isVague && quoted !== null && quoted[0] === stated[0] ? quoted : stated;
}
