/** Merges the rows of a report into distinct combinations. Beyond the limit, the smallest are added up. Pure, in slices. */
import type { DmarcRow } from '../../domains/reports/report.ts';
import type { SlicedWork } from '../../runtime/sliced-work.ts';

const MAX_ROWS = 1_000;
/** Rows added up in one go, which takes a millisecond. */
const ROWS_AT_ONCE = 250;

export function* fewerRows(rows: readonly DmarcRow[]): SlicedWork<DmarcRow[]> {
  const distinct = (yield* addUp(rows)).sort((a, b) => b.messages - a.messages);
  if (distinct.length <= MAX_ROWS) return distinct;
  yield;
  return [...distinct.slice(0, MAX_ROWS), ...(yield* addUp(distinct.slice(MAX_ROWS).map(withoutSource)))];
}

function* addUp(rows: readonly DmarcRow[]): SlicedWork<DmarcRow[]> {
  const found = new Map<string, DmarcRow>();
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_AT_ONCE === 0) yield;
    const { messages, ...rest } = row;
    const key = JSON.stringify(Object.values(rest));
    found.set(key, { ...row, messages: messages + (found.get(key)?.messages ?? 0) });
  }
  return [...found.values()];
}

/** Drops the source address and keeps the results and the disposition. */
function withoutSource({ messages, disposition, dkimAligned, spfAligned }: DmarcRow): DmarcRow {
  return {
    ...{ sourceIp: null, messages, disposition, dkimAligned, spfAligned, headerFrom: '', envelopeFrom: null },
    ...{ dkimDomain: null, dkimResult: null, spfDomain: null, spfResult: null },
  };
}
