// Stands in for the API: answers /readyz on POSTRIDER_PORT, and says who it and its supervisor's database are, and
// who is asking.
import { createServer } from 'node:http';
import { goAhead } from './go-ahead.mjs';

const env = await goAhead();
const server = createServer((request, response) => {
  if (request.url === '/readyz') response.end('ready');
  else {
    const { authorization } = request.headers;
    response.end(JSON.stringify({ pid: process.pid, databaseUrl: env.DATABASE_URL, authorization }));
  }
});
server.listen(Number(env.POSTRIDER_PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
