/** A period of a list: one that moves with the calendar, or from a day to a day, as the viewer's clock has them. */
import { useState } from 'react';
import { SelectField, TextField } from './field.tsx';

interface Days {
  readonly period?: string;
  readonly from_date?: string;
  readonly to_date?: string;
}

interface Props {
  readonly days: Days;
  readonly onChange: (changes: { readonly [name in keyof Days]?: Days[name] | undefined }) => void;
}

/** The days of each period, counted back from today. A saved view with a period means other days tomorrow. */
const PERIODS: Readonly<
  Record<string, { readonly name: string; readonly from: number; readonly to?: number }>
> = {
  today: { name: 'Today', from: 0 },
  yesterday: { name: 'Yesterday', from: 1, to: 1 },
  '7d': { name: 'Last 7 days', from: 6 },
  '30d': { name: 'Last 30 days', from: 29 },
};

const CUSTOM = 'custom';

export function DayRange({ days, onChange }: Props) {
  const { period = '', from_date: from = '', to_date: to = '' } = days;
  const [isCustom, setCustom] = useState(false);
  const isPeriod = Object.hasOwn(PERIODS, period);
  const chosen = isPeriod ? period : isCustom || from !== '' || to !== '' ? CUSTOM : '';
  const choose = (next: string) => {
    setCustom(next === CUSTOM);
    const isNamed = Object.hasOwn(PERIODS, next);
    const dates = next === CUSTOM ? {} : { from_date: undefined, to_date: undefined };
    onChange({ period: isNamed ? next : undefined, ...dates });
  };
  return (
    <>
      <SelectField label="Period" value={chosen} onChange={(event) => choose(event.target.value)}>
        <option value="">Any time</option>
        {Object.entries(PERIODS).map(([key, { name }]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
        <option value={CUSTOM}>Other days…</option>
      </SelectField>
      {chosen === CUSTOM ? <CustomDays from={from} to={to} onChange={onChange} /> : null}
    </>
  );
}

interface CustomProps extends Pick<Props, 'onChange'> {
  readonly from: string;
  readonly to: string;
}

function CustomDays({ from, to, onChange }: CustomProps) {
  const zone = `Days in your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`;
  return (
    <>
      <TextField
        label="Since"
        type="date"
        hint={from === dayOf(from) ? zone : `Since ${new Date(from).toLocaleString()}`}
        value={dayOf(from)}
        onChange={(event) => onChange({ from_date: event.target.value || undefined })}
      />
      <TextField
        label="Until"
        type="date"
        value={dayOf(to)}
        onChange={(event) => onChange({ to_date: event.target.value || undefined })}
      />
    </>
  );
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The viewer's day of a moment: links lead to lists that begin at one. */
function dayOf(date: string): string {
  return date === '' || DAY.test(date) ? date : dayText(new Date(date));
}

function dayText(moment: Date): string {
  if (Number.isNaN(moment.getTime())) return '';
  const part = (value: number) => String(value).padStart(2, '0');
  return `${moment.getFullYear()}-${part(moment.getMonth() + 1)}-${part(moment.getDate())}`;
}

/** For the API, to which a day is one of UTC. What is no day but a moment stays as it is. */
export function momentsOf({ period, ...dates }: Days, now = new Date()): Omit<Days, 'period'> {
  const { from_date: from, to_date: to } = daysOf(period, now) ?? dates;
  return {
    ...(from === undefined ? {} : { from_date: DAY.test(from) ? startOf(from, 0) : from }),
    ...(to === undefined ? {} : { to_date: DAY.test(to) ? endOfDay(to) : to }),
  };
}

/** Undefined for a period that there is not: addresses are typed, too. */
function daysOf(period: string | undefined, now: Date): Omit<Days, 'period'> | undefined {
  if (period === undefined || !Object.hasOwn(PERIODS, period)) return undefined;
  const { from, to } = PERIODS[period] as (typeof PERIODS)[string];
  const ago = (days: number) => dayText(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days));
  return { from_date: ago(from), ...(to === undefined ? {} : { to_date: ago(to) }) };
}

function startOf(day: string, more: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + more).toISOString();
}

/** The last millisecond, in the zone of the viewer. A day on which the clocks change is shorter or longer. */
export function endOfDay(day: string): string {
  return new Date(Date.parse(startOf(day, 1)) - 1).toISOString();
}
