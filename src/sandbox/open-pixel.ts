/**
 * Simulates a recipient who reads the mail: fetches its open pixel over HTTP and follows its first link, at
 * the public addresses. Fetches only our own addresses, not other images or the final targets of links.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseMessage } from '../protocols/message/reading/parsed-message.ts';
import { CLICK_PATH, PIXEL_PATH, PIXEL_SUFFIX } from '../protocols/message/tracking-links.ts';
import type { Action } from './simulated-events.ts';

/** Late enough not to be classified as an automatic open. */
export const READING_MS = 2_000;
const TRIES = 5;
const FIRST_PAUSE_MS = 250;
const FETCH_TIMEOUT_MS = 5_000;
const USER_AGENT = 'Mozilla/5.0 (compatible; Postrider simulator)';

export function createOpenAction(publicUrl: string): Action {
  return async ({ raw }, signal) => {
    const url = pixelIn((await parseMessage(raw)).html ?? '', publicUrl);
    // The email has no open tracking.
    if (url !== null) await fetchLater(url, signal);
  };
}

/** A recipient who follows a link has also opened the mail. */
export function createClickAction(publicUrl: string): Action {
  const open = createOpenAction(publicUrl);
  return async (message, signal) => {
    await open(message, signal);
    const { html, text } = await parseMessage(message.raw);
    const url = firstLinkIn(html ?? '', publicUrl) ?? firstLinkIn(text ?? '', publicUrl);
    if (url !== null) await fetchLater(url, signal);
  };
}

async function fetchLater(url: string, signal: AbortSignal): Promise<void> {
  await sleep(READING_MS, undefined, { signal });
  for (let attempt = 1; ; attempt += 1) {
    try {
      await requestOurs(url, {}, signal);
      return;
    } catch (error) {
      if (signal.aborted || attempt === TRIES) throw error;
    }
    await sleep(FIRST_PAUSE_MS * 2 ** attempt, undefined, { signal });
  }
}

export function pixelIn(html: string, publicUrl: string): string | null {
  const start = html.lastIndexOf(`${publicUrl}${PIXEL_PATH}`);
  const end = start === -1 ? -1 : html.indexOf(PIXEL_SUFFIX, start);
  const url = end === -1 ? '' : html.slice(start, end + PIXEL_SUFFIX.length);
  return /^\/[\w-]+\.gif$/.test(url.slice(publicUrl.length + PIXEL_PATH.length - 1)) ? url : null;
}

export function firstLinkIn(content: string, publicUrl: string): string | null {
  const start = content.indexOf(`${publicUrl}${CLICK_PATH}`);
  if (start === -1) return null;
  const tokenAt = start + publicUrl.length + CLICK_PATH.length;
  const token = /^[\w-]+/.exec(content.slice(tokenAt, tokenAt + MAX_TOKEN_CHARS))?.[0];
  return token === undefined ? null : content.slice(start, tokenAt) + token;
}

const MAX_TOKEN_CHARS = 4_096;

/** The redirect of a link is not followed. */
export async function requestOurs(
  url: string,
  init: RequestInit = {},
  signal?: AbortSignal,
): Promise<Response> {
  const timeout = AbortSignal.timeout(FETCH_TIMEOUT_MS);
  const response = await fetch(url, {
    headers: { 'user-agent': USER_AGENT },
    redirect: 'manual',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    ...init,
  });
  await response.arrayBuffer();
  if (response.status >= 400) throw new Error(`${url} was answered with ${response.status}.`);
  return response;
}
