/** A raw message as the response: for download, never for display. */
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';

const EXAMPLE = [
  'From: hello@sandbox.test',
  'To: ada@example.org',
  'Subject: Your receipt',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Thank you, Ada.',
  '',
].join('\r\n');

const rawMessage = Type.Unsafe<Buffer>({
  type: 'string',
  description: 'The message, byte for byte.',
  examples: [EXAMPLE],
});

/** The response of routes that return the source of a message. */
export const rawMessageResponse = {
  description: 'The source of the message',
  content: { 'text/plain': { schema: rawMessage } },
};

export function asFile(reply: FastifyReply, id: string, message: Buffer): Buffer {
  // Not message/rfc822: some browsers render that type, and third parties wrote the content.
  reply.type('text/plain; charset=utf-8');
  reply.header('Content-Disposition', `attachment; filename="${id}.eml"`);
  return message;
}
