/** Sends a mail into each refusal, and holds against the expectation what events, explain and the suppression list say. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SENDER } from './hosts.ts';
import type { EmailEvent, Explanation, Postrider } from './postrider.ts';
import { addressOfRefusal, REFUSALS, type Refusal } from './refusals.ts';
import type { Row } from './report.ts';

const TOLD_WITHIN_MS = 120_000;
export const REFUSAL_COLUMNS = ['refusal', 'status', 'code', 'reason', 'responsible', 'suppressed'];

export async function sufferRefusals(postrider: Postrider): Promise<Row[]> {
  const ids: string[] = [];
  for (const [i, { subject, text }] of REFUSALS.entries())
    ids.push(
      await postrider.send({
        from: { email: SENDER },
        to: [{ email: addressOfRefusal(i) }],
        subject: subject ?? `Refusal ${i + 1}`,
        text: text ?? 'Hello.\n',
      }),
    );
  const reports: Report[] = [];
  for (const id of ids) reports.push(await tell(postrider, id));
  const suppressed = await postrider.get<{ email: string }[]>('/suppressions?limit=100');
  const list = new Set(suppressed.map(({ email }) => email));
  return REFUSALS.map((refusal, i) => rowOf(refusal, reports[i], list.has(addressOfRefusal(i))));
}

interface Report {
  readonly event: EmailEvent | undefined;
  readonly explained: Explanation | undefined;
}

/** As soon as the first attempt is over. */
async function tell(postrider: Postrider, id: string): Promise<Report> {
  const deadline = performance.now() + TOLD_WITHIN_MS;
  for (;;) {
    const { events } = await postrider.get<{ events: EmailEvent[] }>(`/emails/${id}`);
    const event = events.find(({ type }) => type !== 'queued' && type !== 'processing');
    if (event !== undefined || performance.now() > deadline) {
      const { recipients } = await postrider.get<{ recipients: Explanation[] }>(`/emails/${id}/explain`);
      return { event, explained: recipients[0] };
    }
    await sleep(200);
  }
}

export function rowOf({ name, expect }: Refusal, reports: Report | undefined, isSuppressed: boolean): Row {
  const { event, explained } = reports ?? {};
  const problem = explained?.problem ?? null;
  const [attempt] = explained?.attempts ?? [];
  const facts: readonly (readonly [string, unknown, unknown])[] = [
    ['the event', event?.type, expect.status],
    ['the status', explained?.status, expect.status],
    ['the code', event?.smtp_code, expect.code],
    ['the reason of the event', event?.reason, expect.reason],
    ['the reason of the attempt', attempt?.reason, expect.reason],
    ['the problem', problem?.reason, expect.reason],
    ['who is responsible', problem?.responsible, expect.responsible],
    ['suppressed', isSuppressed, expect.suppressed ?? false],
  ];
  const wrong = facts.filter(([, got, expected]) => got !== expected);
  return {
    cells: [
      name,
      event?.type ?? 'nothing',
      String(event?.smtp_code ?? '-'),
      event?.reason ?? '-',
      problem?.responsible ?? '-',
      isSuppressed ? 'yes' : 'no',
    ],
    problems: [
      ...wrong.map(([what, got, expected]) => `${what} is ${String(got)}, not ${String(expected)}`),
      ...(wrong.length > 0 ? [`the server said: ${event?.smtp_message ?? 'nothing'}`] : []),
    ],
  };
}
