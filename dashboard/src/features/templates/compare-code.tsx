/** The differences of two states, part by part and language by language. */
import { useMemo, useState } from 'react';
import type { ComparedContent, Side } from './compare.tsx';
import { type DiffRow, diffRows, type ShownLine } from './diff.ts';

interface Props {
  readonly before: Side;
  readonly after: Side;
}

export function CompareCode({ before, after }: Props) {
  const parts = useMemo(
    () => partsOf(before.content, after.content).filter((part) => part.before !== part.after),
    [before, after],
  );
  if (parts.length === 0) return <p className="quiet">There are no differences.</p>;
  return parts.map((part) => (
    <section key={part.title} className="stack-small">
      <h3>{part.title}</h3>
      <DiffTable
        key={`${before.name} ${after.name}`}
        names={[before.name, after.name]}
        rows={diffRows(part.before, part.after)}
      />
    </section>
  ));
}

/** Unchanged lines are shown around a difference; further ones on request. */
const CONTEXT_LINES = 3;

interface TableProps {
  readonly names: readonly [before: string, after: string];
  readonly rows: readonly DiffRow[];
}

function DiffTable({ names, rows }: TableProps) {
  const [isFolded, setFolded] = useState(true);
  const shown = useMemo(() => (isFolded ? folded(rows) : rows), [isFolded, rows]);
  return (
    <table className="diff">
      <thead>
        <tr>
          {names.map((name, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: there are always two
            <th key={at} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((row, at) =>
          typeof row === 'number' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
            <tr key={at} className="fold">
              <td colSpan={2}>
                <button type="button" className="link-button" onClick={() => setFolded(false)}>
                  Show {row} unchanged lines
                </button>
              </td>
            </tr>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
            <tr key={at}>
              <Line line={row.before} />
              <Line line={row.after} />
            </tr>
          ),
        )}
      </tbody>
    </table>
  );
}

const SIGNS = { same: '  ', added: '+ ', removed: '− ' } as const;

function Line({ line }: { readonly line: ShownLine | null }) {
  if (line === null) return <td className="gap" />;
  return (
    <td className={line.kind}>
      {SIGNS[line.kind]}
      {line.parts.map(({ text, changed }, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
        changed ? <mark key={at}>{text}</mark> : text,
      )}
    </td>
  );
}

/** A number stands for so many unchanged lines. */
function folded(rows: readonly DiffRow[]): (DiffRow | number)[] {
  const changes = rows.flatMap((row, at) => (row.before === row.after ? [] : [at]));
  const shown: (DiffRow | number)[] = [];
  let from = 0;
  for (const change of [...changes, Number.POSITIVE_INFINITY]) {
    const to = Math.min(rows.length, change - CONTEXT_LINES);
    if (to - from > 1) shown.push(to - from);
    else shown.push(...rows.slice(from, Math.max(from, to)));
    const next = Math.min(rows.length, change + CONTEXT_LINES + 1);
    shown.push(...rows.slice(Math.max(from, to), next));
    from = Math.max(from, next);
  }
  return shown;
}

function partsOf(older: ComparedContent, newer: ComparedContent) {
  const locales = [...new Set([...older.translations, ...newer.translations].map(({ locale }) => locale))];
  const both = (title: string, text: (content: ComparedContent) => string) => ({
    title,
    before: text(older),
    after: text(newer),
  });
  return [
    both('Subject', ({ subject }) => subject),
    both('Layout', ({ layout }) => layout ?? 'none'),
    both('Inline CSS', ({ inline_css }) => (inline_css ? 'on' : 'off')),
    both('HTML', ({ html_body }) => html_body),
    both('Text', ({ text_body }) => text_body),
    both('Variables', ({ variable_schema }) => JSON.stringify(variable_schema, null, 2)),
    ...locales.flatMap((locale) => {
      const texts = ({ translations }: ComparedContent) => translations.find((one) => one.locale === locale);
      return [
        both(`Subject, ${locale}`, (content) => texts(content)?.subject ?? ''),
        both(`HTML, ${locale}`, (content) => texts(content)?.html ?? ''),
        both(`Text, ${locale}`, (content) => texts(content)?.text ?? ''),
      ];
    }),
  ];
}
