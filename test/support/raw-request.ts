/** Sends a request byte for byte, because HTTP clients would normalise it. */
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';

export async function rawRequest(app: FastifyInstance, request: string): Promise<string> {
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  const socket = connect(address.port, '127.0.0.1');
  socket.end(request);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
