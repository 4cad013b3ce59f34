/** Moments in the reader's own zone; the exact UTC on hover and for programs. */
import { Fragment } from 'react';

const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const short = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
const shortWithYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
/** In the language of the words around it. */
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 7],
];

interface Props {
  readonly at: string | null | undefined;
  readonly style?: 'ago' | 'exact' | 'short';
  readonly none?: string;
}

export function Time({ at, style = 'ago', none = '–' }: Props) {
  if (!at) return <span className="quiet">{none}</span>;
  const date = new Date(at);
  const utc = `${date.toISOString().replace('T', ' ').replace('Z', '')} UTC`;
  const text = style === 'exact' ? absolute.format(date) : style === 'short' ? short.format(date) : ago(date);
  return (
    <time dateTime={date.toISOString()} title={style === 'exact' ? utc : `${absolute.format(date)}\n${utc}`}>
      {text}
    </time>
  );
}

/** Moments in sentences of the server, which does not know the zone of the reader. */
const MOMENT = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z| UTC)|midnight UTC/g;

/** A sentence of the server with its times in the zone of the reader. */
export function LocalTimes({ text }: { readonly text: string }) {
  const moments = [...text.matchAll(MOMENT)];
  if (moments.length === 0) return text;
  const between = text.split(MOMENT);
  return (
    <>
      {between[0]}
      {moments.map(([moment], place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same moment may come twice, always in the same order
        <Fragment key={place}>
          <Time at={momentOf(moment)} style="exact" />
          {between[place + 1]}
        </Fragment>
      ))}
    </>
  );
}

function momentOf(text: string): string {
  if (text === 'midnight UTC') return new Date(new Date().setUTCHours(24, 0, 0, 0)).toISOString();
  return text.replace(' UTC', 'Z').replace(' ', 'T');
}

export function ago(date: Date, nowMs: number = Date.now()): string {
  let value = (date.getTime() - nowMs) / 1000;
  if (Math.abs(value) < 5) return value > 1 ? 'in a moment' : 'just now';
  for (const [unit, size] of STEPS) {
    if (Math.abs(value) < size) return relative.format(Math.trunc(value), unit);
    value /= size;
  }
  return (date.getFullYear() === new Date(nowMs).getFullYear() ? short : shortWithYear).format(date);
}
