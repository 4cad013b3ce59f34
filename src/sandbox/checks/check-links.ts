/** Asks where the links of a message lead: a few at a time, and all of them in bounded time. */
import type { ProbedLink, ProbeLink } from '../../kit/fetch/probe-link.ts';
import type { MessageLink } from './links.ts';

export interface CheckedLink extends MessageLink, ProbedLink {}

const AT_ONCE = 8;
const EACH_MS = 5_000;
const ALL_MS = 25_000;

export async function checkLinks(links: readonly MessageLink[], probe: ProbeLink): Promise<CheckedLink[]> {
  const all = AbortSignal.timeout(ALL_MS);
  const checked: CheckedLink[] = [];
  const waiting = links.entries();
  const work = async () => {
    for (const [place, link] of waiting) {
      const result = await probe(link.url, AbortSignal.any([all, AbortSignal.timeout(EACH_MS)]));
      checked[place] = { ...link, ...result };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return checked;
}
