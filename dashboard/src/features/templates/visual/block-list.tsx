/** The blocks of a template as groups of fields. */
import { useId } from 'react';
import { Icon } from '../../../ui/icon.tsx';
import { MenuButton, type MenuEntry } from '../../../ui/menu-button.tsx';
import { TAKES_VARIABLES } from '../use-insertion.ts';
import type { Field } from './fields.ts';
import type { Block, LockedBlock, SectionBlock } from './outline.ts';
import { type Action, type Document, neighbourOf } from './use-document.ts';

interface Shared {
  readonly document: Document;
  readonly editable: boolean;
  /** Numbers the blocks, so that each has a name of its own. */
  readonly numbers: ReadonlyMap<Block, number>;
}

export function BlockList({ blocks, ...shared }: Shared & { readonly blocks: readonly Block[] }) {
  return blocks
    .filter((block) => shared.numbers.has(block))
    .map((block) => <BlockView key={block.start} block={block} {...shared} />);
}

function BlockView({ block, ...shared }: Shared & { readonly block: Block }) {
  const { document, editable, numbers } = shared;
  if (block.kind === 'locked') return <Locked block={block} source={document.source} />;
  const name = `${block.label} ${numbers.get(block)}`;
  const menu = editable ? <BlockMenu block={block} name={name} document={document} /> : null;
  return (
    <fieldset className={`block ${block.kind}`} data-start={block.start}>
      <legend className="visually-hidden">{name}</legend>
      {block.kind === 'section' ? (
        <>
          {menu}
          <Section block={block} {...shared} />
        </>
      ) : (
        <>
          {block.fields.map((field) => (
            <FieldView key={field.key} field={field} document={document} editable={editable} />
          ))}
          {menu}
        </>
      )}
    </fieldset>
  );
}

const MAX_LOCKED_CHARS = 4000;

function Locked({ block, source }: { readonly block: LockedBlock; readonly source: string }) {
  const code = source.slice(block.start, block.end);
  return (
    <details className="block locked" data-start={block.start}>
      <summary>Locked: {block.label}</summary>
      <pre className="small">
        {code.length > MAX_LOCKED_CHARS ? `${code.slice(0, MAX_LOCKED_CHARS)}…` : code}
      </pre>
    </details>
  );
}

function Section({ block, ...shared }: Shared & { readonly block: SectionBlock }) {
  return block.branches.map(({ label, tag, blocks }) => (
    <div key={tag + label} className="branch" data-opens={tag}>
      <p className="branch-label">{label}</p>
      <BlockList blocks={blocks} {...shared} />
    </div>
  ));
}

interface FieldProps {
  readonly field: Field;
  readonly document: Document;
  readonly editable: boolean;
}

function FieldView({ field, document, editable }: FieldProps) {
  const id = useId();
  const value = document.textOf(field);
  const shared = { ...TAKES_VARIABLES, 'data-field': field.key, id, value, readOnly: !editable };
  return (
    <div className="field">
      <label htmlFor={id}>{field.label}</label>
      {field.kind.is === 'value' ? (
        <input {...shared} className="input" onChange={(event) => document.type(field, event.target.value)} />
      ) : (
        <textarea
          {...shared}
          className="input visual-text"
          rows={Math.min(12, value.split('\n').length)}
          onChange={(event) => document.type(field, event.target.value)}
        />
      )}
    </div>
  );
}

const ADD: readonly (readonly [Action, string])[] = [
  ['text', 'Add text below'],
  ['image', 'Add image below'],
  ['button', 'Add button below'],
];

interface MenuProps {
  readonly block: Block;
  readonly name: string;
  readonly document: Document;
}

function BlockMenu({ block, name, document }: MenuProps) {
  const blocks = document.blocks ?? [];
  const actions = [
    ...(neighbourOf(blocks, block, 'up') ? ([['up', 'Move up']] as const) : []),
    ...(neighbourOf(blocks, block, 'down') ? ([['down', 'Move down']] as const) : []),
    ...(block.isWhole ? ([['duplicate', 'Duplicate']] as const) : []),
    ...(block.isInFlow ? ADD : []),
    ...(block.isWhole ? ([['delete', 'Delete']] as const) : []),
  ];
  if (actions.length === 0) return null;
  const entries: MenuEntry[] = actions.map(([key, label]) => ({
    key,
    label,
    onChoose: () => document.act(key, block),
  }));
  return (
    <div className="block-menu">
      <MenuButton label={`Actions for ${name}`} entries={entries}>
        <Icon name="more" />
      </MenuButton>
    </div>
  );
}
