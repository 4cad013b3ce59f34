/** Simulates a site that limits mail, with an endless backlog and a simulated clock. */
import { LocalSite } from '../../src/delivery/scheduler/local-site.ts';
import { fixedPolicy } from '../../src/delivery/scheduler/site.ts';
import { ALL_WELL } from '../../src/delivery/scheduler/site-condition.ts';
import { conditionAfter } from '../../src/delivery/scheduler/site-reaction.ts';
import { MINUTE_MS } from '../../src/runtime/durations.ts';

/** How often the queue is checked while the site is slow. */
const CHECK_MS = 1_000;
const TICK_MS = 10;
const SLOW_DOWN = {
  kind: 'slow_down',
  why: { reason: 'rate_limited', detail: 'too much mail' },
} as const;

/** Whether the server accepts a message at this time. */
export type Server = (nowMs: number) => boolean;

/** Counts like Postfix: for a minute from the first message. Refused messages count as well. */
export function byTheMinute(limit: number): Server {
  let startMs = Number.NEGATIVE_INFINITY;
  let count = 0;
  return (nowMs) => {
    if (nowMs - startMs >= MINUTE_MS) {
      startMs = nowMs;
      count = 0;
    }
    count += 1;
    return count <= limit;
  };
}

/** Accepts `limit` messages in any minute. */
export function inAnyMinute(limit: number): Server {
  const taken: number[] = [];
  return (nowMs) => {
    while (taken.length > 0 && nowMs - (taken[0] as number) >= MINUTE_MS) taken.shift();
    if (taken.length >= limit) return false;
    taken.push(nowMs);
    return true;
  };
}

/** A token bucket that is filled at the rate of the limit and holds `burst` tokens. */
export function byTokens(limit: number, burst: number): Server {
  let tokens = burst;
  let atMs = 0;
  return (nowMs) => {
    tokens = Math.min(burst, tokens + ((nowMs - atMs) * limit) / MINUTE_MS);
    atMs = nowMs;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

export interface Seen {
  taken: number;
  refused: number;
}

/** Sends mail at the pace of the site, and reports the outcomes to the site. */
export class Rehearsal {
  readonly local: LocalSite;
  nowMs = 0;
  readonly #latencyMs: number;
  #messages = 0;
  #onTheWay: { readonly begunMs: number; isAccepted: boolean | null }[] = [];

  constructor({ latencyMs = 50, connections = 20 } = {}) {
    this.#latencyMs = latencyMs;
    this.local = new LocalSite(
      {
        kind: 'hosts',
        name: 'mx.example.net',
        provider: 'other',
        policy: fixedPolicy(connections, 'learning'),
      },
      ALL_WELL,
      { connections, mayProbe: true, perMinute: null },
      1,
    );
  }

  async run(minutes: number, server: Server): Promise<Seen> {
    const seen = { taken: 0, refused: 0 };
    for (const endMs = this.nowMs + minutes * MINUTE_MS; this.nowMs < endMs; this.nowMs += TICK_MS) {
      const isLooked = this.nowMs % CHECK_MS === 0 || this.local.condition.slow === null;
      const room = isLooked ? this.local.room(this.nowMs, false) : 0;
      for (let i = 0; i < room; i += 1) this.#begin();
      await Promise.resolve();
      await Promise.resolve();
      this.#arrive(server);
      for (const isAccepted of this.#answered()) seen[isAccepted ? 'taken' : 'refused'] += 1;
      await Promise.resolve();
    }
    return seen;
  }

  #begin(): void {
    this.local.enter();
    void this.local.takeSlot(this.nowMs).then((mayGo) => {
      if (mayGo) this.#onTheWay.push({ begunMs: this.nowMs, isAccepted: null });
      else this.local.leave();
    });
  }

  #arrive(server: Server): void {
    for (const message of this.#onTheWay)
      if (message.isAccepted === null && this.nowMs - message.begunMs >= this.#latencyMs / 2)
        message.isAccepted = server(this.nowMs);
  }

  #answered(): boolean[] {
    const done = this.#onTheWay.filter(({ begunMs }) => this.nowMs - begunMs >= this.#latencyMs);
    this.#onTheWay = this.#onTheWay.filter((one) => !done.includes(one));
    return done.map(({ isAccepted, begunMs }) => {
      this.#finish(isAccepted === true, begunMs);
      return isAccepted === true;
    });
  }

  #finish(isAccepted: boolean, begunMs: number): void {
    const { local, nowMs } = this;
    this.#messages += 1;
    const recipient = `r${this.#messages}@example.net`;
    const testimony = { domain: 'example.net', recipient, isRetry: false, isAccepted, begunMs };
    const signal = isAccepted ? ({ kind: 'reachable' } as const) : SLOW_DOWN;
    const moment = { nowMs, random: () => 0.5, speed: 1 };
    local.become(conditionAfter(local, signal, testimony, moment, 1), nowMs);
    local.leave();
    local.freeSlot(nowMs);
    local.admit(nowMs);
  }
}
