/** The HTML or the text of a template: as code, and the HTML also as blocks. */
import { type ReactNode, type RefObject, Suspense } from 'react';
import { lazyPart } from '../../app/lazy-page.ts';
import type { PickedPlace } from '../../ui/message-frame.tsx';
import { Loading } from '../../ui/page.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { CodeEditor } from './code-editor.tsx';
import { placeIn } from './highlight.ts';

const VisualEditor = lazyPart(() => import('./visual/visual-editor.tsx'), 'VisualEditor');

const MODES = [
  { key: 'code', label: 'Code' },
  { key: 'visual', label: 'Visual' },
] as const;

export type Mode = (typeof MODES)[number]['key'];

interface Props {
  readonly part: 'html' | 'text';
  readonly value: string;
  readonly editable: boolean;
  readonly problems: readonly string[];
  readonly mode: Mode;
  readonly onMode: (mode: Mode) => void;
  readonly onChange: (value: string) => void;
  /** Handles a click in the preview. */
  readonly onPick: RefObject<((place: PickedPlace) => void) | null>;
  /** Inserts variables. */
  readonly children: ReactNode;
}

export function BodyEditor({
  part,
  value,
  editable,
  problems,
  mode,
  onMode,
  onChange,
  onPick,
  children,
}: Props) {
  return (
    <>
      <div className="row">
        {part === 'html' ? <Segments label="Editor" options={MODES} chosen={mode} onChoose={onMode} /> : null}
        {editable ? children : null}
      </div>
      {part === 'html' && mode === 'visual' ? (
        <Suspense fallback={<Loading />}>
          <VisualEditor
            html={value}
            editable={editable}
            problems={problems}
            onChange={onChange}
            onPick={onPick}
          />
        </Suspense>
      ) : (
        <CodeEditor
          takesVariables
          label={part === 'html' ? 'HTML' : 'Text'}
          value={value}
          readOnly={!editable}
          onChange={onChange}
          problems={problems}
          problemAt={placeIn(problems[0] ?? '')}
        />
      )}
    </>
  );
}
