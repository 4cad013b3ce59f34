/** Processor time in milliseconds, because on a busy machine elapsed time says little about the code. */
function once(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const TRIES = 3;
/** Cold caches and garbage collection caused by other work distort some tries, but not all. */
const MAX_TRIES = 20;

/** The best of three tries, or of up to MAX_TRIES while it exceeds `capMs`. A result over `capMs` is scaled to the usual speed. */
export function cpuMs(work: () => unknown, capMs = 0): number {
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES || (capMs > 0 && tries < MAX_TRIES); tries += 1) {
    best = Math.min(best, once(work));
    if (best <= capMs) break;
  }
  return best <= capMs ? best : best / slowness();
}

const REFERENCE_TEXT = JSON.stringify(Array.from({ length: 20_000 }, (_, i) => ({ name: `name ${i}`, i })));
/** The processor time of `reference` on an idle cloud machine with two cores. */
const REFERENCE_MS = 17;

function reference(): unknown {
  return JSON.parse(REFERENCE_TEXT)
    .map(({ name }: { name: string }) => name.replace(/\d/g, '#'))
    .sort()
    .join();
}

/** How much slower this machine is now than usual. Busy neighbours of a virtual machine also increase processor time. */
function slowness(): number {
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES; tries += 1) best = Math.min(best, once(reference));
  return Math.max(1, best / REFERENCE_MS);
}
