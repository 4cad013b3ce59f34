/** The rows of a report, each combination once, and no more than are kept: of too many, the smallest are added up. Pure. */
import type { DmarcRow } from '../../domains/reports/report.ts';

const MAX_ROWS = 1_000;

export function fewerRows(rows: readonly DmarcRow[]): DmarcRow[] {
  const distinct = addUp(rows).toSorted((a, b) => b.messages - a.messages);
  if (distinct.length <= MAX_ROWS) return distinct;
  return [...distinct.slice(0, MAX_ROWS), ...addUp(distinct.slice(MAX_ROWS).map(nobodys))];
}

function addUp(rows: readonly DmarcRow[]): DmarcRow[] {
  const found = new Map<string, DmarcRow>();
  for (const row of rows) {
    const { messages, ...rest } = row;
    const key = JSON.stringify(Object.values(rest));
    found.set(key, { ...row, messages: messages + (found.get(key)?.messages ?? 0) });
  }
  return [...found.values()];
}

/** What passed and what was done about it still counts; where it came from does not. */
function nobodys({ messages, disposition, dkimAligned, spfAligned }: DmarcRow): DmarcRow {
  return {
    ...{ sourceIp: null, messages, disposition, dkimAligned, spfAligned, headerFrom: '', envelopeFrom: null },
    ...{ dkimDomain: null, dkimResult: null, spfDomain: null, spfResult: null },
  };
}
