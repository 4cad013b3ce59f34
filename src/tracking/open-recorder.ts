/** Records opens in the database, one for each delivery. */
import { type Open, type RecordedOpen, recordOpens } from '../emails/opens.ts';
import { appendEvents } from '../events/append.ts';
import type { Kind } from './fetch-queue.ts';
import { FetchRecorder, type FetchRecorderOptions } from './fetch-recorder.ts';

const LINGER_MS = 100;

const OPENS: Kind<Open> = {
  name: 'opens',
  lingerMs: LINGER_MS,
  keyOf: ({ emailId, position }) => `${emailId} ${position}`,
  write: async (tx, opens) => {
    const recorded = await recordOpens(tx, opens);
    await appendEvents(tx, recorded.map(toEvent));
    return recorded;
  },
};

export class OpenRecorder extends FetchRecorder<Open> {
  constructor(options: FetchRecorderOptions) {
    super(OPENS, options);
  }
}

function toEvent({ machine, userAgent, recipient, atMs, ...key }: RecordedOpen) {
  const { organizationId, emailId, position } = key;
  return {
    organizationId,
    emailId,
    position,
    recipient,
    atMs,
    userAgent,
    type: 'opened',
    reason: machine,
  } as const;
}
