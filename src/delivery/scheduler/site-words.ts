/** What people read about a site. Pure. */
import type { SiteQueue } from './queue-view.ts';
import type { Standing } from './site-condition.ts';

type Told = Pick<SiteQueue, 'standing' | 'pace' | 'connections'>;

const STATES: Readonly<Record<Exclude<Standing, 'slow'>, string>> = {
  open: 'It takes mail.',
  blocked: 'It could not be reached, or asked for silence: it is left alone until its time is over.',
  probing: 'It is tried again with one delivery. When that works, everything that waits goes on.',
  paused: 'The operator of this installation paused sending to it.',
};

export function siteMessage({ standing, pace, connections }: Told): string {
  const state =
    standing === 'slow' && pace !== null
      ? `It asked for less, and gets ${paceWords(pace)}. The pace doubles while it takes what it gets.`
      : STATES[standing === 'slow' ? 'open' : standing];
  if (connections === null || standing === 'paused') return state;
  const many = connections === 1 ? 'one connection' : `${connections} connections`;
  return `${state} It gets ${many} at a time, because it said that there were too many.`;
}

export function paceWords(pace: number): string {
  const rounded = pace < 10 ? Math.round(pace * 10) / 10 : Math.round(pace);
  return rounded === 1 ? 'one message a minute' : `${rounded} messages a minute`;
}
