/**
 * Finds the lane of mail whose emails are suddenly refused while other mail of the organization to the same provider does well. A
 * lane is one template version (or one sender's domain, for mail without a template) in one stream, to one provider. Pure.
 *
 * For each lane a cumulative sum is kept (Page's CUSUM): a refusal adds to it, an acceptance takes from it, each by how much
 * likelier it is in a lane that is mostly refused than in one that is refused as rarely as the others. The sum is zero while all
 * is well. Where it reaches ALARM, no more than one in e^ALARM lanes that are well would get there.
 *
 * The sum alone raises no alarm: the others must have done well in the last hours, and during the refusals as well. Otherwise the
 * provider may be refusing everything, and holding a lane would help nobody.
 */
import { BoundedMap } from '../../runtime/bounded-map.ts';
import { HOUR_MS } from '../../runtime/durations.ts';
import { addTo, noRefusals, RecentRefusals, type RefusalCount, without } from './recent-refusals.ts';

export interface GuardedLane {
  readonly organizationId: string;
  readonly provider: string;
  /** Tells the lanes of an organization to one provider apart. */
  readonly name: string;
}

/** What was counted, for the reason of the hold. */
export interface LaneAlarm {
  /** Of the lane, since its refusals began. */
  readonly lane: Readonly<RefusalCount>;
  /** Of the organization's other mail to the provider, without the refusals of earlier alarms. */
  readonly others: Readonly<RefusalCount>;
  readonly othersSinceMs: number;
}

interface Counted {
  /** Since the worker started. */
  readonly ever: RefusalCount;
  readonly recent: RecentRefusals;
}

interface Watched extends Counted {
  sum: number;
  /** Of this lane, since the sum was last zero. */
  run: RefusalCount;
  /** What had been counted of the others when that run began. */
  othersBefore: RefusalCount;
}

/** e^25 is 7 · 10^10: not once in a million lanes with a million mails each. */
const ALARM = 25;
/** Added to what the others did, so that a few of them do not count as certain: one refusal in ten of fifty. */
const PRIOR: RefusalCount = { refused: 5, decided: 50 };
/** Fewer other emails are no comparison. */
const LEAST_OTHERS = 20;
/** The greatest share of refusals with which the others still do well. */
const MOST_REFUSED_OF_OTHERS = 0.2;
const LEAST_USUAL = 0.01;
const MOST_USUAL = 0.6;
/** A lane that has gone bad has most of its mail refused. */
const LEAST_BAD = 0.5;
const PERIOD_MS = 12 * HOUR_MS;
const MAX_LANES = 20_000;
const MAX_PROVIDERS = 20_000;

/** How many refusals in a row are let through at most, where the others do well. */
export const MOST_LET_THROUGH = 16;

export class LaneWatch {
  readonly #lanes = new BoundedMap<string, Watched>(MAX_LANES);
  readonly #providers = new BoundedMap<string, Counted>(MAX_PROVIDERS);

  /** The alarm that this email raises, if any. The lane is watched from zero then. */
  note(lane: GuardedLane, isRefused: boolean, atMs: number): LaneAlarm | null {
    const period = Math.floor(atMs / PERIOD_MS);
    const { organizationId, provider, name } = lane;
    const all = find(this.#providers, `${organizationId} ${provider}`, newCounted);
    const own = find(this.#lanes, `${organizationId} ${provider} ${name}`, newWatched);
    const others = without(all.recent.of(period), own.recent.of(period));
    if (own.sum === 0) startRun(own, all);
    own.sum = Math.min(ALARM, Math.max(0, own.sum + evidence(rateOf(others), isRefused)));
    for (const count of [all.ever, own.ever, own.run]) addTo(count, isRefused);
    for (const { recent } of [all, own]) recent.add(period, isRefused);
    const othersInRun = without(without(all.ever, own.ever), own.othersBefore);
    if (!isRefused || own.sum < ALARM || others.decided < LEAST_OTHERS) return null;
    if (!doWell(others) || !doWell(othersInRun)) return null;
    own.sum = 0;
    // Refusals that one lane explains must not make the provider look bad to the next lane.
    for (const { recent } of [all, own]) recent.remove(own.run);
    return { lane: { ...own.run }, others, othersSinceMs: (period - 1) * PERIOD_MS };
  }
}

function startRun(own: Watched, all: Counted): void {
  own.run = noRefusals();
  own.othersBefore = without(all.ever, own.ever);
}

function doWell({ refused, decided }: RefusalCount): boolean {
  return refused <= decided * MOST_REFUSED_OF_OTHERS;
}

/** The logarithm of how much likelier the outcome is in a lane that has gone bad. */
function evidence(usual: number, isRefused: boolean): number {
  const bad = Math.max(LEAST_BAD, Math.min(0.95, 3 * usual));
  return isRefused ? Math.log(bad / usual) : Math.log((1 - bad) / (1 - usual));
}

function rateOf({ refused, decided }: RefusalCount): number {
  const rate = (refused + PRIOR.refused) / (decided + PRIOR.decided);
  return Math.min(MOST_USUAL, Math.max(LEAST_USUAL, rate));
}

function newCounted(): Counted {
  return { ever: noRefusals(), recent: new RecentRefusals() };
}

function newWatched(): Watched {
  return { ...newCounted(), sum: 0, run: noRefusals(), othersBefore: noRefusals() };
}

/** What is used stays: an organization's steady mail must not be forgotten for rare lanes. */
function find<Value>(map: BoundedMap<string, Value>, key: string, create: () => Value): Value {
  const known = map.use(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}
