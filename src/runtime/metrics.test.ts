import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { lintExposition } from '../../test/support/metric-lint.ts';
import { createMetrics } from './metrics.ts';

it("names the metrics of every process by Prometheus' conventions", async () => {
  const text = await createMetrics('test').text();
  expect(text).toContain('nodejs_active_resources{');
  expect(lintExposition(text)).toEqual([]);
});

it('reports what promtool refuses', () => {
  const exposition = (type: string, name: string) =>
    `# HELP ${name} Words.\n# TYPE ${name} ${type}\n${name} 1\n`;
  expect(lintExposition(exposition('gauge', 'handles_total'))).toEqual([
    'handles_total: a gauge must not end in _total',
  ]);
  expect(lintExposition(exposition('counter', 'mails'))).toEqual(['mails: a counter must end in _total']);
  expect(lintExposition(exposition('histogram', 'took_ms'))).toEqual(['took_ms: is not in a base unit']);
  expect(lintExposition(exposition('gauge', 'queue_gauge'))).toEqual(['queue_gauge: has a type in its name']);
  expect(lintExposition('# TYPE mails gauge\nmails{le="1"} 1\n')).toEqual([
    'mails: has no help text',
    'mails: has a label of another type',
  ]);
});

/** Metrics as declared in the code: `metrics.counter('name', 'help', …)`. */
function declaredMetrics(): string {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
  const code = files
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(`src/${name}`, 'utf8'))
    .join('\n');
  const declared = code.matchAll(/\.(counter|histogram|gauge)s?\(\s*(['`])(.+?)\2,\s*(['"`])(.+?)\4,/g);
  return [...declared]
    .map(([, type, , name = '', , help]) => {
      const filled = name.replaceAll(/\$\{\w+\}/g, 'x');
      return `# HELP ${filled} ${help}\n# TYPE ${filled} ${type}\n`;
    })
    .join('');
}

it("names the metrics of Postrider by Prometheus' conventions", () => {
  const text = declaredMetrics();
  expect(text.match(/^# TYPE/gm)?.length).toBeGreaterThan(35);
  expect(lintExposition(text)).toEqual([]);
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
it.skipIf(!hasPromtool)('accepts what promtool accepts', async () => {
  const input = await createMetrics('test').text();
  expect(spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  });
});
