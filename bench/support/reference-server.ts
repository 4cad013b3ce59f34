/**
 * The reference for accepting: the bare framework, the same JSON body, and one multi-row durable insert per flush. It validates
 * nothing, has no organizations, and stores one row per email. The difference is the cost of Postrider's further work.
 * `node --import tsx reference-server.ts PORT DATABASE_URL`
 */
import { randomUUID } from 'node:crypto';
import { fastify } from 'fastify';
import pg from 'pg';
import { Batcher } from '../../src/runtime/work-loop/batcher.ts';

const [port, url] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url ?? '', max: 4 });
await pool.query('CREATE TABLE IF NOT EXISTS reference (id uuid PRIMARY KEY, body text NOT NULL)');

const insert = 'INSERT INTO reference (id, body) SELECT * FROM unnest($1::uuid[], $2::text[])';
const batcher = new Batcher<{ id: string; body: string }, null>({
  maxBatchItems: 250,
  maxQueuedItems: 5_000,
  flush: async (items) => {
    const values = [items.map((item) => item.id), items.map((item) => item.body)];
    await pool.query({ name: 'insert', text: insert, values });
    return items.map(() => null);
  },
});

const app = fastify({ logger: false });
app.post('/', async (request, reply) => {
  const id = randomUUID();
  const { html } = request.body as { html: string };
  await batcher.add({ id, body: html });
  reply.code(201);
  return { data: { message_id: id, status: 'queued', queued_at: new Date() } };
});
app.get('/readyz', async () => ({ status: 'ready' }));
process.on('SIGTERM', () => process.exit(0));
await app.listen({ port: Number(port), host: '127.0.0.1' });
