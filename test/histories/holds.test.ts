/**
 * Clients send, hold, release, discard, cancel and read at the same time, while two workers deliver to a real SMTP server. For each
 * email, what the clients and the server saw is compared with a serial order.
 */
import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { letter } from '../support/emails.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { type Gate, gate, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { isLinearizable } from './linearize.ts';
import { doing, MailHistory, recordingServer, timed, WorkerDatabase } from './mail-history.ts';
import { type MailCall, oneEmail } from './specifications.ts';

const history = new MailHistory();
const gates = new Map<string, Gate>();
const ids = new Map<string, string>();
/** Says that a hold is about to be placed or ended: other clients act at that time. */
const steps = new EventEmitter().setMaxListeners(0);
let isOver = false;

let api: TestApi;
let org: TestOrganization;
let sink: SmtpSink;
let databases: readonly WorkerDatabase[];
let workers: readonly TestWorker[];
beforeAll(async () => {
  sink = await startSmtpSink({ script: recordingServer(history, 'main', gates) });
  const env = { POSTRIDER_MODE: 'live', POSTRIDER_RELAY_URL: `smtp://${sink.address}:${sink.port}` };
  api = await startApi({ env });
  org = await api.createOrganization('Histories');
  const { url, drop } = api.database;
  databases = [new WorkerDatabase(api.db), new WorkerDatabase(api.db)];
  workers = await Promise.all(databases.map((db) => startMailWorker({ url, db, drop }, env)));
});
afterAll(async () => {
  await Promise.all((workers ?? []).map((worker) => worker.stop()));
  await api?.stop();
  await sink?.close();
});

const ask = (method: string, path: string, body?: unknown) => api.api(method, path, body, org.key);

function expectStatus({ status, body }: Answer, expected: number): void {
  expect(status, JSON.stringify(body)).toBe(expected);
}

const isTagged = (recipient: string) => recipient.startsWith('tagged');

async function send(recipient: string, changes: object = {}): Promise<void> {
  const tags = isTagged(recipient) ? { tags: [{ name: 'campaign', value: 'spring' }] } : {};
  await history.call(recipient, { does: 'accept' }, async () => {
    const answer = await ask(
      'POST',
      '/emails/send',
      letter(org, { to: [{ email: recipient }], ...tags, ...changes }),
    );
    expectStatus(answer, 201);
    ids.set(recipient, answer.body.data.message_id);
    return 'ok';
  });
}

async function read(recipient: string): Promise<void> {
  const [answer, times] = await timed(() => ask('GET', `/emails/${ids.get(recipient)}`));
  expectStatus(answer, 200);
  const request = { does: 'read', status: answer.body.data.status } as const;
  history.note(recipient, { request, response: 'ok', ...times });
}

const TARGETS = {
  organization: { scope: 'organization' },
  tag: { scope: 'tag', value: 'campaign:spring', ahead: true },
} as const;

/** Lasts until every worker knows the hold: the API promises only that a hold works within moments. */
async function place(target: keyof typeof TARGETS): Promise<string> {
  steps.emit('step');
  const covers = target === 'tag' ? isTagged : () => true;
  const [id, times] = await timed(async () => {
    const answer = await ask('POST', '/holds', { ...TARGETS[target], reason: 'A test' });
    expectStatus(answer, 201);
    await Promise.all(databases.map((database) => database.knowsHolds()));
    return answer.body.data.id as string;
  });
  history.noteForAll({ request: { does: 'hold', hold: id }, response: 'ok', ...times }, covers);
  return id;
}

async function end(target: keyof typeof TARGETS, id: string, does: 'release' | 'discard'): Promise<void> {
  steps.emit('step');
  const covers = target === 'tag' ? isTagged : () => true;
  const [answer, times] = await timed(() =>
    ask('POST', `/holds/${id}/${does}`, does === 'discard' ? { reason: 'A test' } : undefined),
  );
  expectStatus(answer, 200);
  history.noteForAll({ request: { does, hold: id }, response: 'ok', ...times }, covers);
  await until(
    () => ask('GET', `/holds/${id}`),
    ({ body }) => body.data.ended_at !== null,
  );
}

/** Each hold is placed while an email that it covers is in the hands of a worker, and ends after another one was accepted. */
async function keepHolding(
  target: keyof typeof TARGETS,
  endings: readonly ('release' | 'discard')[],
): Promise<void> {
  const kind = target === 'tag' ? 'tagged' : 'plain';
  for (const [round, ending] of endings.entries()) {
    const begun = `${kind}-begun-${round}@example.org`;
    const waiting = gate();
    gates.set(begun, waiting);
    await send(begun);
    await waiting.reached;
    const id = await place(target);
    waiting.release();
    await send(`${kind}-under-hold-${round}@example.org`);
    await end(target, id, ending);
  }
}

