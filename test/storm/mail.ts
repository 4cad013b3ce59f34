/**
 * What the storm sends, and what must arrive. Everything follows from a token (`plain-12-0`: kind, submission, which
 * email of it), which stands in the subject, so that the sink can tell from a message alone whether it came unharmed.
 */
import { createHash } from 'node:crypto';
import PostalMime from 'postal-mime';

export const KINDS = ['plain', 'rich', 'template', 'scheduled', 'batch', 'mixed'] as const;
export type Kind = (typeof KINDS)[number];

export const SENDER_DOMAIN = 'sender.test';
export const SENDER = `storm@${SENDER_DOMAIN}`;
export const DESTINATIONS = 20;
export const SUBJECT = /^Storm ([a-z]+-\d+-\d+)$/;

/** Text with one variable on each line, so that its rendering is known without rendering it. */
export const TEMPLATE = {
  name: 'Storm',
  subject: 'Storm {{token}}',
  text: 'This is {{token}}.\n{{payload}}\n',
};

export function tokenOf(kind: Kind, submission: number, index: number): string {
  return `${kind}-${submission}-${index}`;
}

/** Of every hundred submissions one goes to nobody, and one to a server that wants to be asked twice. */
export function addressOf(submission: number, index: number): string {
  const part = submission % 100 === 17 ? 'bounce' : submission % 100 === 43 ? 'grey' : 'user';
  return `${part}.${submission}.${index}@d${(submission + index) % DESTINATIONS}.storm.test`;
}

/** At a domain that nobody has written to before; its mail is taken where that of the others is. */
export function strangerAddress(submission: number, index: number): string {
  return `user.${submission}.${index}@${strangerDomain(submission)}`;
}

export function strangerDomain(number: number): string {
  return `n${number}.storm.test`;
}

export const isRefused = (address: string): boolean => address.startsWith('bounce.');
export const isGreylisted = (address: string): boolean => address.startsWith('grey.');

export function dataOf(token: string): { readonly token: string; readonly payload: string } {
  return { token, payload: createHash('sha256').update(token).digest('hex') };
}

export function textOf(token: string): string {
  const { payload } = dataOf(token);
  if (/^(template|batch)-/.test(token)) return `This is ${token}.\n${payload}\n`;
  const lines = Array.from({ length: 1 + (Number.parseInt(payload.slice(0, 2), 16) % 12) }, (_, i) =>
    createHash('sha256').update(`${token}/${i}`).digest('hex'),
  );
  const greeting = token.startsWith('rich-') ? 'Grüße aus dem Sturm.\n' : '';
  return `${greeting}This is ${token}.\n${lines.join('\n')}\n`;
}

export function htmlOf(token: string): string {
  return `<p>Grüße, <b>${token}</b></p>\n<p>${dataOf(token).payload}</p>\n`;
}

export function fileOf(token: string): Buffer {
  return createHash('sha512').update(token).digest();
}

/** As JSON has it, ours and Resend's alike. */
export function attachmentOf(token: string): object {
  return {
    filename: 'storm.bin',
    content: fileOf(token).toString('base64'),
    content_type: 'application/octet-stream',
  };
}

/** Null when the message is, byte for byte, what was sent; else what is wrong with it. */
export async function harmOf(token: string, content: Buffer): Promise<string | null> {
  if (token.startsWith('rich-')) return harmOfRich(token, content);
  const at = content.indexOf('\r\n\r\n');
  const body = content.subarray(at + 4).toString('latin1');
  return body === textOf(token).replaceAll('\n', '\r\n') ? null : `its body is ${JSON.stringify(body)}`;
}

async function harmOfRich(token: string, content: Buffer): Promise<string | null> {
  const { text, html, attachments } = await PostalMime.parse(content);
  // The parser ends every part with a line end of its own.
  if (text?.trimEnd() !== textOf(token).trimEnd()) return `its text is ${JSON.stringify(text)}`;
  if (html?.trimEnd() !== htmlOf(token).trimEnd()) return `its html is ${JSON.stringify(html)}`;
  const [file] = attachments;
  if (attachments.length !== 1 || file === undefined) return `it has ${attachments.length} files`;
  const bytes = typeof file.content === 'string' ? Buffer.from(file.content) : new Uint8Array(file.content);
  return fileOf(token).equals(bytes) ? null : 'its file is another';
}
