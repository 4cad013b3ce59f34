/** How much mail to claim that may go several ways. */
import type { LocalSite } from './local-site.ts';
import type { RoutePlan, Site } from './site.ts';

/** Of one look at the queue: what is left of sites that several plans lead to. */
export type LeftOver = Map<LocalSite, number>;

/**
 * As much as the sites have room for that its mail would go to now: of each rule the first step that is not set aside as a
 * whole. Other plans may lead to the same relay, and have mail for it, too: so none gets all of its room.
 */
export function planRoom(
  { ways }: RoutePlan,
  localOf: (site: Site) => LocalSite,
  left: LeftOver,
  nowMs: number,
  tight: boolean,
): number {
  const used = new Set(
    ways.flatMap((steps) =>
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
  const inUse = steps.find((step) => step.some((local) => local.outlook(nowMs).kind !== 'aside'));
  return inUse ?? steps.flat();
}
