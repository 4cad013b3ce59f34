/**
 * The reference for receiving reports: smtp-server with one INSERT of the raw message before each 250. It parses no message.
 * `bare-receiver-process.ts DATABASE_URL`; prints its port.
 */
import pg from 'pg';
import { SMTPServer } from 'smtp-server';

const [url] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 10 });
await pool.query('CREATE TABLE IF NOT EXISTS bench_reports (id bigserial PRIMARY KEY, rcpt text, raw bytea)');
const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  noDelay: true,
  logger: false,
  onData(stream, session, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const to = session.envelope.rcptTo[0]?.address ?? '';
      pool
        .query({
          name: 'insert',
          text: 'INSERT INTO bench_reports (rcpt, raw) VALUES ($1, $2)',
          values: [to, Buffer.concat(chunks)],
        })
        .then(
          () => done(),
          (error: Error) => done(error),
        );
    });
  },
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.server.address() as { port: number }).port}\n`);
});
