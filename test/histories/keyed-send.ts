/** A send with an idempotency key over a real connection, recorded with what the client saw. */
import type { TestApi, TestOrganization } from '../support/api.ts';
import { letter } from '../support/emails.ts';
import type { Call } from './linearize.ts';
import { timed } from './mail-history.ts';
import type { KeyedSend, SendAnswer } from './specifications.ts';

export type KeyedCall = Call<KeyedSend, SendAnswer>;

/** The subject makes the body of one request differ from another's. */
export async function sendWithKey(
  { url }: Pick<TestApi, 'url'>,
  org: TestOrganization,
  key: string,
  subject: string,
  changes: object = {},
): Promise<KeyedCall> {
  const [response, times] = await timed(async () => {
    const answer = await fetch(`${url}/api/v1/emails/send`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${org.key}`,
        'idempotency-key': key,
      },
      body: JSON.stringify(letter(org, { subject, ...changes })),
    });
    return answerOf(answer.status, await answer.text());
  });
  return { request: { body: subject }, response, ...times };
}

function answerOf(status: number, text: string): SendAnswer {
  if (status === 201) return { id: JSON.parse(text).data.message_id };
  if (status === 503) return 'unavailable';
  if (status !== 409) throw new Error(`${status}: ${text}`);
  return text.includes('different body') ? 'mismatch' : 'busy';
}

export function idIn({ response }: KeyedCall): string | null {
  return typeof response === 'object' ? (response?.id ?? null) : null;
}
