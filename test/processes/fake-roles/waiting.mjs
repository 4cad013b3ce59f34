// Stands in for a role that has loaded: says so, and says when it is told to go on.
import { waitForGo } from './go-ahead.mjs';

process.stdout.write(`waiting as ${process.pid}\n`);
const env = await waitForGo();
process.stdout.write(`told to go on with ${env.DATABASE_URL} and ${env.POSTRIDER_INBOUND_PORT}\n`);
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
process.on('message', (message) => message === 'retire' && process.exit(0));
process.send?.('ready');
