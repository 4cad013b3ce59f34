/** What is kept of a message that a server took, so that it can be proven later which one it was. */
import type { DkimEvidence, MessageEvidence } from '../../events/evidence.ts';
import type { ComposedMessage } from '../../kit/message/compose.ts';
import { sha256InTurns } from '../../kit/runtime/large-hash.ts';

/** As we write them (kit/message/dkim.ts): the signature comes last. */
const SIGNATURE =
  /^DKIM-Signature:.*?\bd=(?<domain>[^;\s]+);.*?\bs=(?<selector>[^;\s]+);.*\bb=(?<signature>[^;]+)$/s;

/**
 * Before it is sent: between the server's yes and the journal nothing may take time. Signatures that the message came with are
 * somebody else's, and whatever they liked to write: ours are those that signing put on top.
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
