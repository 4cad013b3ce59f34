import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanUserAgent, judgeRequest } from './machine-opens.ts';

const PUBLIC_URL = 'https://mail.example.org';
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';

const judge = (headers: Record<string, string>, isPreview = false) =>
  judgeRequest({ headers, isPreview }, PUBLIC_URL);
const machineOf = (userAgent: string) => judge({ 'user-agent': userAgent }).machine;

describe('a pixel fetched by', () => {
  it.each([
    CHROME,
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.4.0',
    'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.4266; Pro)',
    'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
  ])('%s is a person’s', (userAgent) => {
    expect(machineOf(userAgent)).toBe(null);
  });

  it.each([
    ['Mozilla/5.0', 'apple_privacy'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0',
      'gmail_prefetch',
    ],
    ['Barracuda Sentinel (EE)', 'scanner'],
    ['Microsoft Office Existence Discovery', 'scanner'],
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'bot'],
    [`${CHROME} BingPreview/1.0b`, 'bot'],
    ['curl/8.5.0', 'bot'],
    ['python-requests/2.32.3', 'bot'],
    ['node', 'bot'],
    ['', 'bot'],
  ])('%s is marked as a machine’s: %s', (userAgent, reason) => {
    expect(machineOf(userAgent)).toBe(reason);
  });

  it.each([
    { 'sec-purpose': 'prefetch;anonymous-client-ip' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
  ])('a browser that says %j is marked', (headers) => {
    expect(judge({ 'user-agent': CHROME, ...headers }).machine).toBe('prefetch');
  });

  it.each([
    { 'sec-fetch-site': 'same-origin' },
    { referer: `${PUBLIC_URL}/dashboard/inbox` },
    { referer: PUBLIC_URL },
  ])('a page of ours (%j) is the sender’s own preview', (headers) => {
    expect(judge({ 'user-agent': CHROME, ...headers }).machine).toBe('preview');
  });

  it('a page with only a similar origin is not a preview', () => {
    const headers = {
      'user-agent': CHROME,
      referer: `${PUBLIC_URL}.evil.example/`,
      'sec-fetch-site': 'cross-site',
    };
    expect(judge(headers).machine).toBe(null);
  });

  it('a URL marked as a preview is one', () => {
    expect(judge({ 'user-agent': CHROME }, true).machine).toBe('preview');
  });

  it('a mail service’s proxy has a longer time limit before it counts as a person', () => {
    const proxy = judge({ 'user-agent': 'Mozilla/5.0 (via ggpht.com GoogleImageProxy)' });
    expect(proxy.soonMs).toBeGreaterThan(judge({ 'user-agent': CHROME }).soonMs);
  });
});

describe('a user agent', () => {
  it('is kept in at most 256 printable characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (text) => {
        expect(cleanUserAgent(text) ?? 'x').toMatch(/^[!-~]([ -~]{0,254}[!-~])?$/);
      }),
    );
  });

  it('is null when it is blank', () => {
    expect(cleanUserAgent(' \t ')).toBe(null);
  });
});
