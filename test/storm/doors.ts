/**
 * The ways in. A door makes one request for a submission and says what was answered; which submission goes where, and
 * what is tried again, is the sender's business. Another way in is another entry of `DOORS`.
 */
import { Agent, request } from 'node:http';
import { KEY } from './installation.ts';
import type { Submission } from './ledger.ts';
import { dataOf, fileOf, htmlOf, type Kind, SENDER, TEMPLATE, textOf, tokenOf } from './mail.ts';
import { smtp } from './smtp-door.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface Door {
  readonly name: string;
  /** How many of all submissions come this way, compared with the other doors. */
  readonly share: number;
  /** What goes through it. */
  readonly kinds: readonly Kind[];
  /** Whether a request may be repeated under the same key. */
  readonly keyed: boolean;
  /** Whether the installation has it. */
  isOpen(to: DoorTarget): boolean;
  /** Rejects when there was no answer. */
  submit(submission: Submission, to: DoorTarget): Promise<Answer>;
}

export interface DoorTarget {
  readonly url: string;
  readonly templateId: string;
  /** Undefined where nobody takes mail over SMTP. */
  readonly smtpPort?: number | undefined;
}

/** Longer than the API's own patience, shorter than ours. */
const ANSWER_WITHIN_MS = 20_000;
const agent = new Agent({ keepAlive: true, maxSockets: 500 });

const http: Door = {
  name: 'http',
  share: 4,
  kinds: ['plain', 'rich', 'template', 'scheduled', 'batch'],
  keyed: true,
  isOpen: () => true,
  submit: (submission, target) => {
    const path = submission.kind === 'batch' ? '/emails/batch' : '/emails/send';
    const { idempotencyKey } = submission;
    return post(`${target.url}/api/v1${path}`, bodyOf(submission, target), {
      ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
    });
  },
};

export const DOORS: readonly Door[] = [http, smtp];

/** The same bytes every time. */
function bodyOf(submission: Submission, { templateId }: DoorTarget): string {
  const { kind, number, emails, scheduledAtMs } = submission;
  const from = { email: SENDER };
  if (kind === 'batch') {
    const recipients = emails.map(([email], i) => ({
      to: { email },
      data: dataOf(tokenOf(kind, number, i)),
    }));
    return JSON.stringify({ from, template_id: templateId, recipients });
  }
  const token = tokenOf(kind, number, 0);
  const [to, ...cc] = (emails[0] ?? []).map((email) => ({ email }));
  const envelope = { from, to: [to], ...(cc.length > 0 ? { cc } : {}) };
  if (kind === 'template') {
    const { subject } = TEMPLATE;
    return JSON.stringify({ ...envelope, subject, template_id: templateId, template_data: dataOf(token) });
  }
  const rich = kind === 'rich' ? { html: htmlOf(token), attachments: [attachment(token)] } : {};
  const later = scheduledAtMs === null ? {} : { scheduled_at: new Date(scheduledAtMs).toISOString() };
  return JSON.stringify({ ...envelope, subject: `Storm ${token}`, text: textOf(token), ...rich, ...later });
}

function attachment(token: string): object {
  return {
    filename: 'storm.bin',
    content: fileOf(token).toString('base64'),
    content_type: 'application/octet-stream',
  };
}

function post(url: string, body: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      agent,
      headers: {
        authorization: `Bearer ${KEY}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        ...headers,
      },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        if (!response.complete) reject(new Error('the answer was cut off'));
        else resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      });
    });
    sent.end(body);
  });
}