/** Does something whenever a hold is placed or ends. */
async function atEachStep(act: (nth: number) => Promise<void>): Promise<void> {
  for (let nth = 0; !isOver; nth += 1) {
    await act(nth);
    await once(steps, 'step');
  }
}

const keepSending = (client: number) =>
  atEachStep(async (nth) => {
    await send(`plain-${client}-${nth}@example.org`);
    await send(`tagged-${client}-${nth}@example.org`);
  });

/** When the emails to cancel are due: some at the time at which they are cancelled, some later. */
const DUE_IN_MS = [0, 50, 200, 10_000];

const keepCancelling = () =>
  atEachStep(async (nth) => {
    const recipient = `plain-cancelled-${nth}@example.org`;
    const dueMs = Date.now() + (DUE_IN_MS[nth % DUE_IN_MS.length] ?? 0);
    await send(recipient, { scheduled_at: new Date(dueMs).toISOString() });
    await history.call(recipient, { does: 'cancel' }, async () => {
      const answer = await ask('POST', `/emails/${ids.get(recipient)}/cancel`);
      if (answer.status === 409) return 'refused';
      expectStatus(answer, 200);
      return 'ok';
    });
  });

const keepReading = () =>
  atEachStep(async () => {
    for (const recipient of [...ids.keys()].slice(-3)) await read(recipient);
  });

async function recordHistory(): Promise<void> {
  const others = [keepSending(1), keepSending(2), keepCancelling(), keepReading()];
  await Promise.all([
    keepHolding('organization', ['release', 'release', 'release', 'release']),
    keepHolding('tag', ['discard', 'release', 'discard', 'release']),
  ]);
  isOver = true;
  steps.emit('step');
  await Promise.all(others);
  const isSettled = async (recipient: string) => {
    const { body } = await ask('GET', `/emails/${ids.get(recipient)}`);
    return ['delivered', 'failed'].includes(body.data.status);
  };
  for (const recipient of history.recipients) await until(() => isSettled(recipient));
  for (const recipient of history.recipients) await read(recipient);
}

describe('holds, releases, discards and cancellations during sends', () => {
  const isRight = (calls: readonly MailCall[]) => isLinearizable(calls, oneEmail('main'));
  const deliveredTo = (recipient: string) => doing(history.of(recipient), 'deliver').length;

  beforeAll(recordHistory, 240_000);

  it('have a serial order for each email', () => {
    expect(history.wrong().map((recipient) => [recipient, history.of(recipient)])).toEqual([]);
  });

  it('met mail of every kind: delivered, stopped before the final dot, discarded and cancelled', () => {
    const all = history.recipients;
    const began = sink.connections.flatMap(({ commands }) => commands.filter((line) => /^MAIL/.test(line)));
    expect(began.length).toBeGreaterThan(sink.messageCount);
    expect(all.filter((to) => deliveredTo(to) === 1).length).toBeGreaterThan(20);
    expect(deliveredTo('tagged-begun-0@example.org')).toBe(0);
    expect(deliveredTo('plain-begun-0@example.org')).toBe(1);
    expect(all.filter((to) => doing(history.of(to), 'cancel').length === 1).length).toBeGreaterThan(0);
  });

  it('would be refused with a delivery moved into the time of a hold', () => {
    const calls = history.of('plain-under-hold-1@example.org');
    const [accepted] = doing(calls, 'accept');
    const release = doing(calls, 'release').find(({ beganMs }) => beganMs >= (accepted?.endedMs ?? 0));
    // Ends an instant before the release begins: two calls that touch may take effect in either order.
    const times = { beganMs: accepted?.endedMs ?? 0, endedMs: (release?.beganMs ?? 0) - 0.001 };
    const moved = calls.map((call) => (call.request.does === 'deliver' ? { ...call, ...times } : call));
    expect([isRight(calls), isRight(moved)]).toEqual([true, false]);
  });

  it('would be refused with a delivery of a discarded or a cancelled email', () => {
    const cancelled = history.recipients.find((to) => doing(history.of(to), 'cancel').length === 1) ?? '';
    const [delivery] = doing(history.of('plain-begun-0@example.org'), 'deliver') as [MailCall];
    const late = { beganMs: performance.now(), endedMs: performance.now() + 1 };
    for (const recipient of ['tagged-begun-0@example.org', cancelled])
      expect(isRight([...history.of(recipient), { ...delivery, ...late }]), recipient).toBe(false);
  });

  it('would be refused with a second delivery', () => {
    const calls = history.of('plain-under-hold-0@example.org');
    expect(isRight([...calls, ...doing(calls, 'deliver')])).toBe(false);
  });
});
