/** Moments in the reader's own zone; the exact UTC on hover and for programs. */
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const short = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
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

export function ago(date: Date, nowMs: number = Date.now()): string {
  let value = (date.getTime() - nowMs) / 1000;
  if (Math.abs(value) < 5) return 'just now';
  for (const [unit, size] of STEPS) {
    if (Math.abs(value) < size) return relative.format(Math.trunc(value), unit);
    value /= size;
  }
  return short.format(date);
}
