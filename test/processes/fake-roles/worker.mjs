// Stands in for a worker: says that it runs, and where it would show its numbers.
process.stdout.write(`a worker with metrics on ${process.env.POSTRIDER_WORKER_METRICS_PORT}\n`);
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
setInterval(() => undefined, 60_000);
