/** Composes and signs the message of a delivery: as submitted and, only for a server that needs it, in ASCII. */
import type { DeliverableEmail } from '../../emails/store-delivery.ts';
import type { DkimEvidence, MessageEvidence } from '../../events/evidence.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import { type ComposedMessage, writingWire } from '../../protocols/message/compose.ts';
import type { Envelope, SmtpFacts } from '../../protocols/smtp/facts.ts';
import { sha256InTurns } from '../../runtime/large-hash.ts';
import { inTurns } from '../../runtime/sliced-work.ts';
import type { Utf8Address } from '../facts.ts';
import {
  composeDelivery,
  type Form,
  type LinkMaker,
  linksFor,
  type ReturnPaths,
  returnPathFor,
} from './compose.ts';
import type { Signer } from './signing.ts';

export interface OutgoingMessage {
  readonly envelope: Envelope;
  readonly wire: Buffer;
  readonly evidence: MessageEvidence;
  /** The address that needs a server with SMTPUTF8. */
  readonly utf8Address: Utf8Address | null;
  /** Makes the message for a server without SMTPUTF8; null where the own form needs no SMTPUTF8, or no ASCII form exists. */
  readonly inAscii: (() => Promise<OutgoingMessage>) | null;
}

export interface OutgoingDeps {
  readonly returnPath: ReturnPaths;
  readonly links: LinkMaker;
  readonly sign: Signer;
}

export async function writeMessage(
  deps: OutgoingDeps,
  delivery: ClaimedDelivery,
  email: DeliverableEmail,
): Promise<OutgoingMessage> {
  const returnPath = await returnPathFor(email, deps.returnPath);
  const links = await linksFor(email, delivery, deps.links);
  const write = async (form: Form): Promise<OutgoingMessage> => {
    const composed = await inTurns(composeDelivery(delivery, email, returnPath, links, form));
    const { fromDomain, message, dateMs, envelope, utf8Address, hasAsciiForm } = composed;
    const signed = await deps.sign(fromDomain, delivery, message, dateMs);
    const wire = await inTurns(writingWire(signed));
    return {
      envelope,
      wire,
      evidence: await evidenceOf(message, signed, wire),
      utf8Address,
      inAscii: hasAsciiForm ? () => write('ascii') : null,
    };
  };
  return write('own');
}

/** Whether the server only lacks SMTPUTF8. Then nothing was sent to the server yet. */
export function wantsAscii(facts: SmtpFacts): boolean {
  return facts.kind === 'local' && facts.problem === 'smtputf8_unsupported';
}

/** A DKIM-Signature as protocols/message/dkim.ts writes it: `b=` comes last. */
const SIGNATURE =
  /^DKIM-Signature:.*?\bd=(?<domain>[^;\s]+);.*?\bs=(?<selector>[^;\s]+);.*\bb=(?<signature>[^;]+)$/s;

/**
 * Computed before sending, because nothing may delay the journal after the server has accepted the message. Only signatures that
 * we added on top count, because the signatures of a submitted message are untrusted.
 */
export async function evidenceOf(
  unsigned: ComposedMessage,
  { headers }: ComposedMessage,
  wire: Buffer,
): Promise<MessageEvidence> {
  const ours = headers.slice(0, headers.length - unsigned.headers.length);
  return {
    sha256: await sha256InTurns(wire, 'hex'),
    size: wire.length,
    dkim: ours.map(signatureIn),
  };
}

function signatureIn(field: string): DkimEvidence {
  const { domain = '', selector = '', signature = '' } = SIGNATURE.exec(field)?.groups ?? {};
  return { domain, selector, signature: signature.replace(/\s+/g, '') };
}
