/**
 * A tool's answer: text for a model, limited in size. Our own text is outside of the markers. Third-party
 * data (subjects, addresses, content, field names, server replies), and refusals, which repeat such data, are
 * between them.
 */
import type { ApiAnswer } from './mail-api.ts';
import { markedData } from './marked-data.ts';

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** `note` is our own text. */
export function dataAnswer(data: unknown, note = ''): ToolAnswer {
  const text = note === '' ? markedData(data) : `${note}\n${markedData(data)}`;
  return { text, isError: false };
}

/** For our own text only. */
export function textAnswer(text: string): ToolAnswer {
  return { text, isError: false };
}

interface ErrorBody {
  readonly error?: {
    readonly code?: string;
    readonly message?: string;
    readonly details?: readonly { readonly field: string; readonly message: string }[];
  };
}

const NEXT: Readonly<Record<string, string>> = {
  UNAUTHORIZED: 'The API key is missing, revoked or expired. Ask the person who set this up for another.',
  FORBIDDEN:
    'This API key may not do that, and trying another way will not help. Tell the person what you wanted to do; they can change the policy of the key.',
  LIMIT_EXCEEDED: 'Nothing more can be sent today with this key. Tell the person; do not retry.',
  RATE_LIMITED: 'Wait a minute, then try once more.',
  RECIPIENTS_SUPPRESSED: 'The recipient must not be mailed. Do not look for another address of theirs.',
  DOMAIN_NOT_VERIFIED: 'Send from a verified domain of the organization: list_domains has them.',
  VALIDATION_ERROR: 'Correct the fields that are named, and try again.',
  NOT_FOUND: 'Check the id: search for it first.',
  UNAVAILABLE: 'Try again in a moment.',
};

const MAX_DETAILS = 20;
const CODE = /^[A-Z][A-Z_]{1,60}$/;

/** Our advice on what to do next, and the refusal as data, because it repeats parts of the request. */
export function failed({ status, body }: ApiAnswer): ToolAnswer {
  const error = (body as ErrorBody | undefined)?.error ?? {};
  const { message = 'The installation did not answer as expected.', details = [] } = error;
  const code = CODE.test(error.code ?? '') ? (error.code as string) : `HTTP ${status}`;
  const next = NEXT[code];
  const data = { message, details: details.slice(0, MAX_DETAILS) };
  const head = next === undefined ? `${code}.` : `${code}. ${next}`;
  return { text: `${head}\n${markedData(data)}`, isError: true };
}

/** The result, or the refusal. */
export function answerOf(answer: ApiAnswer, show: (data: never, body: never) => ToolAnswer): ToolAnswer {
  if (answer.status >= 300) return failed(answer);
  const body = answer.body as { data?: unknown };
  return show(body.data as never, body as never);
}
