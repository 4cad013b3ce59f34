/**
 * The reference for hostile bodies: the bare framework, which only parses the same JSON.
 * `node --import tsx bare-json-server.ts PORT`
 */
import { fastify } from 'fastify';

const [port] = process.argv.slice(2);
const app = fastify({ logger: false, bodyLimit: 20 * 1024 * 1024 });
app.post('/', async () => ({ data: {} }));
app.get('/healthz', async () => ({ status: 'ok' }));
app.get('/readyz', async () => ({ status: 'ready' }));
process.on('SIGTERM', () => process.exit(0));
await app.listen({ port: Number(port), host: '127.0.0.1' });
