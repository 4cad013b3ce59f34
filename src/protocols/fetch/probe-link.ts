/**
 * Checks whether a link works without reading the target: only at permitted addresses, checked again at every
 * redirect. Sends HEAD, which changes nothing; servers without HEAD get a GET that is cut off.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connectionWords } from './connection-words.ts';
import { type DestinationRules, urlProblem } from './destination.ts';
import type { Guard } from './guard-address.ts';

export interface ProbedLink {
  /** The status of the last response; null without one. */
  readonly status: number | null;
  /** The final target; null without redirects. */
  readonly leadsTo: string | null;
  /** The error, to follow a colon. */
  readonly error: string | null;
}

export type ProbeLink = (url: string, signal: AbortSignal) => Promise<ProbedLink>;

export interface ProbeOptions {
  readonly guard: Guard;
  readonly rules: DestinationRules;
  readonly userAgent: string;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Statuses of servers without HEAD. Only these get a GET, which may trigger the link's action. */
const NO_HEAD = new Set([405, 501]);
const MAX_HEADER_BYTES = 16 * 1024;
const EXAMPLE_URL = 'https://example.org/';

export function createProbe(options: ProbeOptions): ProbeLink {
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

async function askKindly(url: string, signal: AbortSignal, options: ProbeOptions): Promise<IncomingMessage> {
  const answer = await ask('HEAD', url, signal, options);
  return NO_HEAD.has(answer.statusCode ?? 0) ? ask('GET', url, signal, options) : answer;
}

function ask(
  method: 'HEAD' | 'GET',
  url: string,
  signal: AbortSignal,
  { guard, rules, userAgent }: ProbeOptions,
): Promise<IncomingMessage> {
  const target = new URL(url);
  target.hash = '';
  const problem = urlProblem(target.href, rules, EXAMPLE_URL);
  if (problem !== null) throw new Error(`the address ${problem}`);
  guard.check(target);
  const request = target.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const asked = request(target, {
      method,
      headers: { accept: '*/*', 'user-agent': userAgent },
      agent: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      lookup: guard.lookupFor(target),
      signal,
    });
    asked.on('response', (response) => {
      // Only the status is needed.
      response.on('error', () => {});
      response.destroy();
      resolve(response);
    });
    asked.on('error', reject);
    asked.on('close', () => reject(new Error('the connection was closed without an answer')));
    asked.end();
  });
}
