/** The evidence that is stored about a message that a server accepted. */
import type { DkimEvidence, MessageEvidence } from '../../events/evidence.ts';
import type { ComposedMessage } from '../../protocols/message/compose.ts';
import { sha256InTurns } from '../../runtime/large-hash.ts';

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
