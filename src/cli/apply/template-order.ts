/** Orders templates by their dependencies: partials after the ones they use, then layouts, then the rest. */
import { partialNames } from '../../template-language/partial-names.ts';
import type { EntryFields } from './entry.ts';

const RANKS = ['partial', 'layout', 'template'];

interface NamedTemplate {
  readonly name: string;
  readonly fields: EntryFields;
}

export function inOrderOfUse<T extends NamedTemplate>(templates: readonly T[]): T[] {
  const byName = new Map(templates.map((one) => [one.name, one]));
  const ordered = new Set<T>();
  const add = (template: T, under: readonly T[]): void => {
    // The server, which knows all templates, refuses cycles.
    if (ordered.has(template) || under.includes(template)) return;
    for (const name of namesIn(template.fields)) {
      const used = byName.get(name);
      if (used !== undefined) add(used, [...under, template]);
    }
    ordered.add(template);
  };
  const rankOf = ({ fields }: T) => RANKS.indexOf(String(fields.kind));
  for (const template of templates.toSorted((a, b) => rankOf(a) - rankOf(b))) add(template, []);
  return [...ordered];
}

function namesIn({ html, text }: EntryFields): string[] {
  return [...partialNames(String(html ?? '')), ...partialNames(String(text ?? ''))];
}
