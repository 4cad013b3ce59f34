/**
 * Finds a lane of mail that is suddenly refused while other mail of the organization to the same provider is accepted. A lane
 * is one template version (or one sender's domain, for mail without a template) in one stream, to one provider. Pure.
 *
 * Each lane has a cumulative sum (Page's CUSUM). A refusal increases the sum and an acceptance decreases it, by the logarithm of
 * how much likelier the outcome is in a lane that is mostly refused than in a lane refused as rarely as the others. The sum of a
 * healthy lane stays near zero. At most one in e^ALARM healthy lanes reaches ALARM.
 *
 * The sum alone raises no alarm: the other mail must also have been accepted in the last hours and during the refusals. Otherwise
 * the provider may be refusing all mail, and a hold would not help.
 */
import { BoundedMap } from '../../runtime/bounded-map.ts';
import { HOUR_MS } from '../../runtime/durations.ts';

interface GuardedLane {
  readonly organizationId: string;
  readonly provider: string;
  /** Unique among the lanes of an organization to one provider. */
  readonly name: string;
}

/** The counts, for the reason of the hold. */
export interface LaneAlarm {
  /** The lane's own mail since its refusals began. */
  readonly lane: Readonly<RefusalCount>;
  /** The organization's other mail to the provider, without the refusals of earlier alarms. */
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
  /** The counts of this lane since the sum was last zero. */
  run: RefusalCount;
  /** The counts of the other mail when the run began. */
  othersBefore: RefusalCount;
}

/** e^25 is 7 · 10^10: a false alarm is unlikely even in a million lanes with a million mails each. */
const ALARM = 25;
/** Added to the counts of the other mail, so that few mails do not count as certain: fifty mails, one in ten refused. */
const PRIOR: RefusalCount = { refused: 5, decided: 50 };
/** The fewest other emails that allow a comparison. */
const LEAST_OTHERS = 20;
/** The largest share of refused mail with which the other mail still counts as accepted. */
const MOST_REFUSED_OF_OTHERS = 0.2;
const LEAST_USUAL = 0.01;
const MOST_USUAL = 0.6;
/** The least share of refusals in a bad lane. */
const LEAST_BAD = 0.5;
const PERIOD_MS = 12 * HOUR_MS;
const MAX_LANES = 20_000;
const MAX_PROVIDERS = 20_000;

export class LaneWatch {
  readonly #lanes = new BoundedMap<string, Watched>(MAX_LANES);
  readonly #providers = new BoundedMap<string, Counted>(MAX_PROVIDERS);

  /** Counts an email. Returns the alarm that it raises, or null. After an alarm the sum of the lane starts at zero. */
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
    if (!areAccepted(others) || !areAccepted(othersInRun)) return null;
    own.sum = 0;
    // The refusals of a found lane must not count against the other mail of the next lane.
    for (const { recent } of [all, own]) recent.remove(own.run);
    return { lane: { ...own.run }, others, othersSinceMs: (period - 1) * PERIOD_MS };
  }
}

function startRun(own: Watched, all: Counted): void {
  own.run = noRefusals();
  own.othersBefore = without(all.ever, own.ever);
}

function areAccepted({ refused, decided }: RefusalCount): boolean {
  return refused <= decided * MOST_REFUSED_OF_OTHERS;
}

/** The logarithm of how much likelier the outcome is in a bad lane. */
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

/** Marks the entry as used, so that rare lanes do not displace an organization's steady mail. */
function find<Value>(map: BoundedMap<string, Value>, key: string, create: () => Value): Value {
  const known = map.use(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}

interface RefusalCount {
  refused: number;
  /** Accepted or refused. */
  decided: number;
}

/** Counts of refused and of decided emails. Pure. */
function noRefusals(): RefusalCount {
  return { refused: 0, decided: 0 };
}

function addTo(count: RefusalCount, isRefused: boolean): void {
  count.decided += 1;
  if (isRefused) count.refused += 1;
}

/** Never below zero: a lane that was evicted and added again has counted only part of its mail. */
function without(all: RefusalCount, part: RefusalCount): RefusalCount {
  return {
    refused: Math.max(0, all.refused - part.refused),
    decided: Math.max(0, all.decided - part.decided),
  };
}

/** The counts of a period and of the period before it. Periods are numbered by the caller. */
class RecentRefusals {
  #period = 0;
  #current = noRefusals();
  #previous = noRefusals();

  add(period: number, isRefused: boolean): void {
    this.#moveTo(period);
    addTo(this.#current, isRefused);
  }

  of(period: number): RefusalCount {
    this.#moveTo(period);
    return {
      refused: this.#current.refused + this.#previous.refused,
      decided: this.#current.decided + this.#previous.decided,
    };
  }

  /** Subtracts earlier counts, from the latest period first. */
  remove({ refused, decided }: RefusalCount): void {
    const { refused: lateRefused, decided: lateDecided } = this.#current;
    this.#current = without(this.#current, { refused, decided });
    const early = { refused: refused - lateRefused, decided: decided - lateDecided };
    this.#previous = without(this.#previous, {
      refused: Math.max(0, early.refused),
      decided: Math.max(0, early.decided),
    });
  }

  /** A clock that was set back leaves the counts in the later period. */
  #moveTo(period: number): void {
    if (period <= this.#period) return;
    this.#previous = period === this.#period + 1 ? this.#current : noRefusals();
    this.#current = noRefusals();
    this.#period = period;
  }
}
