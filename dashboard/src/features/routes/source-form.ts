/** Source addresses and their curves of warming up as a form has them: texts, until they are sent. Pure. */
import type { Table, Transport, WantedTransport } from './table-text.ts';

type WantedSource = NonNullable<WantedTransport['sources']>[number];
export type Curves = Table['usual']['warm_up'];
type Over = NonNullable<NonNullable<WantedSource['warm_up']>['over']>;

export interface CurveForm {
  /** Null: the default curve. */
  readonly provider: string | null;
  /** Mails a day, from the first day on. */
  readonly days: readonly string[];
}

export interface WarmUpForm {
  readonly since: string;
  readonly over: Over;
  /** The first is for everybody else. */
  readonly curves: readonly CurveForm[];
}

export interface SourceForm {
  readonly address: string;
  readonly ehloName: string;
  readonly weight: string;
  readonly connections: string;
  readonly warmUp: WarmUpForm | null;
}

export const EMPTY_SOURCE: SourceForm = {
  ...{ address: '', ehloName: '', weight: '1', connections: '', warmUp: null },
};

export function sourceForm(source: Transport['sources'][number]): SourceForm {
  const { address, ehlo_name, weight, connections, warm_up } = source;
  return {
    address,
    ehloName: ehlo_name ?? '',
    weight: String(weight),
    connections: connections === null ? '' : String(connections),
    warmUp: warm_up && { since: warm_up.since, over: warm_up.over, curves: curveForms(warm_up) },
  };
}

export function newWarmUp(usual: Curves, now: Date): WarmUpForm {
  return { since: now.toISOString().slice(0, 10), over: 'fallback', curves: curveForms(usual) };
}

export function curveForms({ curve, curves }: Curves): CurveForm[] {
  const texts = (mails: readonly number[]) => mails.map(String);
  const own = Object.entries(curves)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([provider, mails]) => ({ provider, days: texts(mails) }));
  return [{ provider: null, days: texts(curve) }, ...own];
}

export function wantedSource({ address, ehloName, weight, connections, warmUp }: SourceForm): WantedSource {
  return {
    address: address.trim(),
    ehlo_name: ehloName.trim() === '' ? null : ehloName.trim(),
    weight: Number(weight),
    connections: connections.trim() === '' ? null : Number(connections),
    warm_up: warmUp && { since: warmUp.since, over: warmUp.over, ...wantedCurves(warmUp.curves) },
  };
}

function wantedCurves(curves: readonly CurveForm[]): Curves {
  const own = curves.flatMap(({ provider, days }) => (provider === null ? [] : [[provider, mailsOf(days)]]));
  return { curve: mailsOf(curves[0]?.days ?? []), curves: Object.fromEntries(own) };
}

export function mailsOf(days: readonly string[]): number[] {
  return days.map((text) => (isCount(text) ? Number(text) : 0));
}

const MOST = 100_000_000;
export const MOST_DAYS = 100;

function isCount(text: string): boolean {
  return /^\s*\d{1,9}\s*$/.test(text) && Number(text) >= 1 && Number(text) <= MOST;
}

/** Which of the days cannot be sent as they are, counting from 0. */
export function unreadableDays(days: readonly string[]): number[] {
  return days.flatMap((text, index) => (isCount(text) ? [] : [index]));
}

export function isReadable({ warmUp }: SourceForm): boolean {
  return warmUp === null || warmUp.curves.every(({ days }) => unreadableDays(days).length === 0);
}

/** What may be sent and is hardly meant: providers distrust jumps, and nobody warms up downwards. */
export function curveAdvice(mails: readonly number[]): string | null {
  for (const [index, now] of mails.entries()) {
    const before = mails[index - 1];
    if (before === undefined || before === 0 || now === 0) continue;
    if (now < before) return `Day ${index + 1} has less than the day before.`;
    if (now > 2 * before)
      return `Day ${index + 1} has more than twice the day before: providers distrust jumps.`;
  }
  return null;
}

/** `50, 100, 150 … 100,000 emails in 21 days`. */
export function curveWords(mails: readonly number[]): string {
  const told = mails.map((count) => count.toLocaleString('en'));
  const short = told.length > 5 ? `${told.slice(0, 3).join(', ')} … ${told.at(-1)}` : told.join(', ');
  return `${short} emails in ${told.length === 1 ? '1 day' : `${told.length} days`}`;
}

export function isUsual(curves: readonly CurveForm[], usual: Curves): boolean {
  const told = (all: Curves) => JSON.stringify([all.curve, Object.entries(all.curves).sort()]);
  return told(wantedCurves(curves)) === told(usual);
}
