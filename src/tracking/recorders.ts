/** Record opens and clicks in the database: one open for each delivery, one click for each link of a delivery. */
import { type Click, recordClicks } from '../emails/clicks.ts';
import { type Open, recordOpens } from '../emails/opens.ts';
import { appendEvents } from '../events/append.ts';
import type { Kind } from './fetch-queue.ts';
import { FetchRecorder, type FetchRecorderOptions } from './fetch-recorder.ts';

const OPENS: Kind<Open> = {
  name: 'opens',
  lingerMs: 100,
  keyOf: ({ emailId, position }) => `${emailId} ${position}`,
  write: async (tx, opens) => {
    const recorded = await recordOpens(tx, opens);
    await appendEvents(
      tx,
      recorded.map(({ machine, ...open }) => ({ ...open, type: 'opened', reason: machine })),
    );
    return recorded;
  },
};

const CLICKS: Kind<Click> = {
  name: 'clicks',
  // A scanner follows several links in this time, and they are judged together.
  lingerMs: 2_000,
  keyOf: ({ emailId, position, url }) => `${emailId} ${position} ${url}`,
  write: async (tx, clicks) => {
    const recorded = await recordClicks(tx, clicks);
    await appendEvents(
      tx,
      recorded.map(({ machine, ...click }) => ({ ...click, type: 'clicked', reason: machine })),
    );
    return recorded;
  },
};

export class OpenRecorder extends FetchRecorder<Open> {
  constructor(options: FetchRecorderOptions) {
    super(OPENS, options);
  }
}

export class ClickRecorder extends FetchRecorder<Click> {
  constructor(options: FetchRecorderOptions) {
    super(CLICKS, options);
  }
}
