/** What `src/processes/go-ahead.ts` does, for stand-ins that run without anything to translate TypeScript. */
export function goAhead() {
  if (!process.argv.includes('--wait')) return process.env;
  return new Promise((resolve) => {
    process.once('disconnect', () => process.exit(0));
    process.once('message', (given) => resolve({ ...process.env, ...given }));
  });
}
