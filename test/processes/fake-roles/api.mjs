// Stands in for the API: listens on the socket it was given, says who it and its supervisor's database are, and who is
// asking.
import { createServer } from 'node:http';
import { announceReady, inheritedSocket, waitForGo } from './go-ahead.mjs';

const env = await waitForGo();
const server = createServer((request, response) => {
  const { authorization } = request.headers;
  // Over connections that nobody keeps it can end at any time.
  response
    .setHeader('connection', 'close')
    .end(JSON.stringify({ pid: process.pid, databaseUrl: env.DATABASE_URL, authorization }));
});
server.listen({ fd: inheritedSocket() }, announceReady);
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
process.on('message', (message) => message === 'retire' && server.close(() => process.exit(0)));
