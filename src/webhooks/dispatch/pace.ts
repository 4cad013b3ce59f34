/**
 * Limits the deliveries in progress per endpoint. For each endpoint it owns the deliveries in progress, the requests being sent
 * and their emails. It also owns the capacity of idle endpoints, so that an endpoint does not start from scratch after every lull.
 *
 * An endpoint starts with capacity for a few deliveries. Every success doubles the capacity, every failure halves it, and an endpoint
 * that does not answer at all falls to one. All failing endpoints together hold at most half of all slots, so a hanging
 * endpoint has no noticeable cost for the others.
 *
 * Only some of the deliveries in progress are sent at a time, and of one email only one event at a time, in order.
 */
import { BoundedMap } from '../../runtime/bounded-map.ts';
import type { EndpointCapacity } from '../queue.ts';

export const FIRST_CAPACITY = 4;
const MAX_ROOM = 256;
const MAX_REMEMBERED = 2_000;
/** Concurrent requests to one endpoint. */
export const CONCURRENCY = 16;

interface Waiting {
  readonly emailId: string | null;
  readonly begin: () => void;
}

interface State {
  capacity: number;
  inHand: number;
  sending: number;
  failing: boolean;
  readonly waiting: Waiting[];
  readonly emails: Set<string>;
}

export type Ending = 'good' | 'bad' | 'silent' | 'untried';

export class EndpointPace {
  readonly #states = new Map<string, State>();
  /** The capacity of idle endpoints, the longest idle first. */
  readonly #resting = new BoundedMap<string, number>(MAX_REMEMBERED);
  readonly #capacity: number;
  #failingInHand = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The capacity of endpoints that differ from FIRST_CAPACITY. Refilled by halves, so that claims stay large. */
  capacities(): EndpointCapacity[] {
    const failingMayHave = this.#failingInHand * 2 < this.#capacity;
    const busy = [...this.#states].map(([endpointId, state]) => {
      const left = state.failing && !failingMayHave ? 0 : state.capacity - state.inHand;
      return { endpointId, capacity: left * 2 >= state.capacity ? left : 0 };
    });
    return [...busy, ...[...this.#resting].map(([endpointId, capacity]) => ({ endpointId, capacity }))];
  }

  /** Call at once for everything claimed. Resolves when this delivery may be sent. */
  enter(endpointId: string, emailId: string | null): Promise<void> {
    const state = this.#stateOf(endpointId);
    state.inHand += 1;
    if (state.failing) this.#failingInHand += 1;
    return new Promise((resolve) => {
      state.waiting.push({ emailId, begin: resolve });
      beginNext(state);
    });
  }

  leave(endpointId: string, emailId: string | null, ending: Ending): void {
    const state = this.#stateOf(endpointId);
    state.inHand -= 1;
    state.sending -= 1;
    if (state.failing) this.#failingInHand -= 1;
    if (emailId !== null) state.emails.delete(emailId);
    this.#learn(state, ending);
    beginNext(state);
    if (state.inHand === 0 && !state.failing) this.#rest(endpointId, state);
  }

  /** An endpoint's capacity is remembered until this many other endpoints became idle later. */
  #rest(endpointId: string, state: State): void {
    this.#states.delete(endpointId);
    this.#resting.set(endpointId, state.capacity);
  }

  #stateOf(endpointId: string): State {
    const known = this.#states.get(endpointId);
    if (known) return known;
    const state = {
      capacity: this.#resting.get(endpointId) ?? FIRST_CAPACITY,
      inHand: 0,
      sending: 0,
      failing: false,
      waiting: [],
      emails: new Set<string>(),
    };
    this.#resting.delete(endpointId);
    this.#states.set(endpointId, state);
    return state;
  }

  #learn(state: State, ending: Ending): void {
    if (ending === 'untried') return;
    const failing = ending !== 'good';
    if (failing !== state.failing) this.#failingInHand += failing ? state.inHand : -state.inHand;
    state.failing = failing;
    if (ending === 'good') state.capacity = Math.min(state.capacity * 2, MAX_ROOM);
    else state.capacity = ending === 'silent' ? 1 : Math.max(1, state.capacity >> 1);
  }
}

/** Starts as many as allowed, skipping emails with a request in progress. */
function beginNext(state: State): void {
  for (let at = 0; at < state.waiting.length && state.sending < Math.min(CONCURRENCY, state.capacity); ) {
    const { emailId, begin } = state.waiting[at] as Waiting;
    if (emailId !== null && state.emails.has(emailId)) {
      at += 1;
      continue;
    }
    if (emailId !== null) state.emails.add(emailId);
    state.waiting.splice(at, 1);
    state.sending += 1;
    begin();
  }
}
