/** The index of decisions lists each once, in words that say what was decided. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const FOLDER = 'docs/decisions';
const files = readdirSync(FOLDER).filter((name) => /^\d{4}-/.test(name));
const index = readFileSync(`${FOLDER}/README.md`, 'utf8');
const lines = [...index.matchAll(/^- \[(\d{4})\]\((\d{4}-[\w-]+\.md)\): (.+)$/gm)].map(
  ([, number = '', file = '', text = '']) => ({ number, file, text }),
);

it('lists every decision once, under its number', () => {
  expect(lines.map(({ file }) => file).toSorted()).toEqual(files.toSorted());
  expect(lines.filter(({ number, file }) => !file.startsWith(number))).toEqual([]);
});

it('marks every decision that says that it was replaced', () => {
  const replaced = files.filter((file) =>
    /^\*\*Replaced\*\*/m.test(readFileSync(`${FOLDER}/${file}`, 'utf8')),
  );
  expect(lines.filter(({ text }) => text.includes('; replaced by [')).map(({ file }) => file)).toEqual(
    replaced,
  );
  expect(replaced.length).toBeGreaterThan(0);
});

it('names every package that is installed', () => {
  const page = readFileSync(`${FOLDER}/0010-libraries.md`, 'utf8');
  const packages = ['package.json', 'dashboard/package.json', 'docs-site/package.json'].flatMap((file) => {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(file, 'utf8'));
    return Object.keys({ ...dependencies, ...devDependencies });
  });
  const isNamed = (name: string) => {
    // In a row of several packages a scope may be left out after the first: `@opentelemetry/api, resources`.
    const short = name.replace(/^@opentelemetry\//, '');
    return [name, short].some((one) =>
      new RegExp(`^\\|[^|]*(?<![\\w@/.-])${one}(?![\\w/-])`, 'm').test(page),
    );
  };
  expect(packages.filter((name) => !name.startsWith('@types/') && !isNamed(name))).toEqual([]);
});
