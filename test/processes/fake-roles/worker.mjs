// Stands in for a worker: says that it runs, and answers when it is asked for its numbers.
import { waitForGo } from './go-ahead.mjs';

await waitForGo();
process.on('message', ({ metricsAsked }) => {
  const text = '# HELP mails Mails.\n# TYPE mails gauge\nmails{role="worker"} 7\n';
  process.send({ metricsOf: metricsAsked, text });
});
process.stdout.write('a worker runs\n');
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
process.on('message', (message) => message === 'retire' && process.exit(0));
setInterval(() => undefined, 60_000);
process.send?.('ready');
