/**
 * The ways in. A ingress makes one request for a submission and says what was answered; which submission goes where, and
 * what is tried again, is the sender's business. Another way in is another entry of `INGRESSES`.
 */
import { post } from './http-post.ts';
import type { Submission } from './ledger.ts';
import { attachmentOf, dataOf, htmlOf, type Kind, SENDER, TEMPLATE, textOf, tokenOf } from './mail.ts';
import { resend } from './resend-ingress.ts';
import { smtp } from './smtp-ingress.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface Ingress {
  readonly name: string;
  /** How many of all submissions come this way, compared with the other ingresses. */
  readonly share: number;
  /** What goes through it. */
  readonly kinds: readonly Kind[];
  /** Whether a request may be repeated under the same key. */
  readonly keyed: boolean;
  /** Whether the installation has it. */
  isOpen(to: IngressTarget): boolean;
  /** Rejects when there was no answer. */
  submit(submission: Submission, to: IngressTarget): Promise<Answer>;
}

export interface IngressTarget {
  readonly url: string;
  readonly templateId: string;
  /** Undefined where nobody takes mail over SMTP. */
  readonly smtpPort?: number | undefined;
}

const http: Ingress = {
  name: 'http',
  share: 4,
  kinds: ['plain', 'rich', 'template', 'scheduled', 'batch', 'mixed'],
  keyed: true,
  isOpen: () => true,
  submit: (submission, target) =>
    post(`${target.url}/api/v1${pathOf(submission)}`, bodyOf(submission, target), submission.idempotencyKey),
};

export const INGRESSES: readonly Ingress[] = [http, smtp, resend];

function pathOf({ kind }: Submission): string {
  if (kind === 'mixed') return '/emails/batch/mixed';
  return kind === 'batch' ? '/emails/batch' : '/emails/send';
}

/** The same bytes every time. */
function bodyOf(submission: Submission, { templateId }: IngressTarget): string {
  const { kind, number, emails } = submission;
  if (kind === 'batch') {
    const recipients = emails.map(([email], i) => ({
      to: { email },
      data: dataOf(tokenOf(kind, number, i)),
    }));
    return JSON.stringify({ from: { email: SENDER }, template_id: templateId, recipients });
  }
  const all = emails.map((_, i) => emailOf(submission, i, templateId));
  return JSON.stringify(kind === 'mixed' ? { emails: all, all_or_none: true } : all[0]);
}

function emailOf(
  { kind, number, emails, scheduledAtMs }: Submission,
  index: number,
  templateId: string,
): object {
  const token = tokenOf(kind, number, index);
  const [to, ...cc] = (emails[index] ?? []).map((email) => ({ email }));
  const envelope = { from: { email: SENDER }, to: [to], ...(cc.length > 0 ? { cc } : {}) };
  if (kind === 'template') {
    const { subject } = TEMPLATE;
    return { ...envelope, subject, template_id: templateId, template_data: dataOf(token) };
  }
  const rich = kind === 'rich' ? { html: htmlOf(token), attachments: [attachmentOf(token)] } : {};
  const later = scheduledAtMs === null ? {} : { scheduled_at: new Date(scheduledAtMs).toISOString() };
  return { ...envelope, subject: `Storm ${token}`, text: textOf(token), ...rich, ...later };
}
