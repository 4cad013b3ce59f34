/** In Resend's words: the same mail in its JSON, and its answers in the words of ours. */

import { post } from './http-post.ts';
import type { Answer, Ingress } from './ingress.ts';
import type { Submission } from './ledger.ts';
import { attachmentOf, dataOf, htmlOf, SENDER, textOf, tokenOf } from './mail.ts';

export const resend: Ingress = {
  name: 'resend',
  share: 1,
  kinds: ['plain', 'rich', 'template', 'scheduled', 'mixed'],
  keyed: true,
  isOpen: () => true,
  submit: async (submission, { url, templateId }) => {
    const isMany = submission.kind === 'mixed';
    const all = submission.emails.map((_, i) => emailOf(submission, i, templateId));
    const path = isMany ? '/emails/batch' : '/emails';
    const body = JSON.stringify(isMany ? all : all[0]);
    const answer = await post(`${url}/compat/resend${path}`, body, submission.idempotencyKey);
    return answer.status === 200 ? inOurWords(answer.text) : answer;
  },
};

/** The same bytes every time. */
function emailOf(
  { kind, number, emails, scheduledAtMs }: Submission,
  index: number,
  templateId: string,
): object {
  const token = tokenOf(kind, number, index);
  const [to, ...cc] = emails[index] ?? [];
  const envelope = { from: SENDER, to, ...(cc.length > 0 ? { cc } : {}) };
  if (kind === 'template') return { ...envelope, template: { id: templateId, variables: dataOf(token) } };
  const rich = kind === 'rich' ? { html: htmlOf(token), attachments: [attachmentOf(token)] } : {};
  const later = scheduledAtMs === null ? {} : { scheduled_at: new Date(scheduledAtMs).toISOString() };
  return { ...envelope, subject: `Storm ${token}`, text: textOf(token), ...rich, ...later };
}

function inOurWords(text: string): Answer {
  const { id, data } = JSON.parse(text) as { id?: string; data?: readonly { id: string }[] };
  const results = data?.map((one) => ({ message_id: one.id }));
  return { status: 201, text: JSON.stringify({ data: results ? { results } : { message_id: id } }) };
}
