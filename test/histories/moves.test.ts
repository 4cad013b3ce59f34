/**
 * An organization is moved to another cell and back while clients send with idempotency keys, repeat them and use them with another body.
 * The workers of both cells deliver, each to an SMTP server of its own, which shows the cell of each delivery.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestOrganization } from '../support/api.ts';
import { createServer, type MovingCells, startMovingCells } from '../support/moving-cells.ts';
import { type Gate, gate, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { idIn, type KeyedCall, sendWithKey } from './keyed-send.ts';
import { isLinearizable } from './linearize.ts';
import { doing, MailHistory, recordingServer } from './mail-history.ts';
import { idempotencyKey, type MailCall, oneOrganization } from './specifications.ts';

/** Between two emails of one client: the clients share the machine with the cells. */
const PAUSE_MS = 50;

const history = new MailHistory();
const gates = new Map<string, Gate>();
/** The calls with each idempotency key. The email of the key goes to a recipient of the same name. */
const keys = new Map<string, KeyedCall[]>();
const moves: MailCall[] = [];

let cells: MovingCells;
let mover: TestOrganization;
let sinks: Readonly<Record<string, SmtpSink>>;
beforeAll(async () => {
  sinks = {
    main: await startSmtpSink({ script: recordingServer(history, 'main', gates) }),
    two: await startSmtpSink({ script: recordingServer(history, 'two', gates) }),
  };
  const envOf = (cell: string) => ({
    POSTRIDER_MODE: 'live',
    POSTRIDER_RELAY_URL: `smtp://${sinks[cell]?.address}:${sinks[cell]?.port}`,
  });
  cells = await startMovingCells(createServer, envOf('main'));
  mover = await cells.api.createOrganization('Mover');
  await cells.startWorkers(envOf);
}, 180_000);
afterAll(async () => {
  await cells?.stop();
  for (const sink of Object.values(sinks)) await sink.close();
});

const recipientOf = (key: string) => `${key}@example.org`;

async function send(key: string, subject: string): Promise<KeyedCall> {
  const to = [{ email: recipientOf(key) }];
  const call = await sendWithKey(cells.api, mover, key, subject, { to });
  keys.set(key, [...(keys.get(key) ?? []), call]);
  return call;
}

/** Repeats a request until it is known what became of the key, as clients do. */
function sendUntilAnswered(key: string, subject: string): Promise<KeyedCall> {
  const isAnswered = ({ response }: KeyedCall) => response === 'mismatch' || typeof response === 'object';
  return until(() => send(key, subject), isAnswered, PAUSE_MS);
}

/** Three requests with one key at the same time, one of them with another body, and one repeat. */
async function sendTogether(key: string): Promise<void> {
  const answers = await Promise.all(['one', 'one', 'two'].map((subject) => sendUntilAnswered(key, subject)));
  expect(answers.some((call) => idIn(call) !== null)).toBe(true);
  await send(key, 'one');
}

async function keepSending(client: number, signal: AbortSignal): Promise<void> {
  for (let nth = 0; !signal.aborted; nth += 1) {
    await sendTogether(`key-${client}-${nth}`);
    await sleep(PAUSE_MS);
  }
}

/**
 * Moves the organization while a worker has an email in hand. The move takes effect after the old cell has finished its deliveries
 * (`marked`) and before the new cell may begin with any (`settling`).
 */
async function move(to: string): Promise<void> {
  const begun = `begun-before-${to}`;
  const waiting = gate();
  gates.set(recipientOf(begun), waiting);
  await sendUntilAnswered(begun, 'one');
  await waiting.reached;
  const passedMs: Record<string, number> = {};
  const at = async (point: string) => {
    passedMs[point] = performance.now();
    if (point === 'quiet') waiting.release();
  };
  await cells.move(mover, { to, at });
  const times = { beganMs: passedMs.marked ?? 0, endedMs: passedMs.settling ?? 0 };
  moves.push({ request: { does: 'move', to }, response: 'ok', ...times });
}

async function recordHistory(): Promise<void> {
  const stop = new AbortController();
  const clients = [1, 2].map((client) => keepSending(client, stop.signal));
  for (const to of ['two', 'main']) {
    await sendTogether(`before-${to}`);
    await move(to);
    await sendTogether(`after-${to}`);
  }
  stop.abort();
  await Promise.all(clients);
  for (const key of keys.keys()) await sendUntilAnswered(key, 'one');
  await cells.settled(mover);
  for (const one of moves) history.noteForAll(one);
  for (const [key, calls] of keys) history.note(recipientOf(key), acceptanceIn(calls));
}

/** An email is accepted after the first request with its key began, and before the first client gets the id. */
function acceptanceIn(calls: readonly KeyedCall[]): MailCall {
  const beganMs = Math.min(...calls.map((call) => call.beganMs));
  const endedMs = Math.min(...calls.filter((call) => idIn(call) !== null).map((call) => call.endedMs));
  return { request: { does: 'accept' }, response: 'ok', beganMs, endedMs };
}

describe('moves while clients send and repeat', () => {
  const deliveries = () => history.recipients.flatMap((to) => doing(history.of(to), 'deliver'));
  const inOrder = (calls: readonly MailCall[]) => calls.toSorted((a, b) => a.beganMs - b.beganMs);
  const isRight = (calls: readonly MailCall[]) => isLinearizable(inOrder(calls), oneOrganization);

  beforeAll(recordHistory, 300_000);

  it('give one id for each key', () => {
    const wrong = [...keys].filter(([, calls]) => !isLinearizable(calls, idempotencyKey));
    expect(wrong).toEqual([]);
  });

  it('have a serial order for each email, which is delivered once', () => {
    const wrong = history.wrong();
    expect(wrong.map((recipient) => [recipient, history.of(recipient)])).toEqual([]);
    expect(deliveries()).toHaveLength(keys.size);
  });

  it('have a serial order for the organization: one cell delivers at a time', () => {
    expect(isRight([...deliveries(), ...moves])).toBe(true);
    expect(new Set(deliveries().map(({ request }) => request.cell))).toEqual(new Set(['main', 'two']));
  });

  it('would be refused with a delivery of the old cell after the new one began', () => {
    const [first] = moves as [MailCall, MailCall];
    const [delivery] = doing(history.of(recipientOf('before-two')), 'deliver') as [MailCall];
    const late = { ...delivery, beganMs: first.endedMs + 1, endedMs: first.endedMs + 2 };
    const others = deliveries().filter((one) => one.beganMs !== delivery.beganMs);
    expect(isRight([...others, late, ...moves])).toBe(false);
  });

  it('would be refused with a key that was lost on the way', () => {
    const calls = keys.get('before-two') ?? [];
    const last = calls.at(-1) as KeyedCall;
    const accepted = calls.find((call) => idIn(call) !== null) as KeyedCall;
    const again = { ...accepted, response: { id: 'another' }, beganMs: last.endedMs, endedMs: last.endedMs };
    expect(isLinearizable([...calls, again], idempotencyKey)).toBe(false);
  });
});
