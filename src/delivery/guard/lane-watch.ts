/**
 * Which lane of mail has left what is usual for it: one template version (or one sender's domain, for mail without a template)
 * in one stream, to one provider, whose mail begins to be refused while the rest of the organization's mail to that provider is not. Pure.
 *
 * For each lane a cumulative sum is kept (Page's CUSUM): a refusal adds to it, an acceptance takes from it, each by how much
 * likelier it is if most of the lane is refused than if no more of it is than usual. It is zero while all is well, whatever went
 * before. Where it reaches ALARM, no more than one in e^ALARM lanes that are well would get there.
 */
import { BoundedMap } from '../../kit/runtime/bounded-map.ts';

export interface GuardedLane {
  readonly organizationId: string;
  readonly provider: string;
  /** Tells the lanes of an organization to one provider apart. */
  readonly name: string;
}

interface Usual {
  refused: number;
  decided: number;
}

/** e^25 is 7 · 10^10: not once in a million lanes with a million mails each. */
const ALARM = 25;
/** What is taken for usual while little is known: one in ten of fifty. */
const PRIOR: Usual = { refused: 5, decided: 50 };
/** What was long ago counts less and less: the last few thousand count. */
const KEPT_DECIDED = 5_000;
const LEAST_USUAL = 0.01;
const MOST_USUAL = 0.6;
/** A lane that has gone bad has most of its mail refused. */
const LEAST_BAD = 0.5;
const MAX_LANES = 20_000;
const MAX_USUALS = 20_000;

export class LaneWatch {
  readonly #sums = new BoundedMap<string, number>(MAX_LANES);
  readonly #usuals = new BoundedMap<string, Usual>(MAX_USUALS);

  /** Whether the lane has left what is usual, by this mail. It is watched from zero then. */
  note(lane: GuardedLane, isRefused: boolean): boolean {
    const usual = this.#usualOf(lane);
    const key = `${lane.organizationId} ${lane.provider} ${lane.name}`;
    const sum = Math.max(0, (this.#sums.get(key) ?? 0) + evidence(rateOf(usual), isRefused));
    const isAlarm = sum >= ALARM;
    this.#sums.set(key, isAlarm ? 0 : sum);
    count(usual, isRefused);
    return isAlarm;
  }

  /** Of the organization's mail to the provider, whatever lane it is of. */
  #usualOf({ organizationId, provider }: GuardedLane): Usual {
    const key = `${organizationId} ${provider}`;
    const known = this.#usuals.get(key);
    if (known !== undefined) return known;
    const usual = { ...PRIOR };
    this.#usuals.set(key, usual);
    return usual;
  }
}

/** How many refusals in a row, where nothing is refused usually, and where little is known, are at most let through. */
export const MOST_LET_THROUGH = 16;

/** The logarithm of how much likelier it is in a lane that has gone bad. */
function evidence(usual: number, isRefused: boolean): number {
  const bad = Math.max(LEAST_BAD, Math.min(0.95, 3 * usual));
  return isRefused ? Math.log(bad / usual) : Math.log((1 - bad) / (1 - usual));
}

function rateOf({ refused, decided }: Usual): number {
  return Math.min(MOST_USUAL, Math.max(LEAST_USUAL, refused / decided));
}

function count(usual: Usual, isRefused: boolean): void {
  usual.decided += 1;
  if (isRefused) usual.refused += 1;
  if (usual.decided < 2 * KEPT_DECIDED) return;
  usual.decided /= 2;
  usual.refused /= 2;
}
