/** Edits the texts, images and buttons of a template as fields. Code between them stays as it is written. */
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { Button } from '../../../ui/button.tsx';
import type { PickedPlace } from '../../../ui/message-frame.tsx';
import '../../../ui/styles/visual-editor.css';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { BlockList } from './block-list.tsx';
import { allBlocks, type Block } from './outline.ts';
import { fieldAt } from './picking.ts';
import { type Action, type Document, useDocument } from './use-document.ts';

interface Props {
  readonly html: string;
  readonly editable: boolean;
  readonly problems: readonly string[];
  readonly onChange: (html: string) => void;
  /** What a click in the preview does. */
  readonly onPick: RefObject<((place: PickedPlace) => void) | null>;
}

/** More fields would make the page slow. */
const MAX_BLOCKS = 300;

export function VisualEditor({ html, editable, problems, onChange, onPick }: Props) {
  const document = useDocument(html, onChange);
  const list = useRef<HTMLDivElement>(null);
  useFocusAfterChange(list, document);
  useFocusOnPick(list, document, onPick);
  const { blocks, generation } = document;
  const numbers = useMemo(() => {
    let number = 0;
    const shown = allBlocks(blocks ?? []).slice(0, MAX_BLOCKS);
    return new Map<Block, number>(
      shown.map((block) => {
        if (block.kind !== 'locked') number += 1;
        return [block, number];
      }),
    );
  }, [blocks]);
  if (blocks === null)
    return (
      <p className="note warn" role="status">
        This HTML is incomplete or too complex for visual editing. Edit it as code.
      </p>
    );
  const hidden = allBlocks(blocks).length - numbers.size;
  return (
    <div className="stack-small">
      {editable ? <Toolbar document={document} isEmpty={numbers.size === 0} /> : null}
      {problems.map((problem) => (
        <span key={problem} className="problem" role="status">
          {problem}
        </span>
      ))}
      <div className="blocks" ref={list} key={generation}>
        <BlockList {...{ blocks, document, editable, numbers }} />
      </div>
      {numbers.size === 0 ? <p className="quiet">There is no text, image or button in the HTML.</p> : null}
      {hidden > 0 ? <p className="quiet small">{hidden} more blocks can be edited as code.</p> : null}
    </div>
  );
}

const NEW: readonly (readonly [Action, string])[] = [
  ['text', 'Text'],
  ['image', 'Image'],
  ['button', 'Button'],
];

function Toolbar({ document, isEmpty }: { readonly document: Document; readonly isEmpty: boolean }) {
  const entries = NEW.map(([key, label]) => ({ key, label, onChoose: () => document.act(key, null) }));
  return (
    <div className="row">
      {isEmpty ? <MenuButton entries={entries}>Add block</MenuButton> : null}
      <Button size="small" icon="undo" aria-disabled={!document.canUndo} onClick={() => document.undo()}>
        Undo
      </Button>
      <span className="quiet small" role="status">
        {document.changedAt ? DONE[document.changedAt.action] : 'Click a text in the preview to edit it.'}
      </span>
    </div>
  );
}

const DONE: Readonly<Record<Action, string>> = {
  text: 'Text added.',
  image: 'Image added.',
  button: 'Button added.',
  duplicate: 'Block duplicated.',
  delete: 'Block deleted.',
  up: 'Block moved up.',
  down: 'Block moved down.',
};

/** The block that was added or moved has the focus then, or the one behind a deleted block. */
function useFocusAfterChange(list: RefObject<HTMLElement | null>, { changedAt }: Document): void {
  useEffect(() => {
    if (changedAt === null) return;
    const blocks = [...(list.current?.querySelectorAll<HTMLElement>('[data-start]') ?? [])];
    const block = blocks.find(({ dataset }) => Number(dataset.start) >= changedAt.at) ?? blocks.at(-1);
    const isMove = changedAt.action === 'up' || changedAt.action === 'down';
    const field = isMove ? null : block?.querySelector<HTMLElement>('textarea, input, summary');
    (field ?? block?.querySelector('button'))?.focus();
    // Typing replaces “New text”.
    if (field instanceof HTMLTextAreaElement && NEW.some(([action]) => action === changedAt.action))
      field.select();
  }, [list, changedAt]);
}

function useFocusOnPick(
  list: RefObject<HTMLElement | null>,
  document: Document,
  onPick: Props['onPick'],
): void {
  useEffect(() => {
    onPick.current = (place) => {
      const fields = allBlocks(document.blocks ?? []).flatMap((block) =>
        'fields' in block ? block.fields : [],
      );
      const shown = fields.map((field) => ({ ...field, shown: document.textOf(field) }));
      const key = fieldAt(place, shown)?.key ?? '';
      list.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(key)}"]`)?.focus();
    };
    return () => {
      onPick.current = null;
    };
  });
}
