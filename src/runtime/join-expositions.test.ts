import { expect, it } from 'vitest';
import { joinExpositions } from './join-expositions.ts';
import { createMetrics } from './metrics.ts';

async function page(role: string, mails: number): Promise<string> {
  const metrics = createMetrics(role);
  metrics.counter('mails_total', 'Mails, by "kind".', ['kind'])({ kind: '{odd}, # HELP' }, mails);
  metrics.histogram('took_seconds', 'Time.', [1, 2])(1.5);
  return metrics.text();
}

it('describes each metric once, above the samples of all pages, and labels their source', async () => {
  const joined = joinExpositions([
    { text: await page('api', 1), labels: 'process="api"' },
    { text: await page('worker', 2), labels: 'process="worker 2"' },
  ]).split('\n');
  expect(joined.filter((line) => line.includes('mails_total'))).toEqual([
    '# HELP mails_total Mails, by "kind".',
    '# TYPE mails_total counter',
    'mails_total{process="api",kind="{odd}, # HELP",role="api"} 1',
    'mails_total{process="worker 2",kind="{odd}, # HELP",role="worker"} 2',
  ]);
  const buckets = joined.filter((line) => line.startsWith('took_seconds_bucket'));
  expect(buckets).toHaveLength(6);
  expect(buckets[0]).toBe('took_seconds_bucket{process="api",le="1",role="api"} 0');
  const described = joined.filter((line) => line.startsWith('# TYPE'));
  expect(new Set(described).size).toBe(described.length);
  expect(joined.filter((line) => line !== '' && !/^(# (HELP|TYPE) \S+ |\w+\{.*\} \S+$)/.test(line))).toEqual(
    [],
  );
});

it('keeps metrics that only one page has, and is empty without pages', async () => {
  const text = '# HELP only_here Here.\n# TYPE only_here gauge\nonly_here{role="api"} 3\n';
  expect(joinExpositions([{ text, labels: '' }])).toBe(text);
  expect(joinExpositions([])).toBe('\n');
});
