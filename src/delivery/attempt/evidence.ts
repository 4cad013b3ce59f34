/** What is kept of a message that a server took, so that it can be proven later which one it was. */
import { hash, webcrypto } from 'node:crypto';
import type { MessageEvidence } from '../../events/evidence.ts';
import type { ComposedMessage } from '../../kit/message/compose.ts';

/** Longer ones are hashed on the thread pool: here they would hold up everybody's mail. */
const SMALL = 128 * 1024;
/** As we write them (kit/message/dkim.ts): the signature comes last. */
const SIGNATURE =
  /^DKIM-Signature:.*?\bd=(?<domain>[^;\s]+);.*?\bs=(?<selector>[^;\s]+);.*\bb=(?<signature>[^;]+)$/s;

/** Before it is sent: between the server's yes and the journal nothing may take time. */
export async function evidenceOf({ headers }: ComposedMessage, wire: Buffer): Promise<MessageEvidence> {
  return {
    sha256: wire.length <= SMALL ? hash('sha256', wire) : await hashOnPool(wire),
    size: wire.length,
    dkim: headers.flatMap((line) => {
      if (!line.startsWith('DKIM-Signature:')) return [];
      const { domain = '', selector = '', signature = '' } = SIGNATURE.exec(line)?.groups ?? {};
      return [{ domain, selector, signature: signature.replace(/\s+/g, '') }];
    }),
  };
}

async function hashOnPool(wire: Buffer): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', wire)).toString('hex');
}
