/** README.md says what the code and the recorded results say. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { benchmarkTable } from './benchmarks.ts';
import { withFacts } from './blocks.ts';
import { README, readFacts } from './facts.ts';

const readme = readFileSync(README, 'utf8');
const facts = readFacts();

describe('README.md', () => {
  it('is up to date; if not, run `npm run readme`', () => {
    expect(readme).toBe(withFacts(readme, facts));
  });

  it('has no figure of performance outside of the generated table', () => {
    const written = readme.replace(/<!-- benchmarks -->[\s\S]*<!-- \/benchmarks -->/, '');
    expect(written.match(/\d[\d,.]*\s?(?:\w+\/s|ms|MB|times)\b/g)).toBeNull();
  });

  it('names the four services whose APIs Postrider speaks', () => {
    for (const service of ['resend', 'sendgrid', 'postmark', 'mailgun'])
      expect(readme).toContain(`https://your-host/compat/${service}`);
  });
});

describe('the generated parts', () => {
  it('change with the facts', () => {
    const changed = withFacts(readme, {
      ...facts,
      version: '9.9.9',
      migrations: 7,
      simulatedNames: ['one', 'two'],
    });
    expect(changed).toContain('Version 9.9.9,');
    expect(changed).toContain('(7 migrations)');
    expect(changed).toContain('\n`one@`, `two@`\n');
  });

  it('refuse a page without the comments', () => {
    expect(() => withFacts('# Postrider', facts)).toThrow('README.md has no block "version".');
  });

  it('take figures, date and machine from the recorded results', () => {
    const results = facts.results.replace('- Date: 2026-11-16', '- Date: 2030-01-02');
    const [, , accept = ''] = benchmarkTable(results).split('\n');
    expect(accept).toContain('2030-01-02, 2 x Neoverse-N1');
  });

  it('refuse results without a row that the page shows', () => {
    const results = facts.results.replace('| deliveries/s in bulk ', '| something else ');
    expect(() => benchmarkTable(results)).toThrow('no "value" in the row "deliveries/s in bulk"');
  });
});
