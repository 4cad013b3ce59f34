/** SMTP commands as they are read. Pure. */

export interface SmtpCommand {
  /** In capitals. */
  readonly verb: string;
  readonly argument: string;
}

export interface SmtpPath {
  /** Without brackets and source route; '' is the null sender. */
  readonly address: string;
  /** `SIZE=1000` as ['SIZE', '1000']. */
  readonly parameters: ReadonlyMap<string, string>;
}

const MAX_ADDRESS_CHARS = 320;
export const MAIL_PARAMETERS: ReadonlySet<string> = new Set(['SIZE', 'BODY', 'SMTPUTF8']);
/** Of a browser, perhaps sent here by a page whose form holds SMTP: nothing that follows may be obeyed. */
export const HTTP_METHODS: ReadonlySet<string> = new Set([
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT'],
]);

export function parseCommand(line: string): SmtpCommand {
  const space = line.search(/[ \t]/);
  if (space < 0) return { verb: line.toUpperCase(), argument: '' };
  return { verb: line.slice(0, space).toUpperCase(), argument: line.slice(space).trim() };
}

/** `FROM:<a@example.org> SIZE=1000`; null where it is not that, or says something twice. */
export function parsePath(argument: string, keyword: 'FROM' | 'TO'): SmtpPath | null {
  const match = /^(FROM|TO):[ \t]*<([^<>]*)>(?:[ \t]+(.*))?$/i.exec(argument);
  if (match === null || match[1]?.toUpperCase() !== keyword) return null;
  const address = (match[2] as string).replace(/^@[^:]*:/, '');
  if (address.length > MAX_ADDRESS_CHARS || /[ \t]/.test(address)) return null;
  const parameters = new Map<string, string>();
  for (const word of (match[3] ?? '').split(/[ \t]+/).filter((one) => one !== '')) {
    const [name = '', ...value] = word.split('=');
    if (parameters.has(name.toUpperCase())) return null;
    parameters.set(name.toUpperCase(), value.join('='));
  }
  return { address, parameters };
}
