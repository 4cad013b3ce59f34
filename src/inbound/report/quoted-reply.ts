/** Parses SMTP replies quoted in reports: `550-5.1.1 No such user`, `#5.1.1 smtp;550 …`. Only for short texts. */
import { plainLine } from './plain-line.ts';

export interface QuotedReply {
  readonly smtpCode: number | null;
  /** Enhanced status code, `5.1.1`. */
  readonly status: string | null;
  readonly text: string;
}

const STARTS_WITH_CODE = /^([245]\d\d)(?=[\s\-:;,.]|$)/;
const STATUS = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/;

/** A code inside a sentence counts only if a server introduces it: `host mx said: 550 …`, `error 550-…`. */
const INTRODUCED =
  /(?:\berror|\bsaid|\bresponse|\breplied|\breturned|[:;(])[:\s]{0,3}['"]?([245]\d\d)(?=[\s\-'#])/i;

/** `text` usually begins with the code; a status is only searched for near the code. */
export function readReply(text: string): QuotedReply {
  const line = plainLine(text);
  const code = STARTS_WITH_CODE.exec(line)?.[1];
  if (code === undefined) {
    const introduced = INTRODUCED.exec(line.slice(0, 300))?.[1];
    const status = findStatus(line.slice(0, 300));
    return { smtpCode: introduced === undefined ? null : Number(introduced), status, text: line };
  }
  const status = findStatus(line.slice(3, 60), code[0]);
  return { smtpCode: Number(code), status, text: plainLine(dropRepeatedCodes(line, code, status)) };
}

/** The first enhanced status code, of the given class if there is one. */
export function findStatus(text: string, wantedClass?: string): string | null {
  const status = STATUS.exec(text)?.[1] ?? null;
  if (status === null || (wantedClass !== undefined && status[0] !== wantedClass)) return null;
  return status;
}

/** Reports join the lines of a reply and leave `550-5.1.1` in front of each. */
function dropRepeatedCodes(line: string, code: string, status: string | null): string {
  const marks = [`${code}-${status}`, `${code} ${status}`, `${code}-`].filter(
    (mark) => !mark.includes('null'),
  );
  let rest = line.slice(3);
  for (const mark of marks) rest = rest.replaceAll(` ${mark}`, ' ');
  return `${code} ${rest.replace(/^[-:\s]+/, '')}`.trim();
}
