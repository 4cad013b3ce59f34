/** What `src/processes/wait-for-go.ts` does, for stand-ins that run without anything to translate TypeScript. */
export function waitForGo() {
  if (!process.argv.includes('--wait')) return process.env;
  return new Promise((resolve) => {
    process.once('disconnect', () => process.exit(0));
    process.once('message', (given) => resolve({ ...process.env, ...given }));
  });
}

/** What `src/runtime/inherited-sockets.ts` does, for the one socket there is. */
export function inheritedSocket() {
  return Number(process.argv.find((one) => one.startsWith('--socket='))?.replace(/.*=/, ''));
}

export function announceReady() {
  process.send?.('ready');
}
