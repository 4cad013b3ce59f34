/** What was fetched, on its way into the database of its cell: a queue for each, so that one that is away keeps no other waiting. */

import type { Fetched } from '../emails/opens.ts';
import type { Database } from '../kit/database/database.ts';
import { perCell } from '../kit/database/per-cell.ts';
import type { Service } from '../kit/runtime/lifecycle.ts';
import type { Log } from '../kit/runtime/log.ts';
import type { Metrics } from '../kit/runtime/metrics.ts';
import { FetchQueue, type Kind } from './fetch-queue.ts';

export interface FetchRecorderOptions {
  readonly db: Database;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly maxWaiting?: number;
}

export class FetchRecorder<Item extends Fetched> implements Service {
  readonly name: string;
  readonly #log: Log;
  readonly #queueOf: (organizationId: string) => FetchQueue<Item>;
  readonly #queues: FetchQueue<Item>[] = [];
  readonly #drop: (count: number) => void;
  #stopped = false;

  constructor(kind: Kind<Item>, { db, log, metrics, maxWaiting }: FetchRecorderOptions) {
    const { onRecorded, onDropped } = numbersOf(kind, metrics, () => this.waiting);
    this.name = kind.name;
    this.#log = log;
    this.#drop = onDropped;
    this.#queueOf = perCell(db, (cell) => {
      const onMoved = (item: Item) => this.add(item);
      const queue = new FetchQueue(kind, { db: cell, log, maxWaiting, onRecorded, onDropped, onMoved });
      this.#queues.push(queue);
      return queue;
    });
  }

  get waiting(): number {
    return this.#queues.reduce((sum, { waiting }) => sum + waiting, 0);
  }

  async start(): Promise<void> {}

  /** Never waits and never throws: whoever asked has been answered already. */
  add(item: Item): void {
    if (this.#stopped) return;
    try {
      this.#queueOf(item.organizationId).add(item);
    } catch (error) {
      this.#log.warn({ err: error }, `one of the ${this.name} is lost: its cell is not known`);
      this.#drop(1);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#queues.map((queue) => queue.stop()));
  }
}

function numbersOf({ name }: { readonly name: string }, metrics: Metrics, waiting: () => number) {
  const what = name.slice(0, 1).toUpperCase() + name.slice(1);
  const count = metrics.counter(`postrider_${name}_recorded_total`, `${what} that became events.`, [
    'machine',
  ]);
  const lose = metrics.counter(
    `postrider_${name}_dropped_total`,
    `${what} that were lost because the database was away for too long.`,
  );
  metrics.gauge(`postrider_${name}_waiting`, `${what} that wait to be written.`, waiting);
  return {
    onRecorded: (isMachine: boolean) => count({ machine: String(isMachine) }),
    onDropped: (by: number) => lose({}, by),
  };
}
