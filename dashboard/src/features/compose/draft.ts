/** An email while it is written, and how it becomes a request. */
import type { Body } from '@postrider/sdk';

export interface Draft {
  readonly by: 'hand' | 'template';
  readonly fromLocal: string;
  readonly fromDomain: string;
  readonly fromName: string;
  readonly to: string;
  readonly cc: string;
  readonly bcc: string;
  readonly replyTo: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly templateId: string;
  readonly templateData: string;
  readonly scheduledAt: string;
  readonly tags: string;
  readonly requireTls: boolean;
}

export const EMPTY_DRAFT: Draft = {
  by: 'hand',
  fromLocal: 'hello',
  fromDomain: '',
  fromName: '',
  to: '',
  cc: '',
  bcc: '',
  replyTo: '',
  subject: '',
  text: '',
  html: '',
  templateId: '',
  templateData: '{}',
  scheduledAt: '',
  tags: '',
  requireTls: false,
};

export interface PartProps {
  readonly draft: Draft;
  readonly onChange: (changes: Partial<Draft>) => void;
}

/** A file that goes along, as the API takes it. */
export interface DraftFile {
  readonly filename: string;
  readonly content_type: string;
  readonly content: string;
}

interface Mailbox {
  readonly email: string;
  readonly name?: string;
}

export function toRequest(draft: Draft, files: readonly DraftFile[] = []): Body<'POST /emails/send'> {
  return {
    from: {
      email: `${draft.fromLocal.trim()}@${draft.fromDomain}`,
      ...(draft.fromName.trim() === '' ? {} : { name: draft.fromName.trim() }),
    },
    to: parseMailboxes(draft.to),
    ...unlessEmpty('cc', parseMailboxes(draft.cc)),
    ...unlessEmpty('bcc', parseMailboxes(draft.bcc)),
    ...unlessEmpty('reply_to', parseMailboxes(draft.replyTo)),
    subject: draft.subject,
    ...content(draft),
    ...(draft.scheduledAt === '' ? {} : { scheduled_at: new Date(draft.scheduledAt).toISOString() }),
    ...unlessEmpty('tags', parseTags(draft.tags)),
    ...(draft.requireTls ? { require_tls: true } : {}),
    ...unlessEmpty(
      'attachments',
      files.map(({ filename, content_type, content }) => ({ filename, content_type, content })),
    ),
  };
}

/** `Ada <ada@example.org>, grace@example.org`. What is no address goes along: the server says what is wrong with it. */
export function parseMailboxes(text: string): Mailbox[] {
  return text
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const named = /^(.*)<([^<>]*)>$/.exec(part);
      if (!named) return { email: part };
      const name = (named[1] ?? '').trim().replace(/^"(.*)"$/, '$1');
      const email = (named[2] ?? '').trim();
      return name === '' ? { email } : { email, name };
    });
}

function content(draft: Draft) {
  if (draft.by === 'template')
    return { template_id: draft.templateId, template_data: parseData(draft.templateData) };
  return {
    ...(draft.text === '' ? {} : { text: draft.text }),
    ...(draft.html === '' ? {} : { html: draft.html }),
  };
}

/** Throws with words for people: it is shown where the server's problems are. */
export function parseData(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('The sample data must be a JSON object, such as {"name": "Ada"}.');
  return value as Record<string, unknown>;
}

function parseTags(text: string): { name: string; value: string }[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const colon = part.indexOf(':');
      return colon === -1
        ? { name: part, value: '' }
        : { name: part.slice(0, colon), value: part.slice(colon + 1) };
    });
}

function unlessEmpty<K extends string, T>(name: K, list: T[]): { [key in K]?: T[] } {
  return (list.length === 0 ? {} : { [name]: list }) as { [key in K]?: T[] };
}
