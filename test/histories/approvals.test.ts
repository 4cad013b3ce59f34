/**
 * Members approve and reject the same emails at the same time, while two workers deliver to a real SMTP server. For each email, what the
 * members, the readers and the server saw is compared with a serial order.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { join, type Person, signUpOwner } from '../accounts/people.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { letter } from '../support/emails.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { isLinearizable } from './linearize.ts';
import { doing, MailHistory, recordingServer, timed } from './mail-history.ts';
import { type MailCall, oneEmail } from './specifications.ts';

type Decision = 'approve' | 'reject';

/** The decisions about an email that are made at the same time. */
const DECISIONS: Readonly<Record<string, readonly Decision[]>> = {
  approved: ['approve', 'approve'],
  rejected: ['reject', 'reject'],
  disputed: ['approve', 'reject', 'approve', 'reject'],
  undecided: [],
};
const ROUNDS = 6;

const history = new MailHistory();
/** The ids of the emails, by recipient. */
const ids = new Map<string, string>();

let api: TestApi;
let org: TestOrganization;
let people: readonly [Person, Person];
let careful: string;
let sink: SmtpSink;
let workers: readonly TestWorker[] = [];
beforeAll(async () => {
  sink = await startSmtpSink({ script: recordingServer(history, 'main') });
  const env = { POSTRIDER_MODE: 'live', POSTRIDER_RELAY_URL: `smtp://${sink.address}:${sink.port}` };
  api = await startApi({ env });
  org = await api.createOrganization('Histories');
  const owner = await signUpOwner(api);
  people = [owner, await join(api, owner, 'member@example.org', 'member')];
  const policy = { approval: 'required' };
  const { body } = await owner.api('POST', '/api-keys', { name: 'agent', scope: 'agent', policy });
  careful = body.data.key;
  workers = await Promise.all([1, 2].map(() => startMailWorker(api.database, env)));
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await api?.stop();
  await sink?.close();
});

async function send(recipient: string): Promise<void> {
  await history.call(recipient, { does: 'accept' }, async () => {
    const mail = letter(org, { to: [{ email: recipient }] });
    const { status, body } = await api.api('POST', '/emails/send', mail, careful);
    expect(status, JSON.stringify(body)).toBe(201);
    ids.set(recipient, body.data.message_id);
    return 'ok';
  });
}

async function decide(recipient: string, does: Decision, by: Person): Promise<void> {
  await history.call(recipient, { does }, async () => {
    const reason = does === 'reject' ? { reason: 'A test' } : undefined;
    const { status, body } = await by.api('POST', `/approvals/${ids.get(recipient)}/${does}`, reason);
    if (status === 409) return 'refused';
    expect(status, JSON.stringify(body)).toBe(200);
    return 'ok';
  });
}

async function read(recipient: string): Promise<string> {
  const [{ body }, times] = await timed(() =>
    api.api('GET', `/emails/${ids.get(recipient)}`, undefined, org.key),
  );
  const { status } = body.data;
  history.note(recipient, { request: { does: 'read', status }, response: 'ok', ...times });
  return status;
}

async function sendAndDecide(recipient: string, decisions: readonly Decision[]): Promise<void> {
  await send(recipient);
  const made = decisions.map((does, nth) => decide(recipient, does, people[nth % 2 === 0 ? 0 : 1]));
  await Promise.all([...made, read(recipient)]);
  const isEnded = (status: string) => status === 'delivered' || status === 'failed';
  if (decisions.length > 0) await until(() => read(recipient), isEnded);
}

async function recordHistory(): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const kinds = Object.entries(DECISIONS);
    await Promise.all(kinds.map(([kind, made]) => sendAndDecide(`${kind}-${round}@example.org`, made)));
  }
  for (const recipient of ids.keys()) await read(recipient);
}

describe('approvals and rejections during sends', () => {
  const isRight = (calls: readonly MailCall[]) => isLinearizable(calls, oneEmail('main', 'waits'));
  const deliveredTo = (recipient: string) => doing(history.of(recipient), 'deliver').length;
  const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

  beforeAll(recordHistory, 120_000);

  it('have a serial order for each email', () => {
    // The server also gets mail of the installation, such as invitations.
    const wrong = history.wrong(() => 'waits').filter((recipient) => ids.has(recipient));
    expect(wrong.map((recipient) => [recipient, history.of(recipient)])).toEqual([]);
  });

  it('let each approved email be delivered, and no other', () => {
    for (const round of rounds)
      expect(
        ['approved', 'rejected', 'undecided'].map((kind) => deliveredTo(`${kind}-${round}@example.org`)),
      ).toEqual([1, 0, 0]);
    for (const recipient of rounds.map((round) => `disputed-${round}@example.org`))
      expect(deliveredTo(recipient)).toBe(doing(history.of(recipient), 'approve').length);
  });

  it('would be refused with a delivery before the approval', () => {
    const calls = history.of('approved-0@example.org');
    const [accepted] = doing(calls, 'accept') as [MailCall];
    const approvals = calls.filter(({ request }) => request.does === 'approve');
    const firstMs = Math.min(...approvals.map(({ beganMs }) => beganMs));
    // Ends before any approval begins: two calls that touch may take effect in either order.
    const times = { beganMs: accepted.beganMs, endedMs: (accepted.endedMs + firstMs) / 2 };
    const early = calls.map((call) => (call.request.does === 'deliver' ? { ...call, ...times } : call));
    expect([isRight(calls), isRight(early)]).toEqual([true, false]);
  });

  it('would be refused with a delivery after the rejection, or without a decision', () => {
    const [delivery] = doing(history.of('approved-0@example.org'), 'deliver') as [MailCall];
    const late = { ...delivery, beganMs: performance.now(), endedMs: performance.now() };
    for (const recipient of ['rejected-0@example.org', 'undecided-0@example.org'])
      expect(isRight([...history.of(recipient), late]), recipient).toBe(false);
  });
});
