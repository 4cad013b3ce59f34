/** The table in docs/internals/tables.md, from the list in src/cells/tables.ts. */
import { TABLES, type TableEntry } from '../../src/cells/tables.ts';

const HEAD = '| table | where | written by | rows are removed |';

/** The page with its table written anew. The table ends at the first empty line. */
export function withTables(page: string): string {
  const start = page.indexOf(HEAD);
  const end = page.indexOf('\n\n', start);
  if (start < 0 || end < 0)
    throw new Error(`docs/internals/tables.md has no table that begins with "${HEAD}".`);
  return `${page.slice(0, start)}${tablesAsMarkdown()}${page.slice(end)}`;
}

function tablesAsMarkdown(): string {
  const rows = Object.entries<TableEntry>(TABLES).map(
    ([name, { home, writers, removed }]) =>
      `| \`${name}\` | ${home} | ${writers.map((writer) => `\`${writer}\``).join(', ')} | ${removed} |`,
  );
  return [HEAD, '| --- | --- | --- | --- |', ...rows].join('\n');
}
