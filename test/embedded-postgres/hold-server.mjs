/** Starts the embedded PostgreSQL of a data folder, prints where it is, and stays until it is killed. */
import { startEmbeddedPostgres } from '../../dist/database/embedded-postgres.js';

const [dataDir = ''] = process.argv.slice(2);
const { pid, port, url } = await startEmbeddedPostgres({ dataDir, log: () => undefined });
process.stdout.write(`${JSON.stringify({ pid, port, url })}\n`);
setInterval(() => undefined, 60_000);
