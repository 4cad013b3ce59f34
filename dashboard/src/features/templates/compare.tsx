/** Two states of a template side by side: the differences in the code, or how each of them looks. */
import type { TemplateDetail, TemplateVersion } from '@postrider/sdk';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { CompareCode } from './compare-code.tsx';
import { ComparePreviews } from './compare-previews.tsx';

export type ComparedContent = Pick<
  TemplateVersion,
  'subject' | 'layout' | 'inline_css' | 'html_body' | 'text_body' | 'translations' | 'variable_schema'
>;

export interface Side {
  /** “Version 3”, “Draft”. */
  readonly name: string;
  readonly content: ComparedContent;
}

const VIEWS = [
  { key: 'code', label: 'Code' },
  { key: 'preview', label: 'Preview' },
] as const;

interface Props {
  readonly template: Pick<TemplateDetail, 'id' | 'kind'>;
  readonly title: string;
  readonly before: Side;
  readonly after: Side;
  /** The sample data of the previews. */
  readonly data: string;
  readonly onClose: () => void;
  /** Chooses the two sides. */
  readonly children?: ReactNode;
}

export function Compare({ template, title, before, after, data, onClose, children }: Props) {
  const [view, setView] = useState<(typeof VIEWS)[number]['key']>('code');
  return (
    <Dialog title={title} onClose={onClose} className="compare">
      <div className="stack">
        <div className="row">
          <Segments label="View" options={VIEWS} chosen={view} onChoose={setView} />
          {children}
        </div>
        {view === 'code' ? (
          <CompareCode before={before} after={after} />
        ) : (
          <ComparePreviews template={template} before={before} after={after} data={data} />
        )}
      </div>
    </Dialog>
  );
}
