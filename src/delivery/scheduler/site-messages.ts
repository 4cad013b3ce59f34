/** The messages that users see about a site. Pure. */

import type { SiteState } from '../../sites/site-view.ts';
import type { SiteQueue } from './queue-view.ts';

type ShownSite = Pick<SiteQueue, 'state' | 'pace' | 'connections'>;

const MESSAGES: Readonly<Record<Exclude<SiteState, 'slow'>, string>> = {
  open: 'It takes mail.',
  blocked: 'It could not be reached, or asked us to stop for a while: nothing is sent to it until then.',
  probing: 'It is tried again with one delivery. If that succeeds, all waiting mail goes on.',
  paused: 'The operator of this installation paused sending to it.',
};

/** Added for a site whose mail may match rules of the route table. */
export const ROUTED =
  'Routes may send its mail another way; what waits for a transport is told by the explanation of the email.';

export function siteMessage({ state, pace, connections }: ShownSite): string {
  const message =
    state === 'slow' && pace !== null
      ? `It asked us to slow down, and gets ${paceWords(pace)}. The pace doubles while it accepts what it gets.`
      : MESSAGES[state === 'slow' ? 'open' : state];
  if (connections === null || state === 'paused') return message;
  const many = connections === 1 ? 'one connection' : `${connections} connections`;
  return `${message} It gets ${many} at a time, because it said there were too many.`;
}

export function paceWords(pace: number): string {
  const rounded = pace < 10 ? Math.round(pace * 10) / 10 : Math.round(pace);
  return rounded === 1 ? 'one message a minute' : `${rounded} messages a minute`;
}
