/**
 * Sends events to customers: claims due deliveries, sends them, and records the answers. At least once: a delivery that was in
 * progress when the process died is sent again, with the same `webhook-id`.
 *
 * It owns the work in progress. Claims belong to the worker's epoch for as long as its heartbeat is fresh; a worker that takes
 * over from a dead one releases its claims. Claims without work in progress, because the answer to a claim was lost, are
 * released after a failed claim and periodically.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../database/database.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Service } from '../../runtime/lifecycle.ts';
import type { Log } from '../../runtime/log.ts';
import type { OpenSpan, SpanEnd, Tracer } from '../../runtime/tracing.ts';
import { WorkLoop } from '../../runtime/work-loop/loop.ts';
import {
  claimWebhooks,
  dropWebhooks,
  releaseOrphanedWebhooks,
  releaseWebhooks,
  type WebhookClaim,
} from '../queue.ts';
import type { DispatchEndpoint, EndpointDirectory } from './directory.ts';
import { loadMessages, type MessageContext, type WebhookMessage } from './message.ts';
import { outcomeOf, type Retrying, type WebhookOutcome } from './outcome.ts';
import { type Ending, EndpointPace, FIRST_CAPACITY } from './pace.ts';
import type { Poster, PostResult } from './post.ts';
import { type Attempted, WebhookRecorder } from './record.ts';
import { prefixesOf, signatureHeaders } from './sign.ts';

export interface DispatcherOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly epoch: number;
  readonly mayClaim: () => boolean;
  readonly directory: EndpointDirectory;
  readonly poster: Poster;
  readonly telling: MessageContext;
  readonly retrying: Retrying;
  readonly drainMs: number;
  readonly userAgent: string;
  readonly tracer?: Tracer | undefined;
  /** For metrics. */
  readonly onAttempt?: ((one: Attempted) => void) | undefined;
}

interface Item {
  readonly claim: WebhookClaim;
  readonly endpoint: DispatchEndpoint | null;
  readonly message: WebhookMessage | 'removed';
  readonly turn: Promise<void>;
}

const CAPACITY = 3_000;
/** The number of deliveries that one claim loads into memory. */
const MAX_CLAIM = 500;
const POLL_MS = 1_000;
const RECONCILE_EVERY_MS = 5_000;
/** Claims are at least this far apart, and as far as the last one took, so that they never saturate the database. */
const CLAIM_GAP_MS = 15;

