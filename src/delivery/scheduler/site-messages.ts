/** The messages that users see about a site. Pure. */

import type { SiteState } from '../../sites/site-view.ts';
import type { SiteQueue } from './queue-view.ts';

type ShownSite = Pick<SiteQueue, 'state' | 'pace' | 'connections'>;

const MESSAGES: Readonly<Record<Exclude<SiteState, 'slow'>, string>> = {
  open: 'The server accepts mail.',
  blocked:
    'The server could not be reached or refused mail temporarily. Postrider sends nothing to the server until the block ends.',
  probing:
    'Postrider tries the server again with one delivery. If the delivery succeeds, all queued mail for the server is sent.',
  paused: 'The operator of this installation paused sending to the server.',
};

/** Added for a site whose mail may match rules of the route table. */
export const ROUTED =
  'The route table may send mail for this site through another transport. The explanation of an email shows which transport the email is waiting for.';

export function siteMessage({ state, pace, connections }: ShownSite): string {
  const message =
    state === 'slow' && pace !== null
      ? `The server asked for slower sending and gets ${paceWords(pace)}. The pace doubles while the server accepts all mail.`
      : MESSAGES[state === 'slow' ? 'open' : state];
  if (connections === null || state === 'paused') return message;
  const many = connections === 1 ? 'one connection' : `${connections} connections`;
  return `${message} The server limits connections: Postrider opens ${many} at a time.`;
}

export function paceWords(pace: number): string {
  const rounded = pace < 10 ? Math.round(pace * 10) / 10 : Math.round(pace);
  return rounded === 1 ? 'one message a minute' : `${rounded} messages a minute`;
}
