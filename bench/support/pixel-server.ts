/**
 * The reference for pixels: only the bare framework with the same 43 bytes and the same caching headers.
 * `node --import tsx pixel-server.ts PORT`
 */
import { fastify } from 'fastify';

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');
const HEADERS = {
  'Content-Type': 'image/gif',
  'Cache-Control': 'no-store, no-cache, must-revalidate, private, max-age=0',
  Pragma: 'no-cache',
  Expires: '0',
};

const app = fastify({ logger: false });
app.get('/t/o/*', (_request, reply) => {
  reply.headers(HEADERS).send(PIXEL);
});
app.get('/readyz', async () => ({ status: 'ready' }));
process.on('SIGTERM', () => process.exit(0));
await app.listen({ port: Number(process.argv[2]), host: '127.0.0.1' });
