import type { Approval } from '@postrider/sdk';

type Mailbox = Approval['from'];

export function mailboxWords({ email, name }: Mailbox): string {
  return name ? `${name} <${email}>` : email;
}

/** The first, and how many more: whoever decides sees all of them on the page of the email. */
export function recipientsWords({ to, cc, bcc }: Pick<Approval, 'to' | 'cc' | 'bcc'>): string {
  const all = [...to, ...cc, ...bcc];
  const [first, ...more] = all;
  if (first === undefined) return '';
  return more.length === 0 ? first.email : `${first.email} and ${more.length} more`;
}
