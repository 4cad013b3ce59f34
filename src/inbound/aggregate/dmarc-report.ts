/** Reads an aggregate report of DMARC (RFC 7489, appendix C; RFC 9990). Pure, bounded, in slices, and it never throws. */
import type { DmarcPolicy } from '../../domains/dmarc.ts';
import type { DmarcReport, DmarcRow } from '../../domains/reports/report.ts';
import type { SlicedWork } from '../../runtime/sliced-work.ts';
import { reportedCount, reportedDomain, reportedIp, reportedName, reportedWord } from './safe-values.ts';
import { readingXml, XmlProblem } from './xml.ts';

export type ReadResult<T> =
  | { readonly ok: true; readonly report: T }
  | { readonly ok: false; readonly why: string };

const MAX_RECORDS = 20_000;
const RECORD = 'feedback/record';
const DKIM = `${RECORD}/auth_results/dkim`;
const SPF = `${RECORD}/auth_results/spf`;

/** The texts of one section of the report, by the path below it. */
type Texts = Map<string, string>;

interface Reading {
  readonly head: Texts;
  record: Texts;
  signatures: Texts[];
  spf: Texts[];
  records: number;
  readonly rows: DmarcRow[];
}

/** `xml`: in pieces. */
export function* readingDmarcReport(xml: Iterable<string>): SlicedWork<ReadResult<DmarcReport>> {
  const reading: Reading = {
    head: new Map(),
    record: new Map(),
    signatures: [],
    spf: [],
    records: 0,
    rows: [],
  };
  const problem = yield* readingXml(xml, {
    open: (path) => onOpen(reading, path),
    close: (path, text) => onClose(reading, path, text),
  });
  return problem === null ? yield* reportOf(reading) : { ok: false, why: problem };
}

function onOpen(reading: Reading, path: string): void {
  if (path === RECORD) {
    reading.record = new Map();
    reading.signatures = [];
    reading.spf = [];
  } else if (path === DKIM || path === SPF) {
    const results = path === DKIM ? reading.signatures : reading.spf;
    if (results.length < MAX_RESULTS) results.push(new Map());
  }
}

function onClose(reading: Reading, path: string, text: string): void {
  if (path === RECORD) addRow(reading);
  else if (OF_RESULT.has(path)) {
    const results = path.startsWith(DKIM) ? reading.signatures : reading.spf;
    results.at(-1)?.set(path.slice(path.lastIndexOf('/') + 1), text);
  } else if (OF_RECORD.has(path)) reading.record.set(path.slice(RECORD.length + 1), text);
  else if (OF_HEAD.has(path)) reading.head.set(path, text);
}

/** The paths that are read; all other content is ignored. */
const POLICY_DOMAIN = 'feedback/policy_published/domain';
const OF_HEAD = new Set([
  POLICY_DOMAIN,
  ...['org_name', 'email', 'report_id', 'date_range/begin', 'date_range/end'].map(
    (name) => `feedback/report_metadata/${name}`,
  ),
]);
const OF_RECORD = new Set(
  [
    ...['row/count', 'row/source_ip'],
    ...['disposition', 'dkim', 'spf'].map((name) => `row/policy_evaluated/${name}`),
    ...['header_from', 'envelope_from'].flatMap((name) => [`identifiers/${name}`, `identities/${name}`]),
  ].map((path) => `${RECORD}/${path}`),
);
const OF_RESULT = new Set([DKIM, SPF].flatMap((path) => [`${path}/domain`, `${path}/result`]));
const MAX_RESULTS = 20;

function addRow(reading: Reading): void {
  reading.records += 1;
  if (reading.records > MAX_RECORDS) throw new XmlProblem('The report has more records than are read.');
  const row = rowOf(reading);
  if (row.messages > 0) reading.rows.push(row);
}

function rowOf({ record, signatures, spf, head }: Reading): DmarcRow {
  const messages = reportedCount(record.get('row/count'));
  if (messages === null) throw new XmlProblem('A record of the report has no valid count.');
  const sourceIp = reportedIp(record.get('row/source_ip'));
  if (sourceIp === null) throw new XmlProblem('A record of the report has no valid source address.');
  const signature = mostSignificant(signatures);
  const envelope = mostSignificant(spf);
  return {
    sourceIp,
    messages,
    disposition: dispositionOf(record.get('row/policy_evaluated/disposition')),
    dkimAligned: reportedWord(record.get('row/policy_evaluated/dkim')) === 'pass',
    spfAligned: reportedWord(record.get('row/policy_evaluated/spf')) === 'pass',
    headerFrom:
      reportedDomain(identifier(record, 'header_from')) ?? reportedDomain(head.get(POLICY_DOMAIN)) ?? '',
    envelopeFrom: reportedDomain(identifier(record, 'envelope_from')),
    dkimDomain: reportedDomain(signature?.get('domain')),
    dkimResult: reportedWord(signature?.get('result')),
    spfDomain: reportedDomain(envelope?.get('domain')),
    spfResult: reportedWord(envelope?.get('result')),
  };
}

/** Some receivers still use the names of an early draft. */
function identifier(record: Texts, name: string): string | undefined {
  return record.get(`identifiers/${name}`) ?? record.get(`identities/${name}`);
}

function mostSignificant(results: readonly Texts[]): Texts | undefined {
  return results.find((one) => reportedWord(one.get('result')) === 'pass') ?? results[0];
}

/** RFC 9990 uses `pass` for mail without a reason to act. */
function dispositionOf(text: string | undefined): DmarcPolicy {
  const word = reportedWord(text);
  return word === 'quarantine' || word === 'reject' ? word : 'none';
}

function* reportOf({ head, rows }: Reading): SlicedWork<ReadResult<DmarcReport>> {
  const domain = reportedDomain(head.get(POLICY_DOMAIN));
  if (domain === null) return { ok: false, why: 'The report does not say which domain it is about.' };
  const begin = reportedCount(head.get('feedback/report_metadata/date_range/begin'), MAX_SECONDS);
  const end = reportedCount(head.get('feedback/report_metadata/date_range/end'), MAX_SECONDS);
  if (begin === null || end === null || end < begin) {
    return { ok: false, why: 'The report does not say which time it is about.' };
  }
  const reportId = reportedName(head.get('feedback/report_metadata/report_id'));
  const reporter = reportedName(head.get('feedback/report_metadata/org_name')) || reporterOf(head);
  if (reportId === '' || reporter === '') {
    return { ok: false, why: 'The report does not say who wrote it, or has no number.' };
  }
  const times = { beginsAtMs: begin * 1000, endsAtMs: end * 1000 };
  const fewer = yield* fewerRows(rows);
  return { ok: true, report: { kind: 'dmarc', reporter, reportId, domain, ...times, rows: fewer } };
}

/** The year 5138. */
const MAX_SECONDS = 99_999_999_999;

function reporterOf(head: Texts): string {
  return reportedName(head.get('feedback/report_metadata/email')).replace(/^.*@/, '');
}

const MAX_ROWS = 1_000;
/** Rows added up in one go, which takes a millisecond. */
const ROWS_AT_ONCE = 250;

/** Merges the rows of a report into distinct combinations. Beyond the limit, the smallest are added up. Pure, in slices. */
function* fewerRows(rows: readonly DmarcRow[]): SlicedWork<DmarcRow[]> {
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
