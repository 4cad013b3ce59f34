/** How long an old key may go on working. */
export const OVERLAPS = [
  { key: '1', label: 'for an hour' },
  { key: '24', label: 'for a day' },
  { key: '168', label: 'for a week' },
  { key: '720', label: 'for 30 days' },
  { key: 'own', label: 'until a time of my choice' },
] as const;

/** For the API; undefined while it is not said yet. `own` is what the field for a date and time has, in local time. */
export function worksUntil(chosen: string, own: string, nowMs: number): string | undefined {
  if (chosen !== 'own') return new Date(nowMs + Number(chosen) * 3_600_000).toISOString();
  const moment = new Date(own);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}
