/** Over SMTP: the same mail, written as a whole message, and the replies in the words of the others' answers. */
import { createTransport } from 'nodemailer';
import type { Answer, Ingress, IngressTarget } from './ingress.ts';
import { KEY } from './installation.ts';
import type { Submission } from './ledger.ts';
import { dataOf, fileOf, htmlOf, SENDER, TEMPLATE, textOf, tokenOf } from './mail.ts';

/** Longer than the server's own patience, shorter than ours. */
const ANSWER_WITHIN_MS = 20_000;

export const smtp: Ingress = {
  name: 'smtp',
  share: 1,
  kinds: ['plain', 'rich', 'template', 'scheduled'],
  keyed: true,
  isOpen: ({ smtpPort }) => smtpPort !== undefined,
  submit: async (submission, target) => {
    const transport = createTransport({
      host: '127.0.0.1',
      port: target.smtpPort,
      auth: { user: 'storm', pass: KEY },
      connectionTimeout: ANSWER_WITHIN_MS,
      greetingTimeout: ANSWER_WITHIN_MS,
      socketTimeout: ANSWER_WITHIN_MS,
    });
    try {
      const envelope = { from: SENDER, to: [...(submission.emails[0] ?? [])] };
      const { response } = await transport.sendMail({ envelope, raw: messageOf(submission, target) });
      return accepted(response);
    } catch (error) {
      return refused(error);
    } finally {
      transport.close();
    }
  },
};

function accepted(response: string): Answer {
  const id = /queued as ([0-9a-f-]{36})/.exec(response)?.[1];
  if (id === undefined) throw new Error(`no id in ${response}`);
  return { status: 201, text: JSON.stringify({ data: { message_id: id } }) };
}

/** 4xx: not now, as 503 says it. Without a reply there is no answer. */
function refused(error: unknown): Answer {
  const { responseCode: code, message } = error as { responseCode?: number; message: string };
  if (code === undefined) throw error;
  return { status: code < 500 ? 503 : 400, text: JSON.stringify({ error: message }) };
}

/** The same bytes every time. With a key it has a Message-ID, by which it is known again. */
function messageOf(submission: Submission, { templateId }: IngressTarget): string {
  const { kind, number, emails, idempotencyKey, scheduledAtMs } = submission;
  const token = tokenOf(kind, number, 0);
  const [to, cc] = emails[0] ?? [];
  const fields = [
    `From: ${SENDER}`,
    `To: ${to}`,
    ...(cc === undefined ? [] : [`Cc: ${cc}`]),
    `Subject: ${kind === 'template' ? TEMPLATE.subject : `Storm ${token}`}`,
    ...(idempotencyKey === null ? [] : [`Message-ID: <${idempotencyKey.replace('/', '-')}@sender.test>`]),
    ...(scheduledAtMs === null ? [] : [`X-Postrider-Send-At: ${new Date(scheduledAtMs).toISOString()}`]),
    ...(kind === 'template'
      ? [`X-Postrider-Template: ${templateId}`, `X-Postrider-Template-Data: ${JSON.stringify(dataOf(token))}`]
      : []),
  ];
  const content = kind === 'rich' ? richParts(token) : `\r\n${inLines(textOf(token))}`;
  return `${fields.join('\r\n')}\r\n${content}`;
}

function richParts(token: string): string {
  const part = (boundary: string, type: string, data: Buffer, more = '') =>
    `--${boundary}\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n${more}\r\n` +
    `${data.toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n`;
  const disposition = 'Content-Disposition: attachment; filename=storm.bin\r\n';
  return (
    'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=storm\r\n\r\n' +
    '--storm\r\nContent-Type: multipart/alternative; boundary=words\r\n\r\n' +
    part('words', 'text/plain; charset=utf-8', Buffer.from(textOf(token))) +
    part('words', 'text/html; charset=utf-8', Buffer.from(htmlOf(token))) +
    '--words--\r\n' +
    part('storm', 'application/octet-stream', fileOf(token), disposition) +
    '--storm--\r\n'
  );
}

function inLines(text: string): string {
  return text.replaceAll('\n', '\r\n');
}
