/** From a day to a day, as the viewer's clock has them. */
import { TextField } from './field.tsx';

interface Days {
  readonly from_date?: string;
  readonly to_date?: string;
}

interface Props {
  readonly days: Days;
  readonly onChange: (changes: { from_date?: string | undefined; to_date?: string | undefined }) => void;
}

export function DayRange({ days, onChange }: Props) {
  const { from_date: from = '', to_date: to = '' } = days;
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
  if (date === '' || DAY.test(date)) return date;
  const moment = new Date(date);
  if (Number.isNaN(moment.getTime())) return '';
  const part = (value: number) => String(value).padStart(2, '0');
  return `${moment.getFullYear()}-${part(moment.getMonth() + 1)}-${part(moment.getDate())}`;
}

/** For the API, to which a day is one of UTC. What is no day but a moment stays as it is. */
export function momentsOf({ from_date: from, to_date: to }: Days): Days {
  return {
    ...(from === undefined ? {} : { from_date: DAY.test(from) ? startOf(from, 0) : from }),
    ...(to === undefined ? {} : { to_date: DAY.test(to) ? endOf(to) : to }),
  };
}

function startOf(day: string, more: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + more).toISOString();
}

/** The last millisecond: a day that the clocks change on is shorter or longer. */
function endOf(day: string): string {
  return new Date(Date.parse(startOf(day, 1)) - 1).toISOString();
}
