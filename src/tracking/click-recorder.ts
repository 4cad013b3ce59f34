/** Records clicks in the database, one for each link of a delivery. */
import { type Click, type RecordedClick, recordClicks } from '../emails/clicks.ts';
import { appendEvents } from '../events/append.ts';
import type { Kind } from './fetch-queue.ts';
import { FetchRecorder, type FetchRecorderOptions } from './fetch-recorder.ts';

/** The time in which a scanner follows several links, which are then judged together. */
const LINGER_MS = 2_000;

const CLICKS: Kind<Click> = {
  name: 'clicks',
  lingerMs: LINGER_MS,
  keyOf: ({ emailId, position, url }) => `${emailId} ${position} ${url}`,
  write: async (tx, clicks) => {
    const recorded = await recordClicks(tx, clicks);
    await appendEvents(tx, recorded.map(toEvent));
    return recorded;
  },
};

export class ClickRecorder extends FetchRecorder<Click> {
  constructor(options: FetchRecorderOptions) {
    super(CLICKS, options);
  }
}

function toEvent({ machine, userAgent, recipient, atMs, url, ...key }: RecordedClick) {
  const { organizationId, emailId, position } = key;
  return {
    organizationId,
    emailId,
    position,
    recipient,
    atMs,
    userAgent,
    url,
    type: 'clicked',
    reason: machine,
  } as const;
}
