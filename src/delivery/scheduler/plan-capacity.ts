/** How much mail to claim for a routed site. */
import type { LocalSite } from './local-site.ts';
import type { DestinationSite, RoutePlan } from './site.ts';

/** The remaining room of sites that several plans lead to, in one pass over the queue. */
export type LeftOver = Map<LocalSite, number>;

/**
 * The room of the sites that the mail would go to now: for each rule, the sites of the first step with a site that is not
 * blocked. Other plans may lead to the same relay, so no plan gets all of a site's room.
 */
export function planCapacity(
  { sitesByRule }: RoutePlan,
  localOf: (site: DestinationSite) => LocalSite,
  left: LeftOver,
  nowMs: number,
  tight: boolean,
): number {
  const used = new Set(
    sitesByRule.flatMap((steps) =>
      stepInUse(
        steps.map((step) => step.map(localOf)),
        nowMs,
      ),
    ),
  );
  let room = 0;
  for (const local of used) {
    const free = left.get(local) ?? local.room(nowMs, tight);
    const part = Math.ceil(free / 2);
    left.set(local, free - part);
    room += part;
  }
  return room;
}

function stepInUse(steps: readonly (readonly LocalSite[])[], nowMs: number): readonly LocalSite[] {
  const inUse = steps.find((step) => step.some((local) => local.availability(nowMs).kind !== 'blocked'));
  return inUse ?? steps.flat();
}
