/** Lies over the bars and tells of the one that is pointed at: with the mouse, a finger or the arrow keys. */
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import type { StatsPoint } from '../../app/account-types.ts';

interface Props {
  readonly points: readonly StatsPoint[];
  /** Where the first bar begins, and how far it is from each to the next. */
  readonly left: number;
  readonly step: number;
  /** Of the whole chart. */
  readonly width: number;
  readonly nameOf: (point: StatsPoint) => string;
}

/** So far the note reaches to the right of what it is about, or to the left where there is no room. */
const NOTE_WIDTH = 170;

export function ChartPointer({ points, left, step, width, nameOf }: Props) {
  const [place, setPlace] = useState<number | null>(null);
  const last = points.length - 1;
  const pointed = place === null ? undefined : points[place];
  const move = (event: PointerEvent<HTMLDivElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    setPlace(Math.max(0, Math.min(last, Math.floor(x / step))));
  };
  const steer = (event: KeyboardEvent) => {
    const next = steered(event.key, place ?? points.length, last);
    if (next === undefined) return;
    event.preventDefault();
    setPlace(next);
  };
  if (points.length === 0) return null;
  return (
    <>
      <div
        className="chart-pointer"
        style={{ left, width: width - left }}
        role="slider"
        tabIndex={0}
        aria-label="Inspect one period"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={place ?? last}
        aria-valuetext={
          pointed ? `${nameOf(pointed)}: ${figuresOf(pointed).map(inWords).join(', ')}` : 'none'
        }
        onPointerMove={move}
        onPointerDown={move}
        onPointerLeave={() => setPlace(null)}
        onBlur={() => setPlace(null)}
        onKeyDown={steer}
      >
        {place === null ? null : (
          <div className="chart-pointed" style={{ left: place * step, width: step }} />
        )}
      </div>
      {pointed ? (
        <ChartNote
          point={pointed}
          name={nameOf(pointed)}
          x={noteAt(left + (place ?? 0) * step, step, width)}
        />
      ) : null}
    </>
  );
}

/** Undefined for a key that means nothing here; null takes the note away. */
function steered(key: string, place: number, last: number): number | null | undefined {
  if (key === 'Escape') return null;
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max(0, place - 1);
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min(last, place + 1);
  return undefined;
}

function noteAt(x: number, step: number, width: number): number {
  return x + step + NOTE_WIDTH <= width ? x + step : Math.max(0, x - NOTE_WIDTH);
}

interface Figure {
  readonly label: string;
  readonly count: number;
}

function figuresOf({ sent, delivered, bounced, failed, queued, opened }: StatsPoint): readonly Figure[] {
  return [
    { label: 'Sent', count: sent },
    { label: 'Delivered', count: delivered },
    { label: 'Bounced or failed', count: bounced + failed },
    { label: 'Queued', count: queued },
    { label: 'Opened', count: opened },
  ];
}

function inWords({ label, count }: Figure): string {
  return `${label.toLowerCase()} ${count.toLocaleString()}`;
}

interface NoteProps {
  readonly point: StatsPoint;
  readonly name: string;
  readonly x: number;
}

/** Those who do not see it hear the same from the pointer itself. */
function ChartNote({ point, name, x }: NoteProps) {
  return (
    <div className="chart-note" style={{ left: x, width: NOTE_WIDTH }} aria-hidden="true">
      <div className="strong">{name}</div>
      {figuresOf(point).map(({ label, count }) => (
        <div key={label} className="spread number">
          <span>{label}</span>
          <span>{count.toLocaleString()}</span>
        </div>
      ))}
    </div>
  );
}
