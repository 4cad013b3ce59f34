import type { Approval } from '@postrider/sdk';

type Mailbox = Approval['from'];

export function mailboxWords({ email, name }: Mailbox): string {
  return name ? `${name} <${email}>` : email;
}

/** The first recipient and the number of the others. The page of the email lists all of them. */
export function recipientsWords({ to, cc, bcc }: Pick<Approval, 'to' | 'cc' | 'bcc'>): string {
  const all = [...to, ...cc, ...bcc];
  const [first, ...more] = all;
  if (first === undefined) return '';
  return more.length === 0 ? first.email : `${first.email} and ${more.length} more`;
}

export function answersWords({ reply_to_list: list, receive_replies }: Approval): string {
  const words = list.map(mailboxWords).join(', ');
  return receive_replies ? `${words} (received here)` : words;
}

export function templateWords({ template_id, template_version, locale }: Approval): string {
  const version = `${template_id}, version ${template_version}`;
  return locale === null ? version : `${version}, in ${locale}`;
}

const CLICKS: Readonly<Record<Approval['track_clicks'], string>> = {
  off: '',
  html: 'clicks on links of the HTML',
  html_and_text: 'clicks on links of HTML and text',
};

export function trackingWords({ track_opens, track_clicks }: Approval): string {
  const words = [track_opens ? 'opens, with a pixel' : '', CLICKS[track_clicks]].filter((one) => one !== '');
  return words.length === 0 ? 'None' : words.join('; ');
}
