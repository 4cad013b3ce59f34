// Stands in for a worker that does not end when asked to, and ends only when its supervisor is gone or kills it.
process.on('SIGTERM', () => undefined);
process.on('disconnect', () => process.exit(0));
setInterval(() => undefined, 60_000);
process.send?.('ready');
