/**
 * Checks whether a link works without reading the target: only at permitted addresses, checked again at every
 * redirect. Sends HEAD, which changes nothing; servers without HEAD get a GET that is cut off.
 */
import type { IncomingMessage } from 'node:http';
import { urlProblem } from './destination.ts';
import { connectionWords } from './failure-text.ts';
import { type GuardedRequestOptions, guardedRequest, REDIRECTS } from './guarded-request.ts';

export interface ProbedLink {
  /** The status of the last response; null without one. */
  readonly status: number | null;
  /** The final target; null without redirects. */
  readonly leadsTo: string | null;
  /** The error, to follow a colon. */
  readonly error: string | null;
}

export type ProbeLink = (url: string, signal: AbortSignal) => Promise<ProbedLink>;

const MAX_REDIRECTS = 5;
/** Statuses of servers without HEAD. Only these get a GET, which may trigger the link's action. */
const NO_HEAD = new Set([405, 501]);
const EXAMPLE_URL = 'https://example.org/';

export function createProbe(options: GuardedRequestOptions): ProbeLink {
  return async (given, signal) => {
    let url = given;
    try {
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
        const { statusCode: status = 0, headers } = await askKindly(url, signal, options);
        const leadsTo = redirects === 0 ? null : url;
        if (!REDIRECTS.has(status) || headers.location === undefined)
          return { status, leadsTo, error: status < 400 ? null : `it answers ${status}` };
        if (!URL.canParse(headers.location, url)) throw new Error('it redirects to what is no URL');
        url = new URL(headers.location, url).href;
      }
      return { status: null, leadsTo: url, error: `more than ${MAX_REDIRECTS} redirects` };
    } catch (error) {
      return {
        status: null,
        leadsTo: null,
        error: signal.aborted ? 'no answer in time' : connectionWords(error),
      };
    }
  };
}

async function askKindly(
  url: string,
  signal: AbortSignal,
  options: GuardedRequestOptions,
): Promise<IncomingMessage> {
  const answer = await ask('HEAD', url, signal, options);
  return NO_HEAD.has(answer.statusCode ?? 0) ? ask('GET', url, signal, options) : answer;
}

async function ask(
  method: 'HEAD' | 'GET',
  url: string,
  signal: AbortSignal,
  options: GuardedRequestOptions,
): Promise<IncomingMessage> {
  const target = new URL(url);
  target.hash = '';
  const problem = urlProblem(target.href, options.rules, EXAMPLE_URL);
  if (problem !== null) throw new Error(`the address ${problem}`);
  const response = await guardedRequest(target, options, { method, signal });
  // Only the status is needed.
  response.on('error', () => {});
  response.destroy();
  return response;
}