export class WebhookDispatcher implements Service {
  readonly name = 'webhook dispatcher';
  readonly #options: DispatcherOptions;
  readonly #pace = new EndpointPace(CAPACITY);
  readonly #recorder: WebhookRecorder;
  readonly #loop: WorkLoop<Item>;
  readonly #inHand = new Set<WebhookClaim>();
  #reconciledMs = Number.NEGATIVE_INFINITY;
  #nextClaimMs = 0;
  /** Claimed deliveries whose data is not loaded yet, because the database was unavailable. */
  #bare: readonly WebhookClaim[] = [];

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#recorder = new WebhookRecorder({ ...options, speed: options.retrying.speed });
    this.#loop = new WorkLoop({
      name: this.name,
      log: options.log,
      claim: (limit) => this.#claim(limit),
      work: (item) => this.#work(item),
      capacity: CAPACITY,
      pollMs: POLL_MS,
      drainMs: options.drainMs,
    });
  }

  async start(): Promise<void> {
    await this.#loop.start();
  }

  /** Signals that deliveries may be due. */
  wake(): void {
    this.#loop.wake();
  }

  /** Signals that deliveries will be due after this time. */
  wakeIn(ms: number): void {
    this.#loop.wakeIn(ms);
  }

  /** Running requests may finish in time. Later ones are aborted and left to the next worker. */
  async stop(): Promise<void> {
    const { db, epoch, poster } = this.#options;
    await this.#loop.stop();
    poster.close();
    await this.#recorder.drained();
    await releaseWebhooks(db, epoch);
  }

  async #claim(limit: number): Promise<readonly Item[]> {
    const { db, epoch, directory, mayClaim } = this.#options;
    const waitMs = this.#nextClaimMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    if (!mayClaim() || !(await directory.any())) return [];
    await this.#reconcile();
    const startedMs = performance.now();
    if (this.#bare.length === 0) {
      const most = { usual: FIRST_CAPACITY, limit: Math.min(limit, MAX_CLAIM) };
      try {
        this.#bare = await claimWebhooks(db, epoch, this.#pace.capacities(), most);
      } catch (error) {
        this.#reconciledMs = Number.NEGATIVE_INFINITY;
        throw error;
      }
      for (const claim of this.#bare) this.#inHand.add(claim);
    }
    const endedMs = performance.now();
    this.#nextClaimMs = endedMs + Math.max(CLAIM_GAP_MS, endedMs - startedMs);
    const items = this.#bare.length === 0 ? [] : await this.#equip(this.#bare);
    this.#bare = [];
    return items;
  }

  /** Runs between claims: a claim that has no work in progress now has no owner. */
  async #reconcile(): Promise<void> {
    const { db, epoch, log } = this.#options;
    const nowMs = performance.now();
    if (nowMs - this.#reconciledMs < RECONCILE_EVERY_MS) return;
    const orphaned = await releaseOrphanedWebhooks(db, epoch, [...this.#inHand]);
    this.#reconciledMs = nowMs;
    if (orphaned > 0)
      log.warn(
        { deliveries: orphaned },
        'released webhook deliveries that were claimed but never reached a dispatcher',
      );
  }

  /** Loads the data of each attempt and enqueues it for its endpoint. */
  async #equip(claims: readonly WebhookClaim[]): Promise<Item[]> {
    const { db, directory, telling } = this.#options;
    const endpoints = await directory.find(new Set(claims.map((claim) => claim.endpointId)));
    const asked = claims.map((claim) => {
      const endpoint = endpoints.get(claim.endpointId) ?? null;
      return { claim, endpoint, format: endpoint?.format ?? 'postrider' } as const;
    });
    const messages = await loadMessages(db, asked, telling);
    await this.#leaveOut(claims.filter((_, index) => messages[index] === 'no_word'));
    return asked.flatMap(({ claim, endpoint }, index) => {
      const message = messages[index] ?? 'removed';
      if (message === 'no_word') return [];
      return [{ claim, endpoint, message, turn: this.#pace.enter(claim.endpointId, claim.emailId) }];
    });
  }

  /**
   * Ends deliveries for which the endpoint's format has no event, without an attempt. More deliveries may be due behind them.
   */
  async #leaveOut(claims: readonly WebhookClaim[]): Promise<void> {
    if (claims.length === 0) return;
    const { db, epoch } = this.#options;
    await dropWebhooks(db, epoch, claims);
    for (const claim of claims) this.#inHand.delete(claim);
    this.#loop.wake();
  }

  async #work(item: Item): Promise<void> {
    try {
      await this.#attempt(item);
    } finally {
      this.#inHand.delete(item.claim);
    }
  }

  async #attempt(item: Item): Promise<void> {
    const { endpointId, emailId } = item.claim;
    await item.turn;
    let ending: Ending = 'untried';
    let attempted: Attempted | null = null;
    try {
      const result = await this.#send(item);
      attempted = result.kind === 'aborted' ? null : this.#judge(item, result);
      ending = attempted === null ? 'untried' : endingOf(attempted);
    } finally {
      this.#pace.leave(endpointId, emailId, ending);
    }
    if (attempted === null) return;
    this.#options.onAttempt?.(attempted);
    await this.#recorder.record(attempted);
    if (attempted.dueAtMs !== null) this.#loop.wakeIn(attempted.dueAtMs - this.#options.clock.nowMs());
  }

  async #send({ claim, endpoint, message }: Item): Promise<PostResult | Unsent> {
    const { clock, poster, userAgent } = this.#options;
    if (endpoint === null) return { kind: 'unsent', error: 'the webhook was deleted' };
    if (!endpoint.enabled) return { kind: 'unsent', error: 'the webhook is disabled' };
    if (message === 'removed')
      return { kind: 'unsent', error: 'the email was removed before it could be sent' };
    if (endpoint.secrets === null)
      return { kind: 'unanswered', error: 'the signing secret cannot be opened', latencyMs: 0 };
    const timestamp = Math.floor(clock.nowMs() / 1000);
    const span = this.#beginSpan(claim, message);
    const headers = {
      ...signatureHeaders(endpoint.secrets, { ...message, timestamp }, prefixesOf(endpoint.format)),
      'content-type': 'application/json',
      'user-agent': userAgent,
      ...(span && { traceparent: span.traceparent }),
    };
    const result = await poster.post(endpoint.url, headers, message.body);
    span?.end(howItEnded(result));
    return result;
  }

  #beginSpan({ endpointId, eventType, tries }: WebhookClaim, { parent }: WebhookMessage): OpenSpan | null {
    const { tracer } = this.#options;
    if (tracer === undefined || parent === null) return null;
    const attributes = {
      'postrider.webhook_id': endpointId,
      'postrider.event_type': eventType,
      'postrider.try': tries + 1,
    };
    return tracer.begin({ name: 'webhook', kind: 'client', parent, attributes });
  }

  #judge({ claim, endpoint }: Item, result: Exclude<PostResult, { kind: 'aborted' }> | Unsent): Attempted {
    const { clock, retrying } = this.#options;
    const atMs = clock.nowMs();
    const asked = result.kind !== 'unsent';
    const outcome: WebhookOutcome = asked
      ? outcomeOf(result, claim.tries + 1, atMs, retrying)
      : { state: 'failed', error: result.error, gone: false };
    const dueAtMs = outcome.state === 'pending' ? outcome.dueAtMs : null;
    const answer = result.kind === 'answered' ? result : null;
    const latencyMs = asked ? result.latencyMs : 0;
    return {
      claim,
      endpoint,
      atMs,
      asked,
      state: outcome.state,
      dueAtMs,
      gone: outcome.state === 'failed' && outcome.gone,
      attempt: {
        at: new Date(atMs - latencyMs).toISOString(),
        status: answer?.status ?? null,
        latency_ms: latencyMs,
        response: answer?.text ?? null,
        response_headers: answer?.headers ?? null,
        error: outcome.state === 'delivered' ? null : outcome.error,
        next_attempt_at: dueAtMs === null ? null : new Date(dueAtMs).toISOString(),
      },
    };
  }
}

function howItEnded(result: PostResult): SpanEnd {
  if (result.kind === 'aborted') return { problem: 'stopped' };
  if (result.kind === 'unanswered') return { problem: result.error };
  const { status } = result;
  const problem = status >= 200 && status < 300 ? null : `HTTP ${status}`;
  return { attributes: { 'http.response.status_code': status }, problem };
}

interface Unsent {
  readonly kind: 'unsent';
  readonly error: string;
}

function endingOf({ state, asked, attempt }: Attempted): Ending {
  if (state === 'delivered') return 'good';
  if (!asked) return 'untried';
  return attempt.status === null ? 'silent' : 'bad';
}
