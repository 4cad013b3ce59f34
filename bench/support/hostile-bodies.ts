/** The most expensive bodies within 20 MiB, each for the route with the most work. */
const MIB = 1024 * 1024;

export interface HostileBody {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  /** Sent with an Idempotency-Key, so that the body is also hashed. */
  readonly keyed?: true;
}

const letter = {
  from: { email: 'hello@sandbox.test' },
  to: [{ email: 'ada@example.org' }],
  subject: 'x',
  text: 'x',
};
const send = (name: string, fields: object): HostileBody => ({
  name,
  path: '/emails/send',
  text: JSON.stringify({ ...letter, ...fields }),
});
const raw = (name: string, text: string, path = '/emails/send'): HostileBody => ({ name, path, text });
const times = <T>(length: number, make: (index: number) => T) => Array.from({ length }, (_, i) => make(i));
const base64 = (chars: number) => 'QUJD'.repeat(Math.floor(chars / 4));

/** `part`: the share of the largest allowed size, which the names contain. */
export function hostileBodies(templateId: string, part: number): HostileBody[] {
  const LARGEST = Math.round(20 * MIB * part);
  const many = <T>(length: number, make: (index: number) => T) => times(Math.ceil(length * part), make);
  const batch = { template_id: templateId, from: letter.from };
  return [
    raw('1.4 million names', `{${many(1_400_000, (i) => `"${i}":1`).join()}}`),
    raw('2,000 names, 190 times', `{"metadata":[${many(190, () => wide(2_000)).join()}]}`),
    raw('10 million zeros', `{"to":[${'0,'.repeat(LARGEST / 2 - 20)}0]}`),
    raw('10 million opening brackets', '['.repeat(LARGEST / 2)),
    raw('20 MiB of line breaks', '\n'.repeat(LARGEST - 2)),
    raw('a number of 20 MiB', `{"expires_in":${'1'.repeat(LARGEST - 40)}}`),
    raw('a name of 20 MiB', `{"${'k'.repeat(LARGEST - 20)}":1}`),
    raw('20 MiB of escaped line breaks', `{"text":"${'\\n'.repeat(LARGEST / 2 - 20)}"}`),
    raw('20 MiB of escaped quotes', `{"text":"${'\\"'.repeat(LARGEST / 2 - 20)}"}`),
    raw('20 MiB of \\u escapes', `{"subject":"${'\\u0142'.repeat(LARGEST / 6 - 20)}"}`),
    raw('20 MiB of Ģ as a subject', `{"subject":"${'Ģ'.repeat(LARGEST / 2 - 20)}"}`),
    raw('20 MiB of emoji as a subject', `{"subject":"${'😀'.repeat(LARGEST / 4 - 20)}"}`),
    {
      ...raw('20 MiB of Ģ as a subject, with a key', `{"subject":"${'Ģ'.repeat(LARGEST / 2 - 20)}"}`),
      keyed: true,
    },
    { ...raw('10 million zeros, with a key', `{"to":[${'0,'.repeat(LARGEST / 2 - 20)}0]}`), keyed: true },
    send('400,000 values as recipients', { to: many(190_000, () => ({ a: 1 })) }),
    send('1,900 unknown fields', Object.fromEntries(many(1_900, (i) => [`subjct${i}`, 1]))),
    send('190,000 tags', { tags: many(190_000, () => ({ name: 'a' })) }),
    send('one attachment of 20 MiB', { attachments: [{ filename: 'a', content: base64(LARGEST - 400) }] }),
    {
      ...send('one attachment of 20 MiB, with a key', {
        attachments: [{ filename: 'a', content: base64(LARGEST - 400) }],
      }),
      keyed: true,
    },
    send('50 recipients and 50 attachments of 400 KB', {
      to: many(50, (i) => ({ email: `ada+${i}@example.org` })),
      attachments: many(50, (i) => ({ filename: `${i}`, content: base64(400_000) })),
    }),
    send('2 MiB of html and of text', { html: '<p>é</p>'.repeat(220_000), text: '"é\n'.repeat(400_000) }),
    raw(
      'a batch of 1,000 with 20 KB of data each',
      JSON.stringify({
        ...batch,
        recipients: many(1_000, (i) => ({
          to: { email: `ada+${i}@example.org` },
          data: { name: 'é"\n'.repeat(2_500) },
        })),
      }),
      '/emails/batch',
    ),
    raw(
      'a batch of 1,000 with 300 values each',
      JSON.stringify({
        ...batch,
        recipients: many(1_000, (i) => ({
          to: { email: `ada+${i}@example.org` },
          data: { rows: many(300, (at) => at) },
        })),
      }),
      '/emails/batch',
    ),
    raw(
      'an import of 100,000 addresses',
      JSON.stringify({
        suppressions: many(100_000, (i) => ({ email: `a${i}@example.org`, reason: 'manual' })),
      }),
      '/suppressions/import',
    ),
    raw(
      '100 addresses of 200 KB',
      JSON.stringify({ emails: many(100, (i) => `${'a.'.repeat(100_000)}${i}@example.org`) }),
      '/emails/validate/batch',
    ),
    raw(
      'a template with 200 rules and 20 MiB of defaults',
      JSON.stringify({
        name: 'x',
        subject: 'x',
        text: 'x',
        variable_schema: many(200, (i) => ({
          name: `v${i}`,
          type: 'array',
          default_value: many(900, () => 'x'.repeat(100)),
        })),
      }),
      '/templates',
    ),
  ];
}

function wide(names: number): string {
  return `{${times(names, (i) => `"key${i}":1`).join()}}`;
}
