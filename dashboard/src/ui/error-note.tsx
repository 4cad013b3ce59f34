/** What went wrong, in the server's words, and what to do about it. */
import { PostriderError } from '../app/api.ts';
import { isPassing } from '../app/query-client.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { LocalTimes } from './time.tsx';

export const ADVICE: Readonly<Record<string, string>> = {
  CONNECTION_FAILED: 'The server cannot be reached. Check that it runs.',
  TIMED_OUT: 'The server did not answer in time.',
  FORBIDDEN: 'Ask an owner of the organization for permission.',
  RATE_LIMITED: 'Too many requests at once. Try again in a minute.',
  LIMIT_EXCEEDED: 'The limit resets at midnight UTC; the operator of this server can raise it.',
  DOMAIN_NOT_VERIFIED: 'Add the domain under Domains and verify it, or send from one that is verified.',
  RECIPIENTS_SUPPRESSED: 'Remove the address under Suppressions if it may be mailed again.',
  INTERNAL_ERROR: 'The server failed to handle the request. Search the server log for the request id.',
  UNAVAILABLE: 'The server is busy or its database is unavailable.',
};

export function ErrorNote({
  error,
  known = [],
  onRetry,
}: {
  readonly error: unknown;
  readonly known?: readonly string[];
  /** Asks again for what was to be shown; what was to be done is done again with its own button. */
  readonly onRetry?: (() => unknown) | undefined;
}) {
  if (error === null || error === undefined) return null;
  const facts = factsOf(error);
  // Problems of fields that a form shows beside them are not repeated here.
  const rest = facts.details.filter(({ field }) => !known.includes(field));
  if (facts.details.length > 0 && rest.length === 0) return null;
  const single = facts.details.length === 1 && rest.length === 1;
  return (
    <div className="note bad" role="alert">
      <Icon name="alert" />
      <div className="stack-small grow wrap">
        <div className="strong">
          <LocalTimes text={facts.message} />
        </div>
        {single || rest.length === 0 ? null : (
          <ul>
            {rest.map(({ field, message }) => (
              <li key={`${field} ${message}`}>
                <code>{field}</code> <LocalTimes text={message} />
              </li>
            ))}
          </ul>
        )}
        {facts.advice ? (
          <div>
            <LocalTimes text={facts.advice} />
            {onRetry && isPassing(error) ? ' This page tries again every 5 seconds.' : ''}
          </div>
        ) : null}
        {onRetry ? (
          <div>
            <Button size="small" icon="refresh" onClick={() => void onRetry()}>
              Try again
            </Button>
          </div>
        ) : null}
        {facts.requestId && facts.serious ? <div className="small">Request id: {facts.requestId}</div> : null}
      </div>
    </div>
  );
}

/** The server's words about one field of a form. */
export function problemOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof PostriderError)) return undefined;
  return error.details.find((one) => one.field === field || one.field.startsWith(`${field}[`))?.message;
}

/** The same, without what it says of single entries of a list. */
export function problemAt(error: unknown, field: string): string | undefined {
  if (!(error instanceof PostriderError)) return undefined;
  return error.details.find((one) => one.field === field)?.message;
}

/** The fields below one that the server has something to say about. */
export function fieldsBelow(error: unknown, field: string): string[] {
  if (!(error instanceof PostriderError)) return [];
  return error.details.map((one) => one.field).filter((one) => one.startsWith(`${field}.`));
}

export function messageOf(error: unknown): string {
  return factsOf(error).message;
}

function factsOf(error: unknown) {
  if (error instanceof PostriderError) {
    const { message, details, requestId, status } = error;
    return { message, details, requestId, serious: status >= 500, advice: ADVICE[error.code] };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { message, details: [], requestId: undefined, serious: false, advice: undefined };
}
