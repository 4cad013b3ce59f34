import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

function built(file: string): string {
  return resolve(ROOT, 'dist', 'processes', file);
}

describe.each(['start', 'api', 'worker', 'smtp', 'inbound', 'submission', 'cli'])(
  'the built %s',
  (program) => {
    it('is all in its own files', () => {
      const imports = readFileSync(built(`${program}.js`), 'utf8').matchAll(/^import .*?"([^"]+)";$/gm);
      const foreign = new RegExp(`^(?!node:|\\./${program}-)`);
      expect([...imports].map(([, from]) => from).filter((from) => foreign.test(from ?? ''))).toEqual([]);
    });

    it('does not load what makes traces unless they are wanted', () => {
      const loaded = new Set([`${program}.js`]);
      for (const file of loaded)
        for (const [, name = ''] of readFileSync(built(file), 'utf8').matchAll(
          /(?:from|import) ?"\.\/([^"]+)"/g,
        ))
          loaded.add(name);
      const code = [...loaded].map((file) => readFileSync(built(file), 'utf8'));
      expect(code.filter((text) => text.includes('BatchSpanProcessor'))).toEqual([]);
      const traces = ['api', 'worker', 'smtp', 'submission'].includes(program);
      expect(existsSync(built(`${program}-opentelemetry.js`))).toBe(traces);
    });

    it('leads stack traces to sources that are there', () => {
      const map = built(`${program}.js.map`);
      const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] };
      const files = sources.map((source) => resolve(dirname(map), source));
      expect(files).toContain(resolve(ROOT, 'src', 'processes', `${program}.ts`));
      expect(
        files.filter((file) => !file.startsWith(resolve(ROOT, 'src') + sep) || !existsSync(file)),
      ).toEqual([]);
    });
  },
);
